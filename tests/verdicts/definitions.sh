#!/bin/sh
# Multipliers with definitions of their own: factors, powers of the step and factors of the rows are
# reported as definitions, and what is no multiple of the multiplier is not. definitions.py has
# methods, and what is said of each.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
python_with numpy
export SHAKEDOWN_PYTHON="$python" PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1

cp "$SHAKEDOWN_SOURCE/tests/verdicts/definitions.py" .
"$python" - >expected <<'P'
import ast, re
for node in ast.parse(open("definitions.py").read()).body:
    if isinstance(node, ast.ClassDef):
        print(re.sub("(?<!^)([A-Z])", r"-\1", node.name).lower(), ast.get_docstring(node), sep="\t")
P
# study NAME PROBLEMS
study() {
  make_study "$1" "problems: [$2], integrators: [$(cut -f 1 expected | paste -sd ,)], until: 1,
    times: [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1], steps: [0.015625, 0.0078125, 0.00390625,
    0.001953125], precision: [double], measures: [order]"
  ends "$3" "$1" run "$1.yaml" -q -o "$1.db" --plugin definitions.py
  "$SHAKEDOWN" show "$1.db" --format csv --plugin definitions.py | grep ',order of lambda,' >out
}
study two "'chain(links=2,dimension=3,ratio=3,spring=2,start=random)', 'pendulum(angle=0.7,rate=1.1)'" 0
while IFS="$(printf '\t')" read -r method said; do
  case $said in
  -) ! grep ",$method,double" out | grep -q 'reference\|multiplier' ;;
  *) grep ",$method,double" out | grep -qF -e "$said" ;;
  esac
  ok_if $? "$method: $said"
done <expected
study one "'chain(links=2,dimension=3,ratio=3,spring=2,start=random)'" 0
is_text "$(grep -c 'definition of its own' out)" 0 "one start shows no definition"
tap_done
