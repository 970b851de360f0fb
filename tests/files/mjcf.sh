#!/bin/sh
# python3 -m shakedown.mjcf: a model of MuJoCo moves as the same bodies written by hand, with shapes, welds and poses of
# their own, and agrees with MuJoCo's functions; everything without counterpart is reported at once, with its name and
# the option that leaves it out; loops start where they close.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
python_with numpy mujoco
data=$SHAKEDOWN_SOURCE/tests/data
export SHAKEDOWN PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1
# convert ARGUMENT...: into `out` and `err`
convert() {
  "$python" -m shakedown.mjcf "$@" >out 2>err
}
# says PATTERN NAME
says() {
  grep -q -e "$1" err
  ok_if $? "$2" || diag "$(cat err)"
}
sed '/<equality>/d' "$data/two-links.xml" >two.xml
convert two.xml --without contacts -o two.yaml --verify
ok_if $? "a model is converted, and agrees with MuJoCo" || diag "$(cat err)"
is_text "$(grep -c 'mass matrix [0-9.]*e-1[4-8], bias [0-9.]*e-1[4-8], accelerations [0-9.]*e-1[2-8]' err)" 4 \
  "... at the start and in three states to round-off" || diag "$(cat err)"
says 'left out: geoms that can collide: geom 0, geom 1' "with what is left out"
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
# Point of the elbow on the first body, and the energy.
at_end() {
  "$SHAKEDOWN" simulate "mechanism(file=\"$1\")" rattle --step 0.002 --until 0.4 --every 1000 |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") e = i } { row = $0 }
      END { split(row, x, ","); for (i = 2; i <= 4; i++) print x[i]; print x[e] }'
}
at_end two.yaml >ours
at_end hand.yaml >theirs
difference=$(paste ours theirs | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d } END { print most + 0 }')
holds "it moves as the bodies written by hand: $difference" awk -v d="$difference" 'BEGIN { exit !(d < 1e-11) }'
convert "$data/two-links.xml" --without contacts -o loop.yaml
"$SHAKEDOWN" diagnose 'mechanism(file="loop.yaml")' --precision double --trial-seconds 1 | grep -q '3 of them implied by'
ok_if $? "a connect on a ball's own point is redundant"

# The comparison notices a wrong spring, damper, axis and mass.
sed 's/name="motor1_rot"/damping="0.5" &/' "$data/mjcf/swimmer.xml" >swim.xml
for change in 's/"stiffness": m.jnt/"stiffness": 1.000001 * m.jnt/' 's/"damping": m.dof/"damping": 1.000001 * m.dof/' \
  's/axis=d.xaxis\[first\].copy()/axis=d.xaxis[first] + [1e-6, 0, 0]/' 's/mass = sum(/mass = 1.000001 * sum(/'; do
  rm -rf broken && cp -r "$SHAKEDOWN_SOURCE/python" broken
  sed "$change" "$SHAKEDOWN_SOURCE/python/shakedown/mjcf.py" >broken/shakedown/mjcf.py
  PYTHONPATH=broken "$python" -m shakedown.mjcf swim.xml --without contacts,limits --verify -o broken.yaml >out 2>err
  says "differs from the MuJoCo model" "--verify notices $change"
done

# ---- what has no counterpart ----

cat >all.xml <<'END'
<mujoco>
  <option density="1.2"/>
  <worldbody>
    <body name="upper.arm"><joint name="shoulder" axis="0 1 0" armature="0.1" frictionloss="0.2" range="-10 10" limited="true"/>
      <geom name="rod" type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
      <body name="upper-arm" pos=".4 0 0" gravcomp="0.5"><joint name="elbow" type="ball" damping="0.3"/><geom size=".1" pos="0 0 .3"/>
        <body pos=".2 0 0"><joint name="skew" axis="0 1 0" armature="0.3"/><joint name="other" axis="0 1 1"/><geom size=".02"/></body></body></body>
    <geom name="floor" type="plane" size="1 1 1"/>
  </worldbody>
  <tendon><fixed name="cord" stiffness="2"><joint joint="shoulder" coef="1"/></fixed></tendon>
  <actuator><position name="servo" joint="shoulder" kp="3"/><motor name="idle" joint="shoulder"/></actuator>
