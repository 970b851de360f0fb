#!/bin/sh
# Likely causes: each wrong step of causes.py has the one that its text states, and a right step has
# none. RATTLE violates the identity of every mistake clearly, on two of the problems that are asked.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
python_with numpy
export SHAKEDOWN_PYTHON="$python" PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1

cp "$SHAKEDOWN_SOURCE/tests/verdicts/causes.py" .
# What a class is called as a method, and its cause, separated by a tab.
"$python" - >expected <<'P'
import ast, re
for node in ast.parse(open("causes.py").read()).body:
    if isinstance(node, ast.ClassDef):
        print(re.sub("(?<!^)([A-Z])", r"-\1", node.name).lower(), ast.get_docstring(node), sep="\t")
P
# study NAME METHODS: of the problems that certificates ask
study() {
  make_study "$1" "problems: ['chain(links=2,dimension=3,ratio=3,spring=2,start=random)',
    'random-system(seed=2,shape=clusters,dimension=3)', 'random-system(seed=3,shape=tree,dimension=3)'],
    integrators: [$2], until: 0.1, steps: [0.1, 0.05, 0.025], precision: [double], measures: [identities]"
}
study causes "$(cut -f 1 expected | paste -sd ,)"
ends 0 "steps of codes" run causes.yaml -q -o causes.db --plugin causes.py
ends 0 "... and what they show" show causes.db --format csv
while IFS="$(printf '\t')" read -r method cause; do
  said=$(sed -n "s/^[^,]*,.*,$method,double,likely cause,//p" out)
  case "$cause:$said" in
  -:) true ;;
  -:*) false ;;
  *) expr "$said" : ".*$cause" >counted ;;
  esac
  ok_if $? "$method: $cause"
  [ "$cause" != - ] || is_text "$said" "" "... whose cause is empty"
done <expected
study rattle rattle
ends 0 "a right step" run rattle.yaml -q -o rattle.db
is_text "$("$SHAKEDOWN" show rattle.db --format csv | grep -c 'likely cause')" 0 "... has no cause"
"$python" - <<'P' >log 2>&1
import sqlite3
wrong = {"floor": "along-new along-predicted along-drifted along-current without-masses exchanged uncorrected",
         "velocity-floor": "force-old force-predicted force-none no-feedback velocity-old "
                           "velocity-without-masses velocity-exchanged unprojected",
         "state-floor": "hidden-old hidden-middle", "rate-floor": "rate-no-curvature"}
steps = {}
for cell, problem, name, value in sqlite3.connect("rattle.db").execute(
        "select cells.id, problem, name, value from scalars join cells on cells.id = scalars.cell"):
    steps.setdefault((problem, cell), {})[name.removeprefix("identities-")] = value
for floor, names in wrong.items():
    for name in names.split():
        violated = {}
        for (problem, _), found in steps.items():
            violated[problem] = violated.get(problem, 0) + (found.get(name, 0) >= 1e4 * found[floor])
        assert sum(count >= 2 for count in violated.values()) >= 2, (name, violated)
P
ok_if $? "... and violates the identity of every mistake, at two steps on two problems: $(tail -n 1 log)"
tap_done
