#!/bin/sh
# Methods that never return: a cell without a limit of its own ends by the probe of its method, a minute
# of idle machine at most, and the log names it; a cell that is slow but moves is not ended; what the
# study states wins.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cat >hang.yaml <<'Y'
study: hang
runs:
  - {problems: [pendulum], integrators: [hostile(hang)], steps: [0.1], until: 1, measures: [energy, symmetry]}
  - {problems: [pendulum], integrators: [hostile(at-once)], steps: [0.1], until: 1, measures: [energy]}
Y
# reasons STORE PATTERN: the number of cells in the store with such a reason
reasons() {
  python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM cells WHERE reason GLOB ?", sys.argv[2:]).fetchone()[0])' \
    "$@"
}
began=$(date +%s)
# Processor time is counted; on a loaded machine the cells take longer, up to 150 s.
ends 3 "methods that never return" run hang.yaml --plugin "$SHAKEDOWN_HOSTILE" -o hang.db -j 3 --quiet
seconds=$(($(date +%s) - began))
diag "$seconds s"
holds "... end, not before half a minute" [ "$seconds" -ge 30 ]
holds "... and not much later than 150 s" [ "$seconds" -lt 200 ]
for cell in hang:run hang:symmetry at-once:run; do
  says "^hostile(${cell%:*}) on pendulum in double at step 0.1 (${cell#*:}): its first steps have taken 10 s so far; the limit is 30 s$" \
    "$cell: the log names it"
done
is_text "$(reasons hang.db 'stopped at the time limit of [31]*0 s, in its first steps')" 3 "the records say why"
again() {
  ends 3 "$1" run hang.yaml --plugin "$SHAKEDOWN_HOSTILE" -o hang.db
  says "$2" "... $2"
}
again "once more" '^3 cells: 3 already stored'
sed 's/measures:/limits: {seconds: 2}, measures:/' hang.yaml >own.yaml
began=$(date +%s)
ends 3 "a limit of their own" run own.yaml --plugin "$SHAKEDOWN_HOSTILE" -o own.db -j 3
holds "... wins" [ $(($(date +%s) - began)) -lt 25 ]
is_text "$(reasons own.db 'stopped at the time limit of 2 s')" 3 "... and is the reason"

# Most of a second a step, of which forty are predicted from the first ten: more than half a minute.
cat >slow.py <<'P'
import time
import shakedown


class Slow(shakedown.Integrator):
    "Stands still, and takes its time."

    def step(self, q, p, t, h):
        until = time.process_time() + 0.8
        while time.process_time() < until:
            pass
        return q, p
P
make_study slow 'problems: [pendulum], integrators: [slow], steps: [0.025], until: 1, measures: [energy]'
sed 's/measures:/limits: {seconds: 2}, measures:/' slow.yaml >short.yaml
ends 3 "a slow method with a limit of its own" run short.yaml --plugin slow.py -o slow.db
ends 0 "a slow method without" run slow.yaml --plugin slow.py -o slow.db
says '1 ok' "... finishes after more than half a minute"
tap_done
