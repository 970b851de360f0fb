#!/bin/sh
# Integrators in other languages: the examples compute the same as our own RATTLE, and their claims
# hold; no program runs without permission; a changed script is another method; a program that
# crashes or hangs costs one run, with the reason.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cp "$SHAKEDOWN_SOURCE"/examples/external/rattle.* .
python='external(command="python3 rattle.py")'
octave='external(command="octave-cli --no-gui rattle.m")'
shakedown() {
  timeout 60 "$SHAKEDOWN" "$@"
}

# ---- nothing runs unasked ----
# Cells write no files here; a pipe that somebody reads lets its writer go on.
mkfifo bell
(: >bell; : >ran) &
cat >spy.py <<'P'
import os
os.open("bell", os.O_RDONLY | os.O_NONBLOCK)
P
# One that never greets has a minute, which passes meanwhile.
"$SHAKEDOWN" simulate pendulum 'external(command="sleep 1000")' --allow-external --step 0.1 --until 1 >never 2>&1 &
never=$!

gives 2 'use --allow-external' simulate sprung-pendulum 'external(command="python3 spy.py")' \
  --step 0.1 --until 1
gives 2 'use --allow-external' certify 'composition(base=external(command="python3 spy.py"))'
make_study spy 'problems: [sprung-pendulum], integrators: [external(command="python3 spy.py")],
  steps: [0.1], until: 1'
gives 2 'use --allow-external' run spy.yaml
holds "the program was not started" [ ! -e ran ]
gives 3 'it ended with exit status 0' run spy.yaml --allow-external
wait
holds "... and is, where that is allowed" [ -e ran ]

# ---- the examples compute what RATTLE computes ----
# near NAME TOLERANCE PROBLEM INTEGRATOR OPTION...: q and p of both at the end, componentwise
near() {
  name=$1
  tolerance=$2
  problem=$3
  integrator=$4
  shift 4
  for one in "$integrator" rattle; do
    shakedown simulate "$problem" "$one" --allow-external --step 0.05 --until 2 \
      --every 40 "$@" >"rows" 2>err || diag "$(head -n 3 err)"
    tail -n 1 rows
  done >both
  python3 - "$tolerance" <<'P'
import sys
from decimal import Decimal
rows = [line.strip().split(",") for line in open("both")]
count = (len(rows[0]) - 4) * 2 // 3 if rows and len(rows[0]) > 4 else 0
pairs = list(zip(rows[0][1:], rows[1][1:]))[:4]
worst = max(abs(Decimal(a) - Decimal(b)) for a, b in pairs)
print("# largest difference", worst)
sys.exit(not (len(pairs) == 4 and Decimal(rows[0][0]) == 2 and worst <= Decimal(sys.argv[1])))
P
  ok_if $? "$name: q and p differ by at most $tolerance"
}
near 'Python, double' 1e-14 sprung-pendulum "$python"
near 'Python, quad' 1e-31 sprung-pendulum "$python" --precision quad
near 'Python, several constraints' 1e-13 double-pendulum "$python"
gives 2 'it does not support general-hamiltonian' simulate charged-pendulum "$python" \
  --allow-external --step 0.1 --until 1
gives 0 't,q1' simulate sprung-pendulum \
  'composition(base=external(command="python3 rattle.py"))' --allow-external --step 0.1 --until 1
if command -v octave-cli >/dev/null; then
  near 'Octave, separable' 1e-14 sprung-pendulum "$octave"
  near 'Octave, general Hamiltonian' 1e-14 charged-pendulum "$octave"
  gives 2 'it works in double precision only' simulate sprung-pendulum "$octave" \
    --allow-external --step 0.1 --until 1 --precision quad
else
  skip "no octave-cli"
fi