</mujoco>
END
convert all.xml -o wrong.yaml
is_text "$?" 1 "a model with parts that a mechanism does not have is refused"
holds "... and not written" [ ! -e wrong.yaml ]
is_text "$(sed 1d err)" "  actuators: servo (--without actuators leaves this out)
  tendons: cord (--without tendons leaves this out)
  armature of joints: skew (--without armature leaves this out)
  dry friction of joints: shoulder (--without friction leaves this out)
  limits of joints: shoulder (--without limits leaves this out)
  geoms that can collide: floor, rod, geom 2, geom 3 (--without contacts leaves this out)
  forces of the medium: density 1.2, viscosity 0 (--without fluid leaves this out)
  compensation of gravity of bodies: upper-arm (--without gravcomp leaves this out)
  dampers of free and ball joints, and nonlinear dampers: elbow (--without dampers leaves this out)
  joints of one body that are not displacements along, and then rotations about, orthogonal axes through one point: skew, other (this cannot be left out)" \
  "... with all of these in one run"
sed 's/<joint name="other" axis="0 1 1".>//' all.xml >most.xml
convert most.xml --without actuators,tendons,armature,friction,limits,contacts,fluid,gravcomp,dampers --verify -o most.yaml
ok_if $? "... and converted without them, as MuJoCo has it without them" || diag "$(cat err)"
is_text "$(sed -n 's/.*name: "\([^"]*\)", mass.*/\1/p' most.yaml | tr '\n' ' ')" "upper-arm upper-arm-2 body 3 " "names are unique"
cat >rotors.xml <<'END'
<mujoco><worldbody>
  <body name="cart"><joint name="rail" type="slide" axis="0.6 0.8 0" armature="0.7"/><geom size=".1"/>
    <body name="pole"><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .1 0 .4"/></body></body>
  <body name="wheel" pos="0 2 0"><joint name="bearing" axis="1 0 0.3" armature="0.4"/><geom type="box" size=".02 .3 .1" pos=".1 .2 0"/></body>
  <body name="lift" pos="0 4 0"><joint name="shaft" type="slide" axis="0 0 1" armature="0"/><geom size=".1"/></body>
</worldbody></mujoco>
END
convert rotors.xml --without contacts --verify --kick 1 -o rotors.yaml
ok_if $? "armature of a bearing or a level rail on the ground is a part of its body" || diag "$(cat err)"
sed 's/armature="0"/armature="0.2"/; s/<joint axis/<joint name="hinge" armature="0.1" axis/' rotors.xml >geared.xml
convert geared.xml --without contacts
says 'armature of joints: hinge, shaft (--without armature' "other armature is not"
convert most.xml --without actuator
says 'found "actuator", expected some of actuators,tendons,armature' "an option with another word"

# ---- faults of files are MuJoCo's, with lines; meshes may be missing where masses are given ----

sed 's/<joint name="elbow" type="ball"/<joint name="elbow" type="bell"/' all.xml >wrong.xml
convert wrong.xml
says "wrong.xml: XML Error: .*bell.*line 6" "a wrong word, with its line"
convert none.xml
says "none.xml: .*none.xml" "a missing file"
cat >robot.urdf <<'END'
<robot name="arm"><link name="base"/>
<link name="tip"><inertial><mass value="2"/><origin xyz="0 0 0.5"/><inertia ixx="1" iyy="1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><mesh filename="package://none/none.stl"/></geometry></collision></link>
<joint name="hip" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 1 0"/></joint></robot>
END
convert robot.urdf --verify -o robot.yaml
ok_if $? "a robot in URDF without its meshes" || diag "$(cat err)"
says 'none.stl.*left out' "... which is said"
sed 's|^</robot>||; s|<joint name="hip".*||' robot.urdf >mimic.urdf
cat >>mimic.urdf <<'END'
<link name="other"><inertial><mass value="2"/><origin xyz="0 0.1 0.5"/><inertia ixx="1" iyy="1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hip" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 1 0"/></joint>
<joint name="follower" type="continuous"><parent link="base"/><child link="other"/><axis xyz="0 1 0"/><mimic joint="hip" multiplier="-2"/></joint></robot>
END
convert mimic.urdf --verify -o mimic.yaml
ok_if $? "a joint that mimics another in URDF" || diag "$(cat err)"
holds "... is a gear" grep -q 'type: "gear", .*ratio: \[1.0, 2.0\]' mimic.yaml
sed 's/<inertial>.*<.inertial>//' robot.urdf >hollow.urdf
convert hollow.urdf
says 'is missing, and the body "tip" has no inertial element' "a mesh that gives the mass must be there"

# ---- start ----

cat >open.xml <<'END'
<mujoco><worldbody>
  <body name="a" pos="0 0 1"><joint axis="0 1 0"/><geom type="box" size=".2 .05 .05" pos=".2 0 0"/></body>
  <body name="b" pos="0.5 0.3 1" euler="0 0 40"><freejoint/><geom type="box" size=".2 .05 .05" pos=".2 0 0"/></body>
</worldbody><equality><weld body1="a" body2="b" relpose="0.1 0.2 0.3 0.7071067811865476 0 0 0.7071067811865476"/></equality></mujoco>
END
convert open.xml --verify --kick 3 -o open.yaml
ok_if $? "a weld is closed at the start as MuJoCo has it" || diag "$(cat err)"
is_text "$("$python" -c 'import mujoco, numpy as np
from shakedown import mjcf
M = mjcf.Model("open.xml", set()); d = M.d; R = d.xmat.reshape(-1, 3, 3)
d.qvel[:] = 0; mujoco.mj_forward(M.m, d)
x = R[1].T @ (d.xpos[2] - d.xpos[1])
print(np.abs(x - [0.1, 0.2, 0.3]).max() < 1e-12, np.abs(R[1].T @ R[2] - [[0, -1, 0], [1, 0, 0], [0, 0, 1]]).max() < 1e-12)' 2>&1)" \
  "True True" "... by its relpose"
"$SHAKEDOWN" simulate 'mechanism(file="open.yaml")' 'rattle(linear=svd)' --step 0.01 --until 0.01 --every 1 >out 2>err
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^p/) n[i] = 1 } NR == 2 { for (i in n) sum += $i * $i } END { exit !(sum > 0.01) }' out
ok_if $? "--kick makes it move" || diag "$(cat out err)"
convert open.xml --kick 3
cmp -s out open.yaml
ok_if $? "... the same with one seed"
sed 's/<freejoint.>//' open.xml >shut.xml
convert shut.xml
says 'the equality constraints cannot be met: ' "a loop that cannot be closed"
said=$("$SHAKEDOWN" diagnose 'particles(file="two.xml")' 2>&1)
is_text "$said" 'shakedown: particles(file="two.xml"): two.xml: found XML of MuJoCo, expected YAML: use python3 -m shakedown.mjcf to convert it for mechanism(file=…)' \
  "a reader of YAML says what can be had"
