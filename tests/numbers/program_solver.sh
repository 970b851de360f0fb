#!/bin/sh
# Solvers for rods in other languages: the example computes the same as RATTLE by Newton's method,
# in every precision; no program runs without permission; one that crashes or hangs costs its run, with
# the reason. Wrong solvers are in tests/verdicts/rod_solvers.sh.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cp "$SHAKEDOWN_SOURCE/examples/external/sweep.py" .
shakedown() {
  timeout 120 "$SHAKEDOWN" "$@"
}
# spec SCRIPT
spec() {
  echo "rattle(solver=program(command=\"python3 $1\"))"
}

gives 2 'use --allow-external' simulate alkane "$(spec sweep.py)" --step 0.001 --until 0.01
gives 2 'systems whose constraints are rods' simulate sprung-pendulum "$(spec sweep.py)" \
  --allow-external --step 0.01 --until 0.1

# ---- the same as by Newton's method, to rounding; a chain hangs from a fixed point ----
last() {
  shakedown simulate "$1" "$2" --allow-external --precision "$3" --step 0.002 --until 0.04 --every 20 \
    2>err | tail -n 1 || diag "$(head -n 3 err)"
}
for problem in alkane 'chain(links=3)'; do
  while read -r precision most; do
    last "$problem" "$(spec sweep.py)" "$precision" >theirs
    last "$problem" rattle "$precision" >ours
    python3 - "$most" <<'P'
import sys
from decimal import Decimal
theirs, ours = ([Decimal(x) for x in open(name).read().split(",")] for name in ("theirs", "ours"))
count = (len(ours) - 4) // 2
sys.exit(not (len(ours) == len(theirs) > 4 and
              all(abs(a - b) < Decimal(sys.argv[1]) for a, b in zip(ours[:count], theirs))))
P
    ok_if $? "$problem in $precision: positions and momenta as by Newton's method to $most"
  done <<'END'
single 1e-4
double 1e-12
quad 1e-30
END
done

# ---- what misbehaves ----
# says WHAT PATTERN SED: the example changed by SED stops with that
says() {
  sed "$3" sweep.py >odd.py
  gives "${4:-3}" "$2" simulate alkane "$(spec odd.py)" --allow-external --step 0.001 --until 0.01
}
says "a wrong greeting" "it is an integrator, not a solver" 's/shakedown-solver 1/shakedown-integrator 1/'
says "an unknown key" "its greeting contains an unknown key or value: supports=forces" 's/precision=any/supports=forces/'
says "a refusal" 'only water' 's/say("ready")/say("refuse only water")/' 2
says "a failure" 'the sweeps have not reached' 's/if worst <= tolerance:/if False:/'
says "a crash" 'it ended with exit status 1' 's/s = g/s = g \/ 0/'
says "too few numbers" 'its line contains too few numbers' 's/, \*done\[1\])/)/'
says "no count" 'expected the number of its iterations, found many' 's/"done", done\[0\]/"done", "many"/'
says "not a number" 'it answered nan' 's/"done", done\[0\]/"done", 1, "nan"/'
sed 's/precision=any/precision=double/' sweep.py >odd.py
gives 2 'it works in double precision only' simulate alkane "$(spec odd.py)" --allow-external \
  --precision quad --step 0.001 --until 0.01
tap_done
