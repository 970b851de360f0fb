#!/bin/sh
# python3 -m shakedown.mjcf: a model of MuJoCo moves as the same bodies written by hand, with
# shapes, welds and poses of their own; elements without effect on the motion are listed; all others
# are refused with name and line.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
python_with numpy
model=$SHAKEDOWN_SOURCE/tests/data/two-links.xml
export PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1
sed '/<equality>/d' "$model" >two.xml
"$python" -m shakedown.mjcf two.xml -o two.yaml 2>said
ok_if $? "a model is converted"
is_text "$(cut -d' ' -f2- said | sort | tr '\n' ';')" "ignored: <actuator>;ignored: <light>;" "with what is ignored"
cat >hand.yaml <<'END'
gravity: [0, 0, -9.81]
bodies:
  - {name: upper, density: 800, shape: {capsule: [0.04, 0.5]}, position: [0.25, 0, 1], orientation: {axis: [0, 1, 0], angle: 90deg}}
  - {name: lower, mass: 0.7, shape: {box: [0.4, 0.06, 0.1]}, position: [0.67320508075688772, 0, 0.9], orientation: {axis: [0, 1, 0], angle: 30deg}}
  - {name: tip, density: 800, shape: {sphere: 0.05}, position: [0.84641016151377546, 0, 0.8]}
  - {name: bob, mass: 1, shape: {ellipsoid: [0.1, 0.2, 0.3]}, centre: [0, 0, -0.5], position: [1, 1, 1]}
joints:
  - {name: shoulder, type: revolute, between: [ground, upper], at: [0, 0, 1], axis: [0, 1, 0], stiffness: 3, rest: 20deg}
  - {name: elbow, type: revolute, between: [upper, lower], at: [0.5, 0, 1], axis: [0.4, 0.6, 0.69282032302755092]}
  - {name: tip, type: weld, between: [lower, tip], at: [0.84641016151377546, 0, 0.8]}
  - {name: bob, type: spherical, between: [ground, bob], at: [1, 1, 1]}
END
# Position of the first body, and the energy.
at_end() {
  "$SHAKEDOWN" simulate "mechanism(file=\"$1\")" rattle --step 0.002 --until 0.4 --every 1000 |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") e = i } { row = $0 }
      END { split(row, x, ","); for (i = 2; i <= 4; i++) print x[i]; print x[e] }'
}
at_end two.yaml >ours
at_end hand.yaml >theirs
difference=$(paste ours theirs | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d } END { print most + 0 }')
holds "it moves as the bodies written by hand: $difference" awk -v d="$difference" 'BEGIN { exit !(d < 1e-11) }'
"$python" -m shakedown.mjcf "$model" -o loop.yaml 2>said
"$SHAKEDOWN" diagnose 'mechanism(file="loop.yaml")' --precision double --trial-seconds 1 | grep -q '3 of them implied by'
ok_if $? "a connect on a ball's own point is redundant"
holds "... and exact here" grep -q 'ignored: softness of <equality>' said

# refused MODEL: after each change, CHANGE|LINE: MESSAGE
refused() {
  while IFS='|' read -r change said; do
    sed "$change" "$1" >wrong.xml
    is_text "$("$python" -m shakedown.mjcf wrong.xml -o wrong.yaml 2>&1)" "python3 -m shakedown.mjcf: wrong.xml:$said" "refused: $said"
  done
}
refused "$model" <<'END'
s/axis="0 0.6 0.8"/& armature="0.1"/|15: armature of <joint> is not supported
s/type="sphere" size="0.05"/type="mesh" mesh="a"/|17: a geom of type mesh is not supported: its body needs an <inertial>
s/<motor joint/<position joint/|26: <position> is not supported; a <motor> without control is none
s/<equality>.*/<tendon><\/tendon>/|25: <tendon> is not supported
s/<connect/<tendon/|25: <tendon> of <equality> is not supported
s/body2="world"/body2="wall"/|25: found the body "wall", which the model does not have
s/pos="0.5 0 0"/pos="0.5 0"/|14: found "0.5 0" in <body>, expected 3 numbers
s/childclass="arm"/childclass="leg"/|12: the class "leg" has no defaults
s/<body name="tip"/<body mocap="true" name="tip"/|17: mocap of <body> is not supported
s/<\/mujoco>//|28: not XML: no element found
END
# Relations of joints that are no gears of whole numbers.
refused "$SHAKEDOWN_SOURCE/tests/data/mjcf/couplings.xml" <<'END'
s/0.66666666666666667/1.06/|39: found the ratio 1.06 of two joints, expected one of whole numbers from 1 to 9
s/0.66666666666666667/10/|39: found the ratio 10 of two joints, expected one of whole numbers from 1 to 9
s/0 -2 0/0 -2 1/|40: polycoef of <joint> is supported as 0 a1: of degree one, and met by the model's own pose
s/0 -2 0/0.1 -2 0/|40: polycoef of <joint> is supported as 0 a1: of degree one, and met by the model's own pose
s/joint1="latch"/& joint2="bolt"/|41: the joints "latch" and "bolt" are not of one type on one carrier
s/joint1="latch"/joint1="lock"/|41: found the joint "lock", expected a revolute or prismatic one alone in its body
s/joint1="latch"/joint1="elbow" joint2="drive"/|41: the joints "elbow" and "drive" are not of one type on one carrier
s/joint1="latch"/joint1="shoulder" joint2="drive"/|41: the joint "shoulder" is in a gear that does not agree with this one
END
said=$("$SHAKEDOWN" diagnose 'particles(file="two.xml")' 2>&1)
is_text "$said" 'shakedown: particles(file="two.xml"): two.xml: found XML of MuJoCo, expected YAML: python3 -m shakedown.mjcf converts it for mechanism(file=…)' \
  "a reader of YAML says what can be had"
tap_done