# The answers about robots name their joints: rows, diagnosis and series.
# legs.urdf floats, has fixed joints, a mimic, and blanks and dots in names.
for robot in acrobot.xml ur5e.xml five-bar.xml legs.urdf; do
  convert "$data/mjcf/$robot" --without limits,contacts,armature,actuators,friction,dampers -o robot.yaml
  sed -n 's/.*{name: "\([^"]*\)", type: "revolute".*/\1.angle\n\1.rate\n\1.torque_3/p' robot.yaml | sort >names
  holds "$robot has hinges" [ -s names ]
  rm -f motion.db
  make_study motion "problems: ['mechanism(file=\"robot.yaml\")'], integrators: ['rattle(linear=svd)'],
    precision: [double], steps: {largest: 0.001, halvings: 0}, until: 0.01, measures: [energy]"
  "$SHAKEDOWN" simulate 'mechanism(file="robot.yaml")' 'rattle(linear=svd)' --step 0.001 --until 0.01 |
    head -n 1 | tr ',' '\n' >rows
  "$SHAKEDOWN" diagnose 'mechanism(file="robot.yaml")' --precision double --trial-seconds 1 --format csv | cut -d , -f 2 >said
  "$SHAKEDOWN" run motion.yaml -o motion.db >out 2>&1
  "$SHAKEDOWN" show motion.db --series --format csv | tr ',' '\n' >series
  for answer in rows said series; do
    is_text "$(grep -Fx -f names "$answer" | sort -u)" "$(cat names)" "$robot: the joints of the robot in $answer"
  done
done
is_text "$(grep 'angle$' names | tr '\n' ',')" "front hip-roll.angle,front knee.angle,rear hip.angle," \
  "... with the names of the URDF, where a dot is a hyphen"
tap_done