# ---- their claims are tested like any other ----
make_study claims "problems: ['double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4)'],
  integrators: [external(command=\"python3 rattle.py\")], steps: {largest: 0.1, halvings: 4}, until: 0.9,
  precision: quad, measures: [order, constraint, symplecticity, symmetry]"
gives 0 ' 0 falsified' run claims.yaml --allow-external
shakedown show claims.db --values --allow-external >values
for quantity in 'order of q' 'order of lambda-mean' 'symplecticity' 'symmetry' 'constraint max'; do
  holds "held: $quantity" grep -q "quad *$quantity .*held" values
done
# What was found is kept in the store: nothing runs to show it again.
gives 0 ' 0 falsified' show claims.db
# What was run is not run again, unless the script is another one.
gives 0 ' 0 falsified' run claims.yaml --allow-external
holds "... and has nothing to do" grep -qF ' 0 run (' both
sed -i 's/order-q=2/order-q=3/' rattle.py
gives 1 '1 falsified' run claims.yaml --allow-external
grep -q ' run (' both && ! grep -qF ' 0 run (' both
ok_if $? "a changed script is run anew"
gives 0 'external("python3 rattle.py")' certify "$python" --allow-external --study

# ---- what misbehaves ----
cat >bad.py <<'P'
import os, signal, sys, time
act = sys.argv[1]
hello = sys.stdin.readline()
greeting = "shakedown-integrator 1 name=bad version=1"
print({"stranger": "good morning", "version": greeting.replace(" 1 ", " 2 ", 1),
       "nameless": "shakedown-integrator 1 version=1", "key": greeting + " colour=blue",
       "claim": greeting + " order-q=many", "twice": greeting + " order-q=2 order_q=2", "mute": ""}.get(act, greeting), flush=True)
if not sys.stdin.readline():
    sys.exit(0)
print({"refuse": "refuse not in the mood, 100% sure", "bind": "perhaps"}.get(act, "ready"), flush=True)
while True:
    words = sys.stdin.readline().split()
    if not words:
        sys.exit(0)
    state = words[3:7]
    if act == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if act == "leave":
        sys.exit(7)
    if act == "hang":
        time.sleep(1000)
    if act == "print":
        print("bad.py was here", file=sys.stderr)
    print({"nan": "done nan 0 0 0 0 0", "few": "done 1 2", "many": "done " + " ".join(state) + " 0 0 0",
           "words": "done x y z", "hexadecimal": "done 0x1p-1 0 0 0 0 0", "unit": "done 30deg 0 0 0 0 0",
           "question": "What is the time?", "long": "done " + "1" * 200,
           "code": "fail badly", "fail": "fail not-converged three times round",
           "early": "done " + " ".join(state) + " 0 0\ndone"}.get(
               act, "done " + " ".join(state) + " 0 0"), flush=True)
P
bad() {
  gives "$1" "$3" simulate sprung-pendulum "external(command=\"python3 bad.py $2\")" \
    --allow-external --step 0.1 --until 0.5
}
bad 3 stranger "expected 'shakedown-integrator' for a greeting, found good"
bad 3 version 'expected version 1 of the protocol, found 2'
bad 3 nameless 'its greeting lacks name='
bad 3 key 'an unknown key or value: colour=blue'
bad 3 claim 'an unknown key or value: order-q=many'
bad 3 twice 'its greeting contains a key twice: order-q'
bad 3 mute "expected 'shakedown-integrator'"
bad 2 refuse 'not in the mood, 100% sure'
bad 3 bind "expected 'ready' or 'refuse', found perhaps"
bad 3 crash 'it was terminated by signal 11'
bad 3 leave 'it ended with exit status 7'
bad 3 nan 'it answered nan'
bad 3 few 'too few numbers'
bad 3 many 'its line contains more than expected'
bad 3 words 'not a finite decimal number: x'
bad 3 hexadecimal 'not a finite decimal number: 0x1p-1'
bad 3 unit 'not a finite decimal number: 30deg'
bad 3 question 'there is no such answer or question: What'
bad 3 long 'a word of more than 127 characters'
bad 3 code 'expected the code of a failed step, found badly'
bad 3 fail 'three times round (not-converged)'
bad 3 early 'external program: '
bad 0 print '0.5'
gives 3 "cannot start 'no-such-program'" simulate sprung-pendulum \
  'external(command="no-such-program")' --allow-external --step 0.1 --until 1
mark=$(basename "$top")
make_study hang "problems: [sprung-pendulum], integrators: [external(command=\"python3 bad.py hang $mark\"),
  rattle], steps: [0.1], until: 1, limits: {seconds: 1}"
gives 3 'hang' run hang.yaml --allow-external
shakedown show hang.db --records --allow-external --format csv >records
holds "a hang ends with the cell's time" grep -q 'bad.py hang.*time' records
holds "... and costs that cell alone" grep -q 'rattle.*,ok' records
wait $never
is_text "$? $(cat never)" "3 shakedown: stopped after 0 rows: no greeting or first row within 60 s (stopped at the time limit of 60 s)" \
  "simulate ends with the reason"
# The process has no witnesses left.
sleep 0.2
left=$(pgrep -f "bad.py hang $mark" || true)
is_text "$left" "" "no program is left behind"
tap_done
