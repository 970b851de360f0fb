#!/bin/sh
# stiff-valley: stiff walls tend to the effective potential, like 1/k, and not to the motion along
# the bottom; through a crossing of frequencies they have no limit. A double pendulum of springs
# tends to that of rods.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

# x OPTIONS STEP: x at t = 3
x() {
  shakedown simulate "stiff-valley($1)" 'composition(scheme=kahan-li8)' --step "$2" --until 3 \
    --every 30000 2>err | tail -n 1 | cut -d, -f2
}

# is NAME CONDITION: of awk
is() {
  holds "$1: $2" awk "function abs(v) { return v < 0 ? -v : v } BEGIN { exit !($2) }"
}

limit=$(x form=effective 0.01)
rigid=$(x form=rigid 0.01)
other=$(x form=effective,normal=0.69 0.01)
soft=$(x form=stiff,stiffness=1e4 0.0005)
stiff=$(x form=stiff,stiffness=1e6 0.0001)
is "along the bottom it moves uniformly" "abs($rigid - 1.8) < 1e-14"
# The theory's error is O(1/k) in x, with a constant of order one: here below 0.1.
is "k = 1e4 is within 1/k of the effective potential" "abs($soft - $limit) < 1e-5"
is "k = 1e6 too" "abs($stiff - $limit) < 1e-7"
is "with other actions, it is not" "abs($stiff - $other) > 1e-3"
is "nor along the bottom" "abs($stiff - $rigid) > 0.5"

path=walls=crossing,position=-1,momentum=1,normal=1.5
missed=$(x "$path,offset=0.5" 0.01)
near=$(x "$path,offset=0.5,form=stiff,stiffness=1e6" 0.0001)
is "past the crossing there is a limit" "abs($near - $missed) < 1e-5"
through=$(x "$path" 0.01)
one=$(x "$path,form=stiff,stiffness=1e5" 0.0003)
two=$(x "$path,form=stiff,stiffness=1e6" 0.0001)
is "through it, not that one" "abs($two - $through) > 0.1"
is "nor any: a tenfold stiffness makes a thousand times 1/k" "abs($two - $one) > 5e-3"
gives 2 'must be less than 4 with walls=crossing' simulate 'stiff-valley(walls=crossing,position=4)' rattle --step 0.01 --until 1

# arm LINKS STEP: x of the outer bob at t = 2
arm() {
  shakedown simulate "double-pendulum(links=$1)" 'composition(scheme=kahan-li8)' --step "$2" --until 2 \
    --every 100000 2>err | tail -n 1 | cut -d, -f4
}
rods=$(arm rods 0.001)
hard=$(arm 'springs(stiffness=1e6)' 0.0001)
softer=$(arm 'springs(stiffness=1e4)' 0.001)
is "springs tend to rods" "abs($hard - $rods) < 1e-4"
is "like 1/k" "abs($softer - $rods) > 20*abs($hard - $rods) && abs($softer - $rods) < 1e-2"
tap_done
