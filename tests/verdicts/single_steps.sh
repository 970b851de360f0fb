#!/bin/sh
# Rounding of velocities: steps in single precision whose velocities are differences of positions are
# told so, and steps that add the impulses of the constraints are not (single_steps.py).
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
python_with numpy
export SHAKEDOWN_PYTHON="$python" PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1

cp "$SHAKEDOWN_SOURCE/tests/verdicts/causes.py" "$SHAKEDOWN_SOURCE/tests/verdicts/single_steps.py" .
# What a class is called as a method, and its cause, separated by a tab.
"$python" - >expected <<'P'
import ast, re
for node in ast.parse(open("single_steps.py").read()).body:
    if isinstance(node, ast.ClassDef):
        print(re.sub("(?<!^)([A-Z])", r"-\1", node.name).lower(), ast.get_docstring(node), sep="\t")
P
make_study steps "problems: ['random-system(seed=2,shape=clusters,dimension=3)'],
  integrators: [$(cut -f 1 expected | paste -sd ,)], until: 0.1, steps: [0.1, 0.05, 0.025, 0.0125],
  precision: [single], measures: [identities]"
ends 0 "steps in single precision" run steps.yaml -q -o steps.db --plugin single_steps.py
ends 0 "... and what they show" show steps.db --format csv
while IFS="$(printf '\t')" read -r method cause; do
  said=$(sed -n "s/^[^,]*,.*,$method,single,rounding of velocities,//p" out)
  case "$cause:$said" in
  -:*differences*) false ;;
  -:*) [ -n "$said" ] ;;
  *) expr "$said" : ".*$cause" >counted ;;
  esac
  ok_if $? "$method: $cause"
done <expected
tap_done
