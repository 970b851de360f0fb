#!/bin/sh
# python3 -m shakedown.literature: published numbers, some with wrong digits, beside ours; the table
# of docs/findings/references.md; files that are refused.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/python.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
python_with numpy pandas
literature() {
  PYTHONPATH=$SHAKEDOWN_SOURCE/python${PYTHONPATH+:$PYTHONPATH} "$python" -B -m shakedown.literature "$@"
}
literature sundials-pendulum andrews >out 2>err
is_text $? 0 "published numbers are compared with ours"
diag "$(tail -n 2 err)"
is_text "$(grep '^sundials-pendulum,' out)" "sundials-pendulum,positions,30,30,0,34,held" \
  "30 digits of a pendulum agree"
# row GROUP TABLE: digits of Andrews' mechanism, as in the table
row() {
  numbers=$(grep "| $1 | .* |\$" "$SHAKEDOWN_SOURCE/docs/findings/references.md" | head -n 1 |
    sed 's/.*| \([0-9]*\) | \([0-9]*\) | \([0-9]*\) | \([0-9]*\) |$/\1,\2,\3,\4/')
  grep -qx "andrews,$1,$numbers,held" out
  ok_if $? "andrews: $1 as in the table: $numbers"
}
row positions
row velocities
row multipliers
if grep -q 'hem5' out; then
  grep -qx '#   hem5 (double) agrees with us to 13 digits, with the literature to 7' out
  ok_if $? "an independent run is with ours"
else
  skip_without siconos "hem5 against the literature"
fi
grep -q '^# as printed max|g| = 7.1e-17 and max|G v + g_t| = 9.9e-10, ours' out
ok_if $? "the printed velocities violate the constraints"

# ---- made up: digits that are wrong, skipped or too many to be ours, and factors ----
cat >counts.py <<'P'
from decimal import Decimal
from shakedown.literature import State, compare, read, verdict
import pathlib, sys

def row(texts, ours, other=None):
    theirs = [Decimal(0 if x == "skip" else x) for x in texts]
    units = [Decimal((0, (1,), x.as_tuple().exponent)) for x in theirs]
    ours = [Decimal(x) for x in ours]
    found = compare(texts, theirs, units, ours, [Decimal(x) for x in other or ours])
    return found, theirs, ours

def held(texts, ours, witness, coarse, other=None):
    found, theirs, mine = row(texts, ours, other)
    state = lambda x: State({"positions": [Decimal(y) for y in x]}, (Decimal(0), Decimal(0)))
    return verdict(found, "positions", state(mine), theirs, [("w", state(witness), state(coarse))])

assert row(["0.80000", "-0.6"], ["0.8", "-0.6"])[0][:4] == (5, 1, 0, 34)
assert row(["0.80011", "skip"], ["0.8", "-0.6"])[0][:3] == (5, 3, 2)
assert row(["0.8001", "-0.6"], ["0.8", "-0.6"])[0][:3] == (4, 1, 0)
doubtful, _, _ = row(["0.80011", "skip"], ["0.8", "-0.6"], ["0.80005", "-0.6"])
assert doubtful.wrong == 0 and doubtful.agreed == doubtful.certain == 4, doubtful
wrong, ours = ["0.80011", "skip"], ["0.8", "-0.6"]
assert held(wrong, ours, ours, ours) == "held"
assert held(wrong, ours, ["0.80011", "-0.6"], ["0.80011", "-0.6"]) == "falsified"
assert held(wrong, ours, ["0.80011", "-0.6"], ["0.80021", "-0.6"]) == "undecided"
assert verdict(row(wrong, ours)[0], "positions", State({}, (0, 0)), [], []) == "undecided"
for text, said in ((sys.argv[1], "no source"), (sys.argv[2], "2 factors for 1")):
    pathlib.Path("made.yaml").write_text(text)
    try:
        read(pathlib.Path("made.yaml"))
        raise SystemExit("not refused: " + text)
    except Exception as fault:
        assert said in str(fault), fault
P
PYTHONPATH=$SHAKEDOWN_SOURCE/python "$python" -B counts.py 'problem: pendulum
time: 3
' 'source: me
problem: pendulum
time: 3
multipliers: [1]
multiplier-factors: [1, 2]
' 2>err
ok_if $? "digits are counted, and verdicts found, as the module says"
diag "$(tail -n 3 err)"
literature nothing >out 2>err
is_text $? 1 "a name that is none: exit status 1"
tap_done
