#!/bin/sh
# Balance of energy of damped and driven mechanisms: it has the order of the method, and a lower one where forces or moving
# constraints do the wrong work; the two works are those of closed forms; without both it is the energy error.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cp "$SHAKEDOWN_SOURCE"/studies/mechanisms/*.yaml .
sed 's/, damping: [0-9.]*//' motor-crank.yaml >motor-alone.yaml
sed '/swing/s/, damping: [0-9.]*//' motor-crank.yaml >guide-alone.yaml

# Methods and the order of q and p, which the balance has.
cat >methods <<'M'
rattle 2
variational 2
spark 2
spark(stages=3) 4
projection 4
baumgarte 4
M
# Steps that do the wrong work, and the order that is left.
cat >wrong <<'M'
bad-forces 2
bad-forces(fault=old) 1
bad-forces(fault=velocity) 1
bad-forces(fault=no-second) 0
M
cat >wrong-motion <<'M'
bad-forces 2
bad-forces(fault=late) 1
M
# Methods of multibody codes and of game engines; the latter need shorter steps to be near their order.
cat >multibody <<'M'
generalized-alpha 2
generalized-alpha(form=ggl) 2
generalized-alpha(scheme=hht) 2
energy-momentum 2
M
cat >engines <<'M'
velocity-impulse 1
xpbd(iterations=60) 1
M
damped='damped-four-bar damped-slider-crank driven-double-pendulum motor-crank'

# run_of METHODS MECHANISM...: a run of a study
run_of() {
  methods=$(cut -d' ' -f1 "$1" | paste -sd,)
  shift
  printf "problems: [%s], integrators: [%s], steps: [0.0025, 0.00125], until: 0.32, measures: [balance]" \
    "$(printf "'mechanism(file=\"%s.yaml\")'\n" "$@" | paste -sd,)" "$methods"
}
# shellcheck disable=SC2086 # a list of mechanisms
make_study balances "$(run_of methods $damped motor-alone double-pendulum)" "$(run_of wrong driven-double-pendulum)" \
  "$(run_of multibody $damped)" "$(run_of engines $damped | sed 's/0.0025, 0.00125/0.000625, 0.0003125/')" \
  "$(run_of wrong-motion motor-alone)" "$(run_of methods guide-alone | sed 's/integrators: \[[^]]*\]/integrators: [projection]/')" \
  "problems: ['random-system(seed=3,sways=yes)'], integrators: [rattle], steps: [0.01], until: 0.1, measures: [balance]"
ends 0 "a study of balances" run balances.yaml -q -o balances.db --plugin "$SHAKEDOWN_BAD_FORCES"
shakedown show balances.db --records --format csv >records

# orders METHODS MECHANISM: the orders of the balance between the two steps that are not within 0.1 of those listed
orders() {
  python3 - "$@" <<'P'
import csv, math, sys
listed = [line.split() for line in open(sys.argv[1])]
found = {}
for row in csv.DictReader(open("records")):
    if row["quantity"] == "balance-max" and row["problem"] == 'mechanism(file="%s.yaml")' % sys.argv[2]:
        found.setdefault(row["integrator"], {})[row["step"]] = float(row["value"])
for name, order in listed:
    at = found.get(name, {})
    steps = sorted(at, key=float)
    measured = math.log2(at[steps[1]] / at[steps[0]]) if len(at) == 2 else math.nan
    if not abs(measured - float(order)) < 0.1:
        print("%s: %.3f" % (name, measured))
P
}
for mechanism in $damped motor-alone double-pendulum; do
  is_text "$(orders methods "$mechanism")" "" "$mechanism: the balance has the order of each method"
done
for mechanism in $damped; do
  is_text "$(orders multibody "$mechanism")$(orders engines "$mechanism")" "" "$mechanism: ... of methods of multibody codes and engines, too"
done
is_text "$(orders wrong driven-double-pendulum)" "" "forces at another point, and without a half kick, leave lower orders"
is_text "$(orders wrong-motion motor-alone)" "" "a motor that is met too late leaves a lower order"

# work MECHANISM: the work of the forces, and that of all, by the finest step of projection
work() {
  awk -F, -v mechanism="$1" '$0 ~ "/?" mechanism ".yaml" && /,projection,/ {
      if ($0 ~ /,balance-work,/) all = $NF
      if ($0 ~ /,balance-work-constraints,/) moving = $NF
    } END { printf "%.17g %.17g\n", all - moving, all }' records
}
damper=$(python3 -c "
from math import *
# The slider's velocity by the motor's angle f, and the work of a damper of 4 by Simpson's rule
def power(t):
    f, rate = 0.4 + 5*t + 0.3*sin(4*t), 5 + 1.2*cos(4*t)
    y = 0.15*sin(f)
    return -4*(rate*(-y - y*0.15*cos(f)/sqrt(0.16 - y*y)))**2
n, h = 2000, 0.32/2000
print(repr(h/3*sum(power(h*i)*(1 if i in (0, n) else 4 if i % 2 else 2) for i in range(n + 1))))")
work guide-alone >found
holds "the work of a damper on a given motion: $(cat found), $damper" \
  awk -v damper="$damper" '{ d = $1/damper - 1 } END { exit !(d*d < 1e-18) }' found
work motor-alone >found
holds "without dampers all work is the motor's: $(cat found)" awk '{ ok = $1 == 0 && $2 * $2 > 0.01 } END { exit !ok }' found

# value PROBLEM QUANTITY: of the finest step of RATTLE
value() {
  awk -F, -v problem="$1" -v quantity=",$2," 'index($0, problem) && /,rattle,/ && index($0, quantity) { x = $NF } END { print x }' records
}
is_text "$(value '""double-pendulum' balance-max) $(value '""double-pendulum' balance-work)" \
  "$(value '""double-pendulum' energy-error-max) 0.0000000000000000" "without forces and moving constraints it is the energy error"
is_text "$(value sways=yes balance-max)" "" "there is none if H depends on the time"
holds "... of which there is a record" [ -n "$(value sways=yes energy-start)" ]
tap_done
