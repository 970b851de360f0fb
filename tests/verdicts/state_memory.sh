#!/bin/sh
# Memory of a method in its states: a RATTLE that carries the gradient from step to step computes
# the same as RATTLE, and its records contain the memory; a method that cannot be a base is refused
# with the reason; the memory of a program is begun, passed on and kept in the same way.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
plugin="--plugin $SHAKEDOWN_DENSE_RATTLE"

for precision in double quad; do
  for remember in 0 1; do
    # shellcheck disable=SC2086
    "$SHAKEDOWN" simulate 'sprung-pendulum' "dense-rattle(remember=$remember)" $plugin \
      --step 0.05 --until 2 --precision $precision >rows$remember 2>err || diag "$(cat err)"
  done
  [ "$(wc -l <rows0)" -eq 42 ] && cmp -s rows0 rows1
  ok_if $? "$precision: with and without memory the same numbers"
done
# shellcheck disable=SC2086
gives 2 'the base is not a map of (q,p): it has memory' simulate pendulum \
  'composition(base=dense-rattle(remember=1))' $plugin --step 0.1 --until 1

make_study remembered 'problems: [sprung-pendulum], integrators: [dense-rattle(remember=1), dense-rattle],
  precision: [double, quad], steps: [0.1], until: 1'
# shellcheck disable=SC2086
ends 0 "a study of it" run remembered.yaml --quiet $plugin
memory() {
  python3 - "$1" <<'P'
import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(
    "SELECT integrator, bits, columns, length(data) FROM blobs JOIN cells ON cells.id = blobs.cell "
    "WHERE blobs.kind = 'state' AND blobs.name = 'memory' ORDER BY bits").fetchall()
print(*sorted({(name.split("(")[0], bits, columns) for name, bits, columns, length in rows}))
P
}
is_text "$(memory remembered.db)" "('dense-rattle', 64, 2) ('dense-rattle', 128, 2)" \
  "the records hold the memory in their precision"

# ---- a program's ----
cat >counts.py <<'P'
import sys

def hear():
    line = sys.stdin.readline()
    return line.split() if line else sys.exit(0)

def say(*words):
    print(*words, flush=True)

act = sys.argv[1]
hear()
say("shakedown-integrator 1 name=counts version=1.0")
n, m = map(int, hear()[1:3])
say("ready", {"many": "1x", "none": ""}.get(act, "2"))
while True:
    word, t, h, *state = hear()
    if word == "begin":
        say("begun", 3, h)
    else:
        memory = state[2 * n + m:]
        assert float(memory[1]) == float(h) and len(memory) == 2
        say("done", *state[:2 * n], *([0] * (2 * m)), float(memory[0]) + 1, *memory[1:act == "few" or 2])
P
counts() {
  "$SHAKEDOWN" simulate pendulum "external(command=\"python3 counts.py $1\")" --allow-external --step 0.1 \
    --until 1 >out 2>&1
}
counts well
is_text "$? $(wc -l <out)" "0 12" "a program that carries two numbers"
counts few
is_text $? 3 "one that hands back a number too few stops"
has 'too few numbers' "... with the reason"
counts many
is_text $? 3 "one that does not say how many stops"
has 'expected the size of the memory of a state, found 1x' "... with the reason"
make_study counts 'problems: [pendulum], integrators: [external(command="python3 counts.py well")],
  steps: [0.1], until: 1'
ends 0 "a study of it" run counts.yaml --quiet --allow-external
python3 - >last <<'P'
import sqlite3, struct
rows = sqlite3.connect("counts.db").execute(
    "SELECT data FROM blobs WHERE kind = 'state' AND name = 'memory' ORDER BY id").fetchall()
data = rows[-1][0]
print(*struct.unpack("<%dd" % (len(data) // 8), data)[-2:])
P
is_text "$(cat last)" "13.0 0.1" "its record holds what it carried through ten steps"
tap_done
