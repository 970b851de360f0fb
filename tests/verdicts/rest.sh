#!/bin/sh
# Systems that stay at rest decide nothing and falsify nobody but a method that leaves them; a kick
# makes them decide. It is the same to the bit everywhere, tangent to the constraints, in the units
# of the system, and its seed is in the records.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

rest='this system is at rest and cannot decide any claim; `--kick SEED` perturbs its start'
cat >hang.yaml <<'END'
gravity: [0, 0, -9.81]
bodies:
  - {name: a, mass: 2, shape: {box: [0.1, 0.1, 0.6]}, position: [0, 0, -0.3]}
joints:
  - {name: pin, type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
END
cat >points.yaml <<'END'
gravity: [0, -9.81]
fixed: [{name: o, position: [0, 0]}]
particles: [{name: a, mass: 2, position: [0, -1]}, {name: b, mass: 1, position: [0, -2.1]}]
rods: [[o, a], [a, b]]
END
cat >still.yaml <<'END'
study: still
runs:
  - problems: ['mechanism(file="hang.yaml")', 'particles(file="points.yaml")', 'pendulum(angle=0,rate=0)']
    integrators: [rattle, shake, 'projection(onto=none)', generalized-alpha, spark(stages=3)]
    steps: {largest: 0.1, halvings: 4}
    until: 2.6
    precision: [double, quad]
    measures: [order, constraint, error, double-as-quad, symmetry]
END

# ---- at rest ----

ends 3 "a study of systems at rest is not decided" run still.yaml -j 2
says "$rest" "and says why" 
says '^0 held, 0 falsified' "nothing is held or falsified"
# At rest: in equilibrium, stable or not, or free and without velocity. Moving: a start that only
# stands still, steady motions in which nothing but q moves, and what time moves.
for spec in 'pendulum(angle=0,rate=0)' 'pendulum(angle=180deg,rate=0)' 'pendulum(gravity=0,angle=1,rate=0)' \
  'mechanism(file="hang.yaml")' 'particles(file="points.yaml")'; do
  shakedown describe "$spec" >out 2>err
  says "$rest" "$spec is at rest"
done
for spec in 'pendulum(angle=0.1,rate=0)' 'pendulum(angle=1e-9,rate=0)' 'random-system(rests=yes,seed=5)' \
  'spherical-pendulum' 'free-rigid-body(rate1=0,rate2=0)' 'driven-pendulum' 'car-axis' 'chain'; do
  shakedown describe "$spec" >out 2>err
  ! grep -q 'at rest and' out && grep -q 'at these parameters' out
  ok_if $? "$spec is not" || diag "$(tail -n 3 out err)"
done
gives 3 "$rest" certify rattle --with system --problem hang.yaml --values --format csv -j 2
! grep 'hang.yaml' out | grep -qE ',(held|falsified)'
ok_if $? "a certificate counts nothing there as held" || diag "$(grep 'hang.yaml' out | grep -E ',(held|falsified)')"
sed 's/integrators: .*/integrators: all/; s/study: .*/study: every/
  s/measures: .*/measures: [order, constraint, error, double-as-quad, symmetry, local-error]/' still.yaml >every.yaml
shakedown run every.yaml -j 2 -q >out 2>err
says '^0 held, 0 falsified' "no method of the catalogue is" || diag "$(grep falsified out | head -n 5)"
sed "s/integrators: .*/integrators: ['bad-rattle(fault=unconstrained)', bad-rattle]/; s/study: .*/study: leaves/
  s/measures: .*/measures: [order, constraint]/" still.yaml >leaves.yaml
ends 1 "a method that leaves the rest is falsified" run leaves.yaml --plugin "$SHAKEDOWN_BAD_RATTLE" -j 2
says 'falsified .*bad-rattle(fault=unconstrained).*the system is at rest, but the method moves it' "because it does"
! grep '^falsified' out | grep -q 'of bad-rattle on'
ok_if $? "and the same without the fault is not" || diag "$(grep '^falsified' out)"

# ---- kicked ----

# start SPEC [OPTION]...: the numbers of the start, q and p, one a line
start() {
  spec=$1
  shift
  shakedown simulate "$spec" rattle --step 0.001 --until 0.001 "$@" 2>err >out || cat err >&2
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
    NR == 2 { for (i = 1; i <= NF; i++) if (name[i] ~ /^[qp]/) print $i }' out
}

rm -f still.db
ends 0 "with a kick the study is decided" run still.yaml --kick 3 -j 2
says '^[1-9][0-9][0-9] held, 0 falsified' "and holds" || diag "$(tail -n 5 out)"
gives 0 '0 run (0 ok' run still.yaml --kick 3
gives 0 'pendulum(angle=0) kick=3' show still.db --cells --format csv
gives 0 'pendulum(angle=0) kick=4' run still.yaml --kick 4 -n --format csv
printf 'kick: 3\n' | cat still.yaml - >key.yaml
gives 0 '0 run (0 ok' run key.yaml -o still.db
ends 0 "a baseline is made of it" baseline key.yaml -o base.txt -j 2
holds "and has the seed" grep -q 'kick=3' base.txt
gives 3 'kick=3' certify rattle --with system --problem points.yaml --kick 3 --values --format csv -j 2
grep 'points.yaml' out | grep -q ',"\?symplectic.*,held'
ok_if $? "a certificate of a kicked system upholds claims" || diag "$(grep points.yaml out)"

start 'particles(file="points.yaml")' --kick 3 >moved
is_text "$(tail -n 4 moved | tr '\n' ' ')" '0.75654267343323389 0 1.6443482751534118 0 ' \
  "a kick is the same to the bit on every machine"
start 'particles(file="points.yaml")' >before
is_text "$(head -n 4 moved)" "$(head -n 4 before)" "positions stay where they are"
holds "velocities are tangent to the rods, and not small" awk '{ x[NR] = $1 }
  END { u = x[5]/2; v = x[6]/2; s = x[7]; t = x[8]; g = x[1]*u + x[2]*v; h = (x[3]-x[1])*(s-u) + (x[4]-x[2])*(t-v)
        exit !(g*g < 1e-28 && h*h < 1e-28 && s*s > 1e-3) }' moved
start 'particles(file="points.yaml")' --kick 3 --precision quad >fine
paste moved fine >both
holds "they are the same in quad" awk '{ d = $1 - $2; if (d*d > 1e-28) bad = 1 } END { exit bad }' both
start 'transformed(pendulum(angle=0,rate=0),reorder=no,turn=no,scale=no,length=1024,mass=0.125,time=16)' --kick 3 >units
start 'pendulum(angle=0,rate=0)' --kick 3 >plain
paste units plain >both
holds "they have the units of the system, to the bit" awk '
  { want = NR <= 2 ? 1024 * $2 : 0.125 * 1024 / 16 * $2; if (sprintf("%.17g", $1) != sprintf("%.17g", want)) bad = 1 }
  END { exit bad || NR != 4 }' both

# ---- what is refused ----

gives 2 'expected one given by --problem or in a plug-in' certify rattle --kick 3
gives 2 'expected one given by --problem or in a plug-in' try rattle --kick 3
gives 2 "--kick: '0' is not a whole number above zero" run still.yaml --kick 0
cat >fast.yaml <<'END'
gravity: [0, 0, -1]
bodies: [{name: a, mass: 1, shape: {box: [0.1, 0.1, 0.1]}, position: [0, 0, 0]}]
joints: [{name: base, type: weld, between: [ground, a], at: [0, 0, 0]}]
END
gives 2 'the constraints leave no freedom' \
  simulate 'mechanism(file="fast.yaml")' rattle --step 0.1 --until 0.1 --kick 1
# problem TEXT: a study of it
problem() {
  printf 'study: one\nruns:\n  - problems: [%s]\n    integrators: [rattle]\n' "$1" >one.yaml
}
problem '{problem: pendulum}'
gives 2 'expected q and p (and project), or kick' run one.yaml -n
problem '{problem: pendulum, q: [0, -1]}'
gives 2 'expected q and p (and project), or kick' run one.yaml -n
problem '{problem: pendulum, kick: 0}'
gives 2 'expected a seed from 1 to 999999999' run one.yaml -n
problem '{problem: pendulum, q: [0, -1], p: [0, 0], kick: 2}'
gives 0 'pendulum q=0,-1 p=0,0 kick=2' run one.yaml -n --format csv
gives 2 '--kick adds the line `kick: 5` to the study, which is not valid there: ' run key.yaml --kick 5 -n
tap_done
