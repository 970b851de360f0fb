#!/bin/sh
# Damped and driven mechanisms: joint coordinates at a time that is nothing special, by RATTLE in quad, extrapolated from three
# steps, agree with those by IDA; where a motor gives the crank's angle, the slider is where the closed form has it.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
if without sundials; then
  skip_without sundials "this build is without IDA"
  tap_done
fi
cp "$SHAKEDOWN_SOURCE"/studies/mechanisms/*.yaml .
sed 's/damping: 0.6/damping: 0.606/' driven-double-pendulum.yaml >more-damped.yaml
time=0.3719

# last MECHANISM METHOD STEP ARGUMENT...: the state at that time
last() {
  problem="mechanism(file=\"$1.yaml\")"
  method=$2
  step=$3
  shift 3
  shakedown simulate "$problem" "$method" --step "$step" --until "$time" --every 100000 "$@" | tail -n 1
}
for mechanism in damped-four-bar damped-slider-crank driven-double-pendulum motor-crank; do
  last "$mechanism" ida "$time" --tolerance 1e-12 >"$mechanism.ida"
  for step in 0.007438 0.003719 0.0018595; do
    last "$mechanism" rattle "$step" --precision quad
  done >"$mechanism.rattle"
done
last more-damped ida "$time" --tolerance 1e-12 >more-damped.ida

# joints MECHANISM [OTHER]: for each joint its coordinate by RATTLE, and the distance from IDA's of the mechanism or another
joints() {
  python3 - "$@" <<'P'
import math, sys


def turn(a, b):
    """The angle from a to b, vectors in the plane."""
    return math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])


def hinge(axis, across, arm):
    side = [axis[i - 2] * across[i - 1] - axis[i - 1] * across[i - 2] for i in range(3)]
    return math.atan2(sum(map(float.__mul__, side, arm)), sum(map(float.__mul__, across, arm)))


def elbow(q):
    axis = [0.5 * q[6 + i] + 0.8660254037844386 * q[9 + i] for i in range(3)]  # of d_2 and d_3 of the upper bar
    return hinge(axis, q[3:6], q[15:18])


ground = (1, 0)
coordinates = {  # from q: a body in the plane is r and d_1
    "damped-four-bar": (("A", lambda q: turn(ground, q[2:4])), ("B", lambda q: turn(q[2:4], q[6:8])),
                        ("C", lambda q: turn(q[6:8], q[10:12])), ("D", lambda q: turn(ground, q[10:12]))),
    "damped-slider-crank": (("motor", lambda q: turn(ground, q[2:4])), ("pin", lambda q: turn(q[2:4], q[6:8])),
                            ("guide", lambda q: q[8])),
    "driven-double-pendulum": (("shoulder", lambda q: hinge([1.0, 0.0, 0.0], [0.0, 0.0, -1.0], q[3:6])), ("elbow", elbow)),
    "motor-crank": (("motor", lambda q: turn(ground, q[2:4])), ("pin", lambda q: turn(q[2:4], q[6:8])),
                    ("guide", lambda q: q[8]), ("swing", lambda q: turn(q[10:12], q[14:16]))),
}


def states(name):
    return [[float(x) for x in line.split(",")[1:]] for line in open(name)]


mechanism, other = sys.argv[1], sys.argv[-1]
(ida,), (coarse, middle, fine) = states(other + ".ida"), states(mechanism + ".rattle")
for name, coordinate in coordinates[mechanism]:
    x, y, z = coordinate(coarse), coordinate(middle), coordinate(fine)
    first, second = y + (y - x) / 3, z + (z - y) / 3
    limit = second + (second - first) / 15
    print(name, repr(limit), abs(limit - coordinate(ida)), abs(limit - z))
P
}
for mechanism in damped-four-bar damped-slider-crank driven-double-pendulum motor-crank; do
  joints "$mechanism" >found
  holds "$mechanism: RATTLE and IDA agree on its joints: $(tr '\n' ';' <found)" \
    awk '!($3 < 1e-9) { bad = 1 } END { exit bad || NR < 2 }' found
done
holds "the slider of the motor's crank is where its angle has it" awk '
  BEGIN { t = '"$time"'; f = 0.4 + 5 * t + 0.3 * sin(4 * t); y = 0.15 * sin(f); x = 0.15 * cos(f) + sqrt(0.16 - y * y) }
  $1 == "guide" { d = $2 - x; found = d * d < 1e-26 } END { exit !found }' found
joints driven-double-pendulum more-damped >found
holds "a damper one percent stronger shows: $(tr '\n' ';' <found)" awk '!($3 > 1e-5) { bad = 1 } END { exit bad || NR < 2 }' found
tap_done
