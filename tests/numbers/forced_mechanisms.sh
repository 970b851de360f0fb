#!/bin/sh
# Damped and driven mechanisms: methods that take forces without a potential have the orders of theory on
# them, from both sides, and IDA has the same motion; so have they on a crank whose motion is given. The energy
# of energy-momentum changes by the work of forces and motors, and claims that forces make meaningless are not
# decided.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cat >double-pendulum.yaml <<'END'
# A damper at each joint.
dimension: 2
gravity: [0, -9.81]
bodies:
  - {name: upper, mass: 1, moments: 0.09, centre: [0.5, 0], frames: [{name: end, position: [1, 0]}]}
  - {name: lower, mass: 0.6, moments: 0.03, centre: [0.4, 0]}
joints:
  - {name: A, type: revolute, between: [ground, upper], start: -50deg, rate: 0.6, damping: 0.8}
  - {name: B, type: revolute, between: [upper.end, lower], start: 40deg, rate: -0.9, damping: 0.3}
END
cat >four-bar.yaml <<'END'
# A damper at the feet of crank and rocker.
dimension: 2
gravity: [0, -9.81]
frames:
  - {name: foot, position: [2, 0]}
bodies:
  - {name: crank, mass: 1, moments: 0.04, centre: [0.3, 0], frames: [{name: end, position: [0.7, 0]}]}
  - {name: coupler, mass: 1.5, moments: 0.4, centre: [0.9, 0], frames: [{name: end, position: [1.8, 0]}]}
  - {name: rocker, mass: 1.2, moments: 0.2, centre: [0.6, 0], frames: [{name: end, position: [1.4, 0]}]}
joints:
  - {name: A, type: revolute, between: [ground, crank], start: 70deg, rate: 1.5, damping: 0.5}
  - {name: B, type: revolute, between: [crank.end, coupler], start: -50deg}
  - {name: D, type: revolute, between: [ground.foot, rocker], start: 105deg, damping: 0.7}
  - {name: C, type: revolute, between: [coupler.end, rocker.end]}
END
cat >slider-crank.yaml <<'END'
# A damper at the slide, and one at the wrist.
dimension: 2
gravity: [0, -9.81]
bodies:
  - {name: crank, mass: 1, moments: 0.03, centre: [0.2, 0], frames: [{name: end, position: [0.4, 0]}]}
  - {name: rod, mass: 0.8, moments: 0.07, centre: [0.5, 0], frames: [{name: end, position: [1, 0]}]}
  - {name: block, mass: 0.5, moments: 1}
joints:
  - {name: bearing, type: revolute, between: [ground, crank], start: 60deg, rate: 2}
  - {name: pin, type: revolute, between: [crank.end, rod], start: -80deg}
  - {name: wrist, type: revolute, between: [rod.end, block], start: 20deg, damping: 0.2}
  - {name: guide, type: prismatic, between: [ground, block], damping: 1.5}
END
cat >motor-crank.yaml <<'END'
# A motor, whose torque falls with its speed, turns a crank from which a rod hangs.
dimension: 2
gravity: [0, -9.81]
bodies:
  - {name: crank, mass: 1, moments: 0.03, centre: [0.1, 0], frames: [{name: end, position: [0.4, 0]}]}
  - {name: rod, mass: 0.5, moments: 0.03, centre: [0.4, 0]}
joints:
  - {name: motor, type: revolute, between: [ground, crank], start: 20deg, rate: 1, load: 6, damping: 0.9}
  - {name: hinge, type: revolute, between: [crank.end, rod], start: -90deg, rate: -0.5, damping: 0.05}
END
cp "$SHAKEDOWN_SOURCE/studies/mechanisms/motor-crank.yaml" given-crank.yaml
problems=
for name in double-pendulum four-bar slider-crank motor-crank given-crank; do
  problems="$problems${problems:+, }'mechanism(file=\"$name.yaml\")'"
done
make_study forced "problems: [$problems],
  integrators: [generalized-alpha, generalized-alpha(form=ggl), generalized-alpha(scheme=hht), energy-momentum,
  velocity-impulse, 'xpbd(iterations=60)', variational, spark],
  until: 0.48, times: [0.12, 0.24, 0.36, 0.48], steps: {largest: 0.01, halvings: 4}, measures: [order, constraint]" \
  "problems: [$problems], integrators: [ida], until: 0.48, times: [0.12, 0.24, 0.36, 0.48],
  tolerances: [1e-10], measures: [error]"
ends 0 "damped and driven mechanisms: no claim is falsified" run forced.yaml -q -o forced.db
ends 0 "... and what they show" show forced.db --format csv
shakedown show forced.db --records --format csv >records
python3 - >said <<'P'
import csv
import math

# Theory: of q, p, the multiplier of the state, that of the step, and the mean of two steps.
orders = {
    "generalized-alpha": (2, 2, 2, 2, 2),
    "generalized-alpha(form=ggl)": (2, 2, 2, 2, 2),
    "generalized-alpha(scheme=hht)": (2, 2, 2, 2, 2),
    "energy-momentum": (2, 2, 2, 1, 2),
    "velocity-impulse": (1, 1, 1, 1, None),
    "xpbd(iterations=60)": (1, 1, 1, 1, None),
    "variational": (2, 2, 2, 1, 2),
    "spark": (2, 2, 2, 1, 2),
}
blocks = ("q", "p", "lambda-state", "lambda", "lambda-mean")
rows = {(r["problem"], r["integrator"], r["quantity"]): r for r in csv.DictReader(open("out"))}


def value(*key):
    return float(rows[key]["value"] or "nan") if key in rows else float("nan")


