#!/bin/sh
# Alternation of multipliers, spectral radius at infinity, balance of energy and period: known
# orders and values.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
make_study scalings 'problems: [sprung-pendulum], integrators: [rattle, energy-momentum, generalized-alpha],
  steps: {largest: 0.04, halvings: 5}, until: 2.56, precision: quad, measures: [alternation]' \
  'problems: [sprung-pendulum], integrators: [rattle, shake, energy-momentum, generalized-alpha,
  generalized-alpha(rho=0.6), velocity-impulse], steps: [1e-8], precision: quad,
  measures: [spectral-radius]' \
  "problems: [driven-pendulum, 'fekete(points=4,damping=0.5)'], integrators: [rattle, projection],
  steps: {largest: 0.02, halvings: 5}, until: 3, precision: quad, measures: [balance]" \
  "problems: ['pendulum(angle=60deg,rate=0.3)'], integrators: [rattle, energy-momentum, spark(stages=4)],
  steps: {largest: 0.08, halvings: 5}, until: 16, precision: quad, measures: [phase]"
gives 0 '' run scalings.yaml -q -o scalings.db
shakedown show scalings.db --format csv >rows

# value METHOD QUANTITY [PROBLEM]: the value
value() {
  python3 - "$@" <<'P'
import csv, sys
method, quantity, problem = (sys.argv[1:] + [""])[:3]
print(next((r["value"] for r in csv.DictReader(open("rows")) if r["integrator"] == method and
            r["quantity"].split(" (")[0] == quantity and r["problem"].startswith(problem)), "none"))
P
}

# near VALUE EXPECTED TOLERANCE NAME
near() {
  holds "$4: $1" awk "function abs(v) { return v < 0 ? -v : v } BEGIN { exit !(abs($1 - $2) < $3) }"
}
is_text "$(value rattle 'class of alternation') $(value energy-momentum 'class of alternation') \
$(value generalized-alpha 'class of alternation')" "none undamped damped" "the classes of alternation"
near "$(value energy-momentum 'order of alternation')" 1 0.01 "energy-momentum alternates by O(h)"
near "$(value rattle 'order of alternation')" 4 0.1 "a smooth multiplier leaves h⁴"
near "$(value rattle spectral-radius)" 0 1e-9 "RATTLE meets the constraints anew"
near "$(value shake spectral-radius)" 0 1e-9 "SHAKE too, after its second step"
near "$(value energy-momentum spectral-radius)" 1 1e-6 "energy-momentum never damps"
near "$(value generalized-alpha spectral-radius)" 0.8 0.01 "generalized-alpha has the radius 0.8"
near "$(value 'generalized-alpha(rho=0.6)' spectral-radius)" 0.6 0.03 "or that of its option"
near "$(value velocity-impulse spectral-radius)" 0.8 0.001 "velocity-impulse leaves 1 - erp"
for problem in driven-pendulum fekete; do
  near "$(value rattle 'order of energy balance' $problem)" 2 0.05 "rattle: balance of $problem"
  near "$(value projection 'order of energy balance' $problem)" 4 0.1 "projection: balance of $problem"
done
period=$(python3 -c "
import math
# 4 K(k), with k² = sin²(60°/2) + rate²/4, by the arithmetic-geometric mean
a, b = 1.0, math.sqrt(1 - math.sin(math.pi/6)**2 - 0.3**2/4)
while abs(a - b) > 1e-15: a, b = (a + b)/2, math.sqrt(a*b)
print(repr(2*math.pi/a))")
near "$(value 'spark(stages=4)' period)" "$period" 1e-8 "the period is 4 K"
near "$(value rattle 'order of period')" 2 0.05 "rattle: order of the period"
near "$(value energy-momentum 'phase error')" "($(value energy-momentum period) - $period)" 1e-8 \
  "the phase error is the distance from it"
tap_done
