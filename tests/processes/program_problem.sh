#!/bin/sh
# Problems in other languages: the example is the same system as the plug-in in C, in double and in quad; no
# program runs without permission; a changed script is another problem; a program of another role, or one
# that crashes or breaks the protocol, costs its run, with the reason.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cp "$SHAKEDOWN_SOURCE/examples/external/bead.py" "$SHAKEDOWN_SOURCE/examples/external/rattle.py" \
  "$SHAKEDOWN_SOURCE/examples/plugins/bead.c" .
shakedown() {
  timeout 120 "$SHAKEDOWN" "$@"
}
bead='program(command="python3 bead.py")'
gives 0 'problem bead' plugin build bead.c

# ---- nothing runs unasked ----
sed 's/^def main/open("ran", "w")\n&/' bead.py >spy.py
make_study spy 'problems: [program(command="python3 spy.py")], integrators: [rattle], steps: [0.1], until: 1'
gives 2 'programs run only with --allow-external' run spy.yaml
gives 2 'programs run only with --allow-external' diagnose 'program(command="python3 spy.py")'
gives 2 'programs run only with --allow-external' simulate 'program(command="python3 spy.py")' rattle \
  --step 0.1 --until 1
holds "the program was not started" [ ! -e ran ]

# ---- the same system as in C ----
for precision in double quad; do
  for problem in "$bead" bead; do
    shakedown simulate "$problem" rattle --plugin ./bead.so --allow-external --precision $precision \
      --step 0.05 --until 1 --every 20 2>err | tail -n 1
  done >rows
  python3 - $precision <<'P'
import sys
from decimal import Decimal
theirs, ours = ([Decimal(x) for x in line.split(",")] for line in open("rows"))
most = Decimal("1e-13" if sys.argv[1] == "double" else "1e-31")  # lambda: 1/h^2 roundings of g
sys.exit(not (ours[0] == theirs[0] == 1 and len(ours) == len(theirs) == 9
              and all(abs(a - b) < most for a, b in zip(ours, theirs))))
P
  ok_if $? "the states in $precision are those of the plug-in" || diag "$(cat rows err)"
done
gives 0 'curvature  correct' diagnose "$bead" --allow-external
sed 's/-12/-11/' bead.py >wrong.py
gives 1 'curvature  WRONG' diagnose 'program(command="python3 wrong.py")' --allow-external

# ---- a study, and one with a changed script ----
make_study beads "problems: ['$bead'], integrators: [rattle], steps: {largest: 0.1, halvings: 3}, until: 1,
  measures: [order]"
gives 0 ' 0 falsified' run beads.yaml --allow-external
gives 0 ' 0 run (' run beads.yaml --allow-external
gives 0 ' 0 falsified' show beads.db
sed -i 's/"2"/"2.5"/' bead.py
gives 0 ' 0 falsified' run beads.yaml --allow-external
! grep -qF ' 0 run (' both
ok_if $? "a changed script is run anew"

# ---- the other functions, by a problem with all features ----
cat >all.py <<'P'
# A point on a circle whose centre moves, with a mass that depends on the place, and friction.
import sys
def answer(word, x):
    if word == "H":      # (1 + q1²) p² / 2 + q2
        return [(1 + x[1]**2) * (x[3]**2 + x[4]**2) / 2 + x[2]]
    if word == "H_q":
        return [x[1] * (x[3]**2 + x[4]**2), 1]
    if word == "H_p":
        return [(1 + x[1]**2) * x[3], (1 + x[1]**2) * x[4]]
    if word == "hessian":
        q, p1, p2 = x[1], x[3], x[4]
        return [p1**2 + p2**2, 0, 2 * q * p1, 2 * q * p2, 0, 0, 0, 0,
                2 * q * p1, 0, 1 + q**2, 0, 2 * q * p2, 0, 0, 1 + q**2]
    if word == "Q":
        return [-x[3] / 10, -x[4] / 10]
    if word == "Q_gradients":
        return [0, 0, 0, 0, -0.1, 0, 0, -0.1]
    if word == "g":      # the circle's centre moves to the right
        return [((x[1] - x[0] / 10)**2 + x[2]**2 - 1) / 2]
    if word == "G":
        return [x[1] - x[0] / 10, x[2]]
    if word == "g_t":
        return [-(x[1] - x[0] / 10) / 10]
    if word == "curvature":
        return [(x[3] - 0.1)**2 + x[4]**2]
    if word == "start":
        return [0, -1, 0.3, 0]
sys.stdin.readline()
print("shakedown-problem 1 name=all version=1 precision=double n=2 m=1"
      " features=general-hamiltonian,rheonomic,forces horizon=2.1", flush=True)
for line in sys.stdin:
    word, *rest = line.split()
    print("values", *answer(word, [float(one) for one in rest]), flush=True)
P
all='program(command="python3 all.py")'
gives 0 't,q1' simulate "$all" spark --allow-external --step 0.1 --until 1 --every 10
make_study all "problems: ['$all'], integrators: [spark], steps: {largest: 0.1, halvings: 3}, until: 1,
  measures: [order]"
# A reference is in quad, so that orders of a problem in double are not decided.
gives 3 'the reference: refused: the external program: it works in double precision only' run all.yaml \
  --allow-external
gives 0 'g_t        correct' diagnose "$all" --allow-external --precision double
holds "... and so is the Hessian" grep -q 'Hessian *correct' out
gives 2 'it works in double precision only' simulate "$all" spark --allow-external --step 0.1 --until 1 \
  --precision quad

# ---- other roles, and what misbehaves ----
gives 3 'it is a problem, not an integrator; name it as the problem program(command=…)' simulate pendulum \
  'external(command="python3 bead.py")' --allow-external --step 0.1 --until 1
gives 3 'it is an integrator, not a problem; name it as the integrator external(command=…)' simulate \
  'program(command="python3 rattle.py")' rattle --allow-external --step 0.1 --until 1
# says WHAT PATTERN SED [STATUS]: the example changed by SED stops with that
says() {
  sed "$3" bead.py >odd.py
  gives "${4:-3}" "$2" simulate 'program(command="python3 odd.py")' rattle --allow-external --step 0.1 --until 1
}
says "no size" 'its greeting lacks n=' 's/n=2 //'
says "a size that is none" 'an unknown key or value: n=0' 's/n=2/n=0/'
says "a feature that there is not" 'an unknown key or value: features=friction' 's/m=1/m=1 features=friction/'
says "a reason that there is not" 'an unknown key or value: undecidable=boredom' 's/=one-deg[a-z-]*/=boredom/'
says "a crash" 'it ended with exit status 1' 's/return \[x\[2\].*/return [x[2] \/ missing]/'
says "a failure" 'bead.py has no curvature' 's/"curvature"/"bend"/'
says "too few numbers" 'its line contains too few numbers' 's/return \[-4.*/return [1]/'
says "too many" 'its line contains more than expected' 's/return \[-4.*/return [1, 2, 3]/'
says "not a number" 'it answered nan' 's/return \[-4.*/return ["nan", 1]/'
says "a negative mass" 'its masses are not all positive' 's/return \[1, 1\]$/return [1, -1]/' 2
tap_done
