#!/bin/sh
# Acceptance tests of other codes: runs docs/guides/acceptance.md and SKILL.md and compares their
# tables with the results of the examples; the pytest plug-in, in one process and in two; the steps
# of action.yml.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/documents.sh"
python_with numpy pandas
export SHAKEDOWN_PYTHON="$python" PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1
examples=$SHAKEDOWN_SOURCE/examples/acceptance

mkdir page skill
ln -s "$SHAKEDOWN_SOURCE/examples" page/examples
# A busy machine takes longer than the ten seconds of an idle one.
sed "s/try_out(Mine)/try_out(Mine, budget=40)/; s/budget=\"60s\"/budget=\"100s\"/" "$SHAKEDOWN_SOURCE/docs/guides/acceptance.md" >acceptance.md
run_document acceptance.md page
run_document "$SHAKEDOWN_SOURCE/SKILL.md" skill
awk '/^```python$/ { first = 1; next } /^```$/ { inside = 0 }
  first { first = 0; inside = !/^# / } inside' acceptance.md >page/rest.py
(cd page && "$python" rest.py) >log 2>&1 && [ -s page/out.xml ]
ok_if $? "the page's report is printed, and written for JUnit: $(tail -n 1 log)"
holds "SKILL.md has at most 120 lines" [ "$(wc -l <"$SHAKEDOWN_SOURCE/SKILL.md")" -le 120 ]
for example in "$examples"/*.py; do
  [ "$(wc -l <"$example")" -le 40 ]
  ok_if $? "$(basename "$example") has at most 40 lines"
done

# falls EXAMPLE WORDS [CAUSES]: what `try` says is what the page says
falls() {
  "$SHAKEDOWN" try "$examples/$1.py" --budget 120 >out 2>err
  holds "$1 falls: $2" grep -q "^falsified.*$2" out
  causes=$(sed -n 's/^likely cause [^:]*: //p' out | paste -sd '#' | sed 's/#/; /g')
  is_text "$causes" "${3-}" "... its cause is that of the page"
  sed 's/\\|/|/g' "$SHAKEDOWN_SOURCE/docs/guides/acceptance.md" | grep -q "$1.*$2.*${3-}"
  ok_if $? "... which has it"
  diag "$(grep -e '^falsified' -e '^likely' out err)"
}
falls shake_new_bond 'order of q' \
  'positions are corrected along the bonds at the end of the step, not along those at its start'
falls rattle_unprojected symmetric 'velocities are not projected onto the hidden constraint'
falls lincs_low_order 'keeps constraint' \
  'the solve for the multipliers ends too early: every constraint retains a residual that decreases with h'
falls settle_single 'backward steps' "velocities are differences of positions, and single precision \
rounds them by eps |q|/h: instead of taking differences, add the constraint impulses (w/h for a position \
correction w) to the velocities; all numbers that a step returns are in single precision"

# ---- pytest ----
if "$python" -c 'import pytest' 2>/dev/null; then
  cp page/mine.py page/test_mine.py .
  cat >test_wrong.py <<'P'
import sys

sys.path.insert(0, "examples")
from shakedown.pytest_plugin import shakedown_check
from rattle_unprojected import RattleUnprojected

test_wrong = shakedown_check(RattleUnprojected, claims=["order of p"], budget="60s")

def test_all(shakedown_check):
    shakedown_check(RattleUnprojected, budget="60s")
P
  ln -s "$examples" examples
  pytest() {
    "$python" -m pytest -p shakedown.pytest_plugin -p no:cacheprovider -q "$@" >log 2>&1
  }
  pytest test_mine.py --junitxml mine.xml
  is_text $? 0 "the tests of the page pass"
  holds "... a claim each: $(tail -n 1 log)" grep -q '4 passed' log
  pytest test_wrong.py --shakedown-figures figures
  is_text $? 1 "those of a wrong method fail"
  grep -q 'likely cause: ' log && grep -q '2 failed' log
  ok_if $? "... with the likely cause"
  holds "... in at most 15 lines" [ "$(sed -n '/^_.*test_all/,/^=/p' log | wc -l)" -le 17 ]
  if command -v gnuplot >/dev/null; then
    ls figures/*.pdf >/dev/null 2>&1
    ok_if $? "... and figures"
  fi
  if "$python" -c 'import xdist' 2>/dev/null; then
    pytest -n 2 test_mine.py test_wrong.py
    is_text "$? $(grep -o '[0-9]* failed, [0-9]* passed' log)" "1 2 failed, 4 passed" "... on two processes"
  else
    skip "no xdist"
  fi
else
  skip "no pytest"
fi

# ---- the action ----
if "$python" -c 'import yaml' 2>/dev/null; then
  mkdir action && cp "$examples/rattle_right.py" action/mine.py
  action() {
    "$python" "$SHAKEDOWN_SOURCE/tests/processes/action.py" "$SHAKEDOWN_SOURCE/action.yml" action "$@" >log 2>&1
  }
  action what=mine.py 'options=--budget 200'
  is_text $? 0 "the action's steps, with a method: $(tail -n 1 log)"
  grep -q '^### shakedown try mine.py' action/summary && [ -s action/shakedown-report/results.txt ]
  ok_if $? "... write a summary and a report"
  make_study small 'problems: [sprung-pendulum], integrators: [rattle], steps: [0.1], until: 1,
    measures: [energy]'
  action command=run what="$top/small.yaml" report=studied
  is_text "$? $(ls action/studied | tr '\n' ' ')" "0 page results.db results.txt " "... and with a study"
  cp "$examples/rattle_unprojected.py" action
  action what=rattle_unprojected.py 'options=--budget 30'
  is_text $? 1 "... and fail where a claim falls"
  # The repository of examples/regression, as its workflow uses the action.
  cp -R "$SHAKEDOWN_SOURCE/examples/regression/." action
  workflow() {
    "$python" -c 'import sys, yaml
for step in yaml.safe_load(open(sys.argv[1]))["jobs"]["regression"]["steps"]:
    if step.get("uses") == "./shakedown":
        print("\n".join(f"{name}={value}" for name, value in step["with"].items()))' \
      action/.github/workflows/shakedown.yml | sed 's/^report=.*/report=results/' >inputs
    while read -r one; do set -- "$@" "$one"; done <inputs
    action "$@"
  }
  workflow
  is_text $? 0 "the workflow of examples/regression passes: $(tail -n 1 log)"
  [ -s action/results/junit.xml ] && [ -s action/results/page/index.html ] && [ -s action/results/results.db ]
  ok_if $? "... and leaves JUnit's file, a page and the records"
  holds "... its summary has $(wc -l <action/summary) lines of at most 20" [ "$(wc -l <action/summary)" -le 20 ]
  (cd action && git apply sabotage/no-projection.patch)
  workflow
  is_text $? 1 "it fails where the projection is missing"
  holds "... with a summary of $(wc -l <action/summary) lines of at most 20" [ "$(wc -l <action/summary)" -le 20 ]
  grep -q '^### shakedown check study.yaml failed' action/summary && grep -q '^# 2 claims of my-method failed' action/summary &&
    grep -q '^# likely cause my-method: ' action/summary && grep -q '^| constraint max of my-method .* | 0.000638 |' action/summary
  ok_if $? "... the headline, the cause and the values" || diag "$(cat action/summary)"
else
  skip "no reader of YAML"
fi
tap_done