mechanisms = sorted({problem for problem, method, _ in rows if method == "ida"})
print("ok" if len(mechanisms) == 5 else "not ok", "five mechanisms")
for mechanism in mechanisms:
    for method, expected in orders.items():
        found = [value(mechanism, method, f"order of {block}") for block in blocks]
        right = all(e is None or abs(x - e) <= 0.1 for e, x in zip(expected, found))
        shown = " ".join(f"{x:.3f}" for x in found)
        print("ok" if right else "not ok", f"{mechanism} {method}: {shown}")
    off = max(value(mechanism, "ida", f"error of {block}") for block in ("q", "p", "lambda-state"))
    print("ok" if off < 1e-7 else "not ok", f"{mechanism}: IDA is off by {off:.1e}")

# Where the motion of the crank is given, |g| is O(h^2) and the hidden constraint O(h), by the two shortest steps.
largest = {}
for r in csv.DictReader(open("records")):
    if r["quantity"] in ("constraint-max", "hidden-max") and "given-crank" in r["problem"] and r["step"]:
        largest.setdefault((r["integrator"], r["quantity"]), {})[float(r["step"])] = float(r["value"])
for method in ("velocity-impulse", "xpbd(iterations=60)"):
    for quantity, order in (("constraint-max", 2), ("hidden-max", 1)):
        at = largest.get((method, quantity), {})
        fine, coarse = sorted(at)[:2] if len(at) > 1 else (1, 1)
        found = math.log2(at[coarse] / at[fine]) if coarse > fine else math.nan
        print("ok" if abs(found - order) <= 0.1 else "not ok", f"given-crank {method}: {quantity} {found:.3f}")
P
while read -r verdict name; do
  case $verdict in
  ok) ok_if 0 "$name" ;;
  *) ok_if 1 "${name#ok }" ;;
  esac
done <said
is_text "$(wc -l <said)" 50 "five mechanisms, eight methods and IDA, and two drifts"

cat >steps.py <<'P'
import csv

rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open("out"))]


def rate(a, b, x, y):
    """The rate of the angle of the direction (x,y) from a to b, by the middle of both."""
    mx, my = (a[x] + b[x]) / 2, (a[y] + b[y]) / 2
    return (mx * (b[y] - a[y]) - my * (b[x] - a[x])) / (mx * mx + my * my) / (b["t"] - a["t"])
P

# The energy changes by the work of motor and damper at the middle of the step, to round-off.
motor='mechanism(file="motor-crank.yaml")'
ends 0 "steps of energy-momentum" simulate "$motor" energy-momentum --step 0.01 --until 0.48
PYTHONPATH=. python3 - >said <<'P'
from steps import rate, rows

worst = 0
for a, b in zip(rows, rows[1:]):
    crank, rod = rate(a, b, "q3", "q4"), rate(a, b, "q7", "q8")
    work = ((6 - 0.9 * crank) * crank - 0.05 * (rod - crank) ** 2) * (b["t"] - a["t"])
    worst = max(worst, abs(b["energy"] - a["energy"] - work))
gain = rows[-1]["energy"] - rows[0]["energy"]
print("holds" if len(rows) == 49 and gain > 1 and worst < 2e-13 else "fails", f"{gain:.3g} gained, off by {worst:.1e}")
P
is_text "$(cut -d' ' -f1 said)" holds "the work of energy-momentum: $(cat said)"

# ... and by the work -lambda G d of the motor whose motion is given, g = sin(angle - f(t)), with G at the middle.
ends 0 "steps with a given motion" simulate 'mechanism(file="given-crank.yaml")' energy-momentum --step 0.01 --until 0.48
PYTHONPATH=. python3 - >said <<'P'
import math

from steps import rate, rows

worst, given = 0, 0
for a, b in zip(rows, rows[1:]):
    h, t = b["t"] - a["t"], (a["t"] + b["t"]) / 2
    f = 0.4 + 5 * t + 0.3 * math.sin(4 * t)
    moved = math.cos(f) * (b["q4"] - a["q4"]) - math.sin(f) * (b["q3"] - a["q3"])
    slide, swing = (b["q9"] - a["q9"]) / h, rate(a, b, "q15", "q16") - rate(a, b, "q11", "q12")
    work = -b["lambda7"] * moved - h * (4 * slide**2 + 0.02 * swing**2)
    given += abs(b["lambda7"] * moved)
    worst = max(worst, abs(b["energy"] - a["energy"] - work))
print("holds" if len(rows) == 49 and given > 1 and worst < 2e-13 else "fails", f"{given:.3g} moved, off by {worst:.1e}")
P
is_text "$(cut -d' ' -f1 said)" holds "the work of a given motion by energy-momentum: $(cat said)"

# What these forces make meaningless is undecided, and says so; symmetry is left.
make_study withdrawn "problems: ['$motor'], integrators: [energy-momentum, variational], until: 0.48,
  steps: [0.02, 0.01], measures: [energy, symmetry, symplecticity]"
ends 3 "claims that forces make meaningless" run withdrawn.yaml -q -o withdrawn.db
ends 3 "... and what is said of them" show withdrawn.db --format csv
# judged VERDICT QUANTITY: how many findings have it
judged() {
  awk -v quantity=",double,$2," -v verdict=",$1," 'index($0, quantity) && index($0, verdict) { count++ }
    END { print count + 0 }' out
}
is_text "$(judged undecided 'energy class') $(judged undecided 'energy kept') $(judged undecided symplecticity)" \
  "2 1 2" "energy and symplecticity of forced motion are undecided"
is_text "$(grep -c 'does not conserve energy$' out) $(grep -c 'flow is not symplectic$' out)" "3 2" "... with the reason"
is_text "$(judged held symmetry)" 2 "both methods are symmetric"
tap_done
