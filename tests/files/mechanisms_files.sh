#!/bin/sh
# Mechanisms from files: planar ones move as the same systems of points and rods or of angles, to
# round-off; drives and gears; diagnose describes their joints; errors in a file are reported with their place;
# engines are told them.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
cp "$SHAKEDOWN_SOURCE"/studies/mechanisms/*.yaml "$SHAKEDOWN_SOURCE"/tests/data/planar-*.yaml \
  "$SHAKEDOWN_SOURCE"/tests/data/couplings.yaml .

# last PROBLEM METHOD STEP UNTIL: coordinates at the end, one a line
last() {
  "$SHAKEDOWN" simulate "$1" "$2" --step "$3" --until "$4" --every 1000 | awk -F, 'NR == 1 {
    for (i = 1; i <= NF; i++) if ($i ~ /^q/) n = i } { row = $0 }
    END { split(row, x, ","); for (i = 2; i <= n; i++) print x[i] }' >values
}
# apart: largest difference of the lines of two files
apart() {
  paste "$1" "$2" | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d } END { print most + 0 }'
}
below() {
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a <= b) }'
}
mechanism() {
  printf 'mechanism(file="%s.yaml")' "$1"
}

# ---- bodies against points and rods; a crank's tip is r + d_1/2 ----

tips() {
  awk -v first="$1" -v count="$2" '{ x[NR] = $1 }
    END { for (c = 0; c < count; c++) for (j = 1; j <= 2; j++) {
      at = 4 * c + j; printf "%.17g\n", x[at] + x[at + 2] / 2 } }'
}
last "$(mechanism four-bars)" rattle 0.01 0.4
tips 1 3 <values >ours
last 'four-bar(loops=2)' rattle 0.01 0.4
awk '(NR - 1) % 4 < 2' values >theirs
difference=$(apart ours theirs)
holds "two four-bar loops of bodies move as those of points and rods: $difference" below "$difference" 1e-13
last "$(mechanism scott-russell)" rattle 0.01 0.4
sed -n 3,4p values >ours
awk '{ x[NR] = $1 } END { printf "%.17g\n%.17g\n", x[5] + 0.9 * x[7], x[6] + 0.9 * x[8] - 0 }' values >end
last 'pendulum(angle=60deg,gravity=9.81)' rattle 0.01 0.4
difference=$(apart ours values)
holds "... the crank of Scott and Russell as a pendulum: $difference" below "$difference" 1e-13
holds "... and the end of its rod keeps to a line" awk 'NR == 2 { exit !($1 * $1 < 1e-26) }' end
last "$(mechanism sarrus)" 'composition(scheme=sofroniou-spaletta10,base=rattle(linear=svd))' 0.02 0.1
tail -n 12 values >ours
sed -n 's/^sarrus,0.1,q[0-9]*,//p' "$SHAKEDOWN_SOURCE/tests/data/mechanism_motions.csv" >theirs
difference=$(apart ours theirs)
holds "the platform of Sarrus moves as its equation in one angle has it: $difference" below "$difference" 1e-12

# Forms of angles, by their solutions: x of the block, cosine and sine of the crank; crank and link of Andrews.
exact='composition(scheme=sofroniou-spaletta10)'
# as_angles MECHANISM PROBLEM STEP UNTIL BOUND: `mine` and `its` make the numbers to compare
as_angles() {
  last "$(mechanism "$1")" "$exact" "$3" "$4"
  awk "{ x[NR] = \$1 } END { $mine }" values >ours
  last "$2" "$exact" "$3" "$4"
  awk "{ x[NR] = \$1 } END { $its }" values >theirs
  difference=$(apart ours theirs)
  holds "$1 moves as $2: $difference" below "$difference" "$5"
}
sed 's/drive: {rate: 150}/start: 0, rate: 150/' planar-slider-crank.yaml >free-crank.yaml
mine='printf "%.17g\n%.17g\n%.17g\n", x[3], x[4], x[9]'
its='printf "%.17g\n%.17g\n%.17g\n", cos(x[1]), sin(x[1]), x[3]'
as_angles planar-slider-crank slider-crank 1e-4 0.007 1e-13
as_angles free-crank 'slider-crank(driven=no)' 1e-4 0.007 1e-12
mine='printf "%.17g\n%.17g\n%.17g\n%.17g\n", x[3], x[4], x[7], x[8]'
its='printf "%.17g\n%.17g\n%.17g\n%.17g\n", cos(x[1]), sin(x[1]), cos(x[1] + x[2]), sin(x[1] + x[2])'
as_angles andrews andrews 3e-5 0.003 1e-9

# ---- drives and gears ----

cat >driven.yaml <<'EOF'
gravity: [0, 0, -9.81]
frames:
  - {name: rail, axis: [0.47942553860420300027, 0, 0.87758256189037271612], across: [0, 1, 0]}
bodies:
  - {name: slider, mass: 3, moments: [1, 1, 1], frames: [{name: rail, axis: [0.47942553860420300027, 0, 0.87758256189037271612], across: [0, 1, 0]}, {name: hinge, axis: [0, -1, 0], across: [0, 0, -1]}]}
  - {name: bar, mass: 1, moments: [0.25, 0.25, 0.25], centre: [0.5, 0, 0]}
joints:
  - {name: motor, type: prismatic, between: [ground.rail, slider.rail], drive: {amplitude: 0.3, frequency: 2.3}}
  - {name: hinge, type: revolute, between: [slider.hinge, bar], start: 0.7, rate: 1.1}
EOF
last "$(mechanism driven)" rattle 0.01 0.4
awk '{ x[NR] = $1 } END { printf "%.17g\n%.17g\n", x[1] + x[16], x[3] + x[18] }' values >ours
last 'driven-pendulum(gravity=9.81)' rattle 0.01 0.4
difference=$(apart ours values)
holds "a bar on a driven slider moves as a pendulum with a driven pivot: $difference" below "$difference" 1e-13
cat >gears.yaml <<'EOF'
bodies:
  - {name: small, mass: 1, moments: [0.3, 0.3, 0.2], position: [0, 0, 0]}
  - {name: large, mass: 2, moments: [1, 1, 0.8], position: [1, 0, 0]}
joints:
  - {name: A, type: revolute, between: [ground, small], at: [0, 0, 0], load: 1}
  - {name: B, type: revolute, between: [ground, large], at: [1, 0, 0], axis: [0, 0, -1]}
  - {name: mesh, type: gear, between: [A, B], ratio: [2, 3]}
EOF
last "$(mechanism gears)" "$exact" 0.05 5
sed -n '4p; 16p; 17p' values >ours # the small gear turns by a t²/2, the large one back by two thirds of that
awk 'BEGIN { a = 12.5 / (0.2 + 0.8 * 4 / 9); printf "%.17g\n%.17g\n%.17g\n", cos(a), cos(a * 2 / 3), -sin(a * 2 / 3) }' >theirs
difference=$(apart ours theirs)
holds "gears of 2 : 3 turn by these ratios, for more than three turns: $difference" below "$difference" 1e-11
"$SHAKEDOWN" diagnose "$(mechanism gears)" --precision double --trial-seconds 1 >said
is_text "$(sed -n 's/^  mesh *//p' said)" "gear, rows 23 to 23; force (0, 0, 0), torque (0, 0, -0.96)" \
  "the torque of a gear on its second wheel"

# ---- diagnose ----

"$SHAKEDOWN" diagnose "$(mechanism four-bar)" --precision double --trial-seconds 1 >said
is_text "$(sed -n 's/^  mobility *//p' said)" \
  "-2 by Grübler's count (18 for the bodies, 20 joint rows), 1 by rank" "mobility of a planar loop in space"
is_text "$(sed -n 's/^  D  *//p' said | sed 's/force (-*[0-9.e-]*, -13.715/force (…, -13.715/; s/, -*[0-9.e-]*)$/, …)/')" \
  "revolute, rows 34 to 38; 3 of them implied by A, B, C; force (…, -13.715, indeterminate), torque (indeterminate, indeterminate, …)" \
  "rows of the joint that closes it, and its wrench"
is_text "$(grep -c indeterminate said)" 4 "F_z, T_x and T_y of all four hinges are indeterminate"
# Turned as a whole, the hinges have the same wrenches along their own axes: as many determinate components, and of the
# same size. The turn is by 70 degrees about (0.3, -0.7, 0.5).
python3 - "$SHAKEDOWN_SOURCE/studies/mechanisms/four-bar.yaml" >tilted.yaml <<'P'
import math, re, sys, yaml
axis = [0.3, -0.7, 0.5]
k = [x / math.sqrt(sum(y * y for y in axis)) for x in axis]
c, s = math.cos(math.radians(70)), math.sin(math.radians(70))
R = [[c * (i == j) + (1 - c) * k[i] * k[j] for j in range(3)] for i in range(3)]
for i, j, l in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    R[l][j] += s * k[i]
    R[j][l] -= s * k[i]
turn = lambda x: [sum(R[i][j] * x[j] for j in range(3)) for i in range(3)]
model = yaml.safe_load(open(sys.argv[1]))
model["gravity"] = turn(model["gravity"])
for body in model["bodies"]:
    for key in ("position", "velocity", "rate"):
        if key in body:
            body[key] = turn(body[key])
    assert "orientation" not in body
    body["orientation"] = {"axis": list(k), "angle": "70deg"}
for joint in model["joints"]:
    joint["at"], joint["axis"] = turn(joint["at"]), turn(joint.get("axis", [0, 0, 1]))
print(yaml.safe_dump(model, width=1000))
P
"$SHAKEDOWN" diagnose 'mechanism(file="tilted.yaml")' --precision double --trial-seconds 1 >tilted
# sizes: for each hinge the force across its axis and the torque about it; or what is indeterminate of them
sizes() {
  sed -n 's/^  [A-D]  *revolute.*force (\(.*\)), torque (\(.*\))/\1, \2/p' "$1" |
    awk -F ', ' '{ print ($1 $2 $6 ~ /ind/ ? "?" : sqrt($1 * $1 + $2 * $2)), $6, $3, $4, $5 }'
}
sizes said >flat
sizes tilted | paste -d ' ' flat - | awk '{ n++; d = $1 - $6; bad += $1 == "?" || d * d > 1e-9 || $3 != $8 || $4 != $9 || $5 != $10 }
  END { exit !(n == 4 && !bad) }'
ok_if $? "a linkage turned in space has the same wrenches along the axes of its hinges" || diag "$(paste flat tilted | head -n 4)"
is_text "$(sed -n 's/^  [A-D], in space//p' tilted | grep -o indeterminate | wc -l)" 24 "... of which no component along space's is determinate"
"$SHAKEDOWN" diagnose "$(mechanism pendulum)" --precision double --trial-seconds 1 >said
sed -n 's/^  hinge .*force (\([^,]*\), \([^,]*\), .*/\1 \2/p' said |
  awk '{ exit !($1 * $1 < 1e-20 && $2 == 4.905) }'
ok_if $? "a pendulum released horizontally hangs on half of its weight"

# ---- rows that a planar loop implies, left out ----

"$SHAKEDOWN" diagnose 'mechanism(file="four-bar.yaml",redundant=no)' --precision double --trial-seconds 1 >said
is_text "$(sed -n 's/^  mobility *//p; s/^  D  *//p' said | sed 's/;.*//')" \
  "1 by Grübler's count (18 for the bodies, 17 joint rows), 1 by rank
revolute, rows 34 to 35" "without redundant rows a hinge of the loop has two"
last "$(mechanism four-bar)" 'rattle(linear=svd)' 0.01 0.4
mv values theirs
last 'mechanism(file="four-bar.yaml",redundant=no)' rattle 0.01 0.4
# A slider-crank in space, hinges along y, a slide along x: three of its rows are implied, wherever the slide stands.
for order in 'A B C S' 'A B S C' 'S A B C'; do
  cat >slider.yaml <<'Y'
gravity: [0, 0, -9.81]
bodies:
  - {name: crank, mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [0.3, 0, 0.4], orientation: {axis: [0, 1, 0], angle: -53.13010235415597870314438744090659417deg}}
  - {name: rod, mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [0.9, 0, 0.4], orientation: {axis: [0, 1, 0], angle: 53.13010235415597870314438744090659417deg}}
  - {name: block, mass: 1, shape: {box: [0.1, 0.1, 0.1]}, position: [1.2, 0, 0]}
joints:
Y
  for joint in $order; do
    case $joint in
    A) echo '  - {name: A, type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}' ;;
    B) echo '  - {name: B, type: revolute, between: [crank, rod], at: [0.6, 0, 0.8], axis: [0, 1, 0]}' ;;
    C) echo '  - {name: C, type: revolute, between: [rod, block], at: [1.2, 0, 0], axis: [0, 1, 0]}' ;;
    S) echo '  - {name: S, type: prismatic, between: [ground, block], at: [1.2, 0, 0], axis: [1, 0, 0]}' ;;
    esac
  done >>slider.yaml
  "$SHAKEDOWN" diagnose 'mechanism(file="slider.yaml",redundant=no)' --precision double --trial-seconds 1 >said 2>&1
  is_text "$(sed -n 's/^  rank  *//p' said | cut -d ' ' -f 1-3)" "35 of 35:" "redundant=no with the joints in the order $order"
done
difference=$(apart values theirs)
holds "... and moves the same: $difference" below "$difference" 1e-13
is_text "$("$SHAKEDOWN" simulate 'mechanism(file="double-pendulum.yaml",redundant=no)' rattle --step 0.1 --until 0.1)" \
  "$("$SHAKEDOWN" simulate "$(mechanism double-pendulum)" rattle --step 0.1 --until 0.1)" "a tree has none to leave out"

# A four-bar linkage on a turret: its plane turns with it.
cat >turret.yaml <<'Y'
gravity: [0, 0, -9.81]
bodies:
  - {name: turret, mass: 2, shape: {box: [1, 1, 0.2]}, position: [0.5, 0, 0], rate: [0, 0, 4]}
  - {name: left, mass: 1, shape: {box: [0.1, 0.1, 1]}, position: [0, 0, 0.5]}
  - {name: coupler, mass: 1, shape: {box: [1, 0.1, 0.1]}, position: [0.5, 0, 1]}
  - {name: right, mass: 1, shape: {box: [0.1, 0.1, 1]}, position: [1, 0, 0.5]}
joints:
  - {name: T, type: revolute, between: [ground, turret], at: [0, 0, 0]}
  - {name: A, type: revolute, between: [turret, left], at: [0, 0, 0], axis: [0, 1, 0], load: 3}
  - {name: B, type: revolute, between: [left, coupler], at: [0, 0, 1], axis: [0, 1, 0]}
  - {name: C, type: revolute, between: [coupler, right], at: [1, 0, 1], axis: [0, 1, 0]}
  - {name: D, type: revolute, between: [right, turret], at: [1, 0, 0], axis: [0, 1, 0]}
Y
last "$(mechanism turret)" 'rattle(linear=svd)' 0.01 0.4
mv values theirs
last 'mechanism(file="turret.yaml",redundant=no)' rattle 0.01 0.4
difference=$(apart values theirs)
holds "... in a plane that turns, too: $difference" below "$difference" 1e-12
# A quarter turn about z later, rows along the axes of space would depend on each other.
"$SHAKEDOWN" simulate 'mechanism(file="turret.yaml",redundant=no)' rattle --step 0.01 --until 0.01 >rows
turned() {
  python3 - rows "$1" <<'P'
import csv, sys
start = next(csv.DictReader(open(sys.argv[1])))
values = [float(x) for name, x in start.items() if name[0] == sys.argv[2] and name[1:].isdigit()]
print(*[x for i in range(0, len(values), 3) for x in (-values[i + 1], values[i], values[i + 2])], sep=",")
P
}
"$SHAKEDOWN" diagnose 'mechanism(file="turret.yaml",redundant=no)' --precision double --trial-seconds 1 \
  --q="$(turned q)" --p="$(turned p)" >said 2>&1
is_text "$(sed -n 's/^  rank  *//p' said | cut -d ' ' -f 1-4)" "46 of 46: regular" "... and stays regular when it has turned by 90 degrees"

# ---- loops in decimals ----

# by_frames AXIS ANGLE: the linkage by frames of its bodies, turned in space, with 17 digits
by_frames() {
  python3 - "$SHAKEDOWN_SOURCE/studies/mechanisms/four-bar.yaml" "$@" <<'P'
import math, sys, yaml
k, a = eval(sys.argv[2]), math.radians(float(sys.argv[3]))
k = [x / math.sqrt(sum(y * y for y in k)) for x in k]
c, s = math.cos(a), math.sin(a)
R = [[c * (i == j) + (1 - c) * k[i] * k[j] for j in range(3)] for i in range(3)]
for i, j, l in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    R[l][j] += s * k[i]
    R[j][l] -= s * k[i]
turn = lambda x: [sum(R[i][j] * x[j] for j in range(3)) for i in range(3)]
model = yaml.safe_load(open(sys.argv[1]))
bodies = {body["name"]: body for body in model["bodies"]}
quaternion = [math.cos(a / 2)] + [math.sin(a / 2) * x for x in k]
model["frames"] = []
for joint in model["joints"]:
    at, ends = joint.pop("at"), []
    for name in joint["between"]:
        frame = {"name": joint["name"]}
        if name == "ground":
            frame.update(position=turn(at), orientation=list(quaternion))
            model["frames"].append(frame)
        else:
            frame["position"] = [x - y for x, y in zip(at, bodies[name]["position"])]
            bodies[name].setdefault("frames", []).append(frame)
        ends.append(name + "." + joint["name"])
    joint["between"] = ends
for body in model["bodies"]:
    for key in ("position", "velocity", "rate"):
        if key in body:
            body[key] = turn(body[key])
    body["orientation"] = list(quaternion)
model["gravity"] = turn(model["gravity"])
print(yaml.safe_dump(model, width=1000, sort_keys=False))
P
}
while read -r axis angle; do
  by_frames "$axis" "$angle" >loop.yaml
  "$SHAKEDOWN" simulate "$(mechanism loop)" 'rattle(linear=svd)' --precision quad --step 0.01 --until 0.02 >rows 2>said
  ok_if $? "a loop of frames in decimals, turned by $angle degrees, closes in quad" || diag "$(cat said)"
  holds "... to round-off" awk -F, '
    NR == 1 { for (k = 1; k <= NF; k++) if ($k == "constraint") at = k }
    NR > 1 && !($at < 1e-31) { bad = 1 }
    END { exit bad || NR != 4 || !at }' rows
done <<'EOF3'
[0,0,1] 0
[0.3,-0.7,0.55] 63
[1,2,3] 150
EOF3
"$SHAKEDOWN" diagnose "$(mechanism loop)" --trial-seconds 1 >said
is_text "$(sed -n 's/^  rank  *\([0-9].*\)/\1/p' said)" "35 of 38: redundant, here and nearby; the multipliers are not unique" \
  "... with as many redundant rows as along the axes of space"
is_text "$(sed -n 's/^  [A-D]  *revolute//p' said | grep -o indeterminate | wc -l)" 12 "... and as many indeterminate components"

# unclosed CHANGE MESSAGE: what is said of the linkage along the axes of space, after a change by Python of `bodies`,
# `frames` (of the ground) and `joints`
by_frames '[0,0,1]' 0 >loop.yaml
unclosed() {
  python3 - loop.yaml "$1" >wrong.yaml <<'P'
import sys, yaml
model = yaml.safe_load(open(sys.argv[1]))
bodies, frames, joints = model["bodies"], model["frames"], model["joints"]
exec(sys.argv[2])
print(yaml.safe_dump(model, width=1000, sort_keys=False))
P
  said=$("$SHAKEDOWN" simulate "$(mechanism wrong)" 'rattle(linear=svd)' --step 0.01 --until 0.01 2>&1)
  is_text "$(echo "$said" | sed 's/wrong.yaml:[0-9]*/wrong.yaml:N/')" "shakedown: wrong.yaml:N: $2" "refused: $2"
}
turned='is assembled the wrong way round: the axes'
apart='degrees apart, expected the same direction. Rotate the pose of a body, or one of the frames, by that angle'
unclosed 'frames[1]["orientation"] = [0, 1, 0, 0]' \
  "joint \"D\" $turned e3 of its frames on \"right\" and \"ground\" are 180 $apart"
tree='joints.pop(); joints[2]["type"] = "weld"; bodies[2]["frames"][0]["orientation"] ='
unclosed "$tree [0, 0, 0, 1]" "joint \"C\" $turned e1 of its frames on \"coupler\" and \"right\" are 180 $apart"
unclosed "$tree [0.5, 0.5, 0.5, 0.5]" "joint \"C\" $turned e1 of its frames on \"coupler\" and \"right\" are 90 $apart"
unclosed "$(echo "$tree" | sed 's/weld/prismatic/') [0, 0, 0, 1]" \
  "joint \"C\" $turned e1 of its frames on \"coupler\" and \"right\" are 180 $apart"
# told_gap OFFSET OPTION…: what is said of the linkage if the frame D of the ground is off by that, across its plane
told_gap() {
  by_frames '[0,0,1]' 0 | python3 -c 'import sys, yaml
model = yaml.safe_load(sys.stdin)
model["frames"][1]["position"] = [1, 0, float(sys.argv[1])]
print(yaml.safe_dump(model, width=1000, sort_keys=False))' "$1" >wrong.yaml
  shift
  said=$("$SHAKEDOWN" simulate "$(mechanism wrong)" 'rattle(linear=svd)' --step 0.01 --until 0.01 "$@" 2>&1 >/dev/null |
    sed 's/wrong.yaml:[0-9]*: joint "[A-D]"/JOINT/')
}
told_gap 1e-6
is_text "$said" "shakedown: JOINT does not close: its frames remain 3.38e-07 (length) and 7.43e-08 rad apart, expected at most 1e-09 and 1e-09. Correct the frames or poses, or specify the joint by \`at\` and \`axis\` in space" \
  "a loop that is open by 1e-6 is refused with a joint, its gap and a remedy"
# closed_note LENGTH ANGLE CHANGE
closed_note() {
  echo "shakedown: note: JOINT closes only to the precision of the numbers in the file: its frames are $1 apart (in the file's unit of length) and rotated by $2 rad. Frames of joints in loops were moved by at most $3 (in rad, and relative to the size) so that the loops close to round-off in every position"
}
told_gap 1e-10
is_text "$said" "$(closed_note 3.4e-11 7.5e-12 3.4e-11)" "one that is open by 1e-10 is closed, and the gap told"
told_gap 1e-14
is_text "$said" "" "... in double from 1e-13 on"
told_gap 1e-14 --precision quad
is_text "$said" "$(closed_note 3.4e-15 7.5e-16 3.4e-15)" "... in quad from there, too"

# ---- wrenches as measured ----

make_study wrenches "problems: ['mechanism(file=\"four-bar.yaml\")'], integrators: [rattle(linear=svd)],
  steps: {largest: 0.01, halvings: 3}, until: 0.02, precision: [double], measures: [order, wrench]" \
  'figures: [{kind: order, name: wrenches, across: [wrench, wrench-mean, wrench-state]}, {kind: phase, name: reaction, axes: [t, wrench-state8]}]'
"$SHAKEDOWN" run wrenches.yaml >/dev/null 2>&1
ok_if $? "no claim about wrenches falls"
"$SHAKEDOWN" show wrenches.db --format csv >shown
is_text "$(sed -n 's/.*,double,\(order of wrench[^,]*\),\([0-9.]*\),[^,]*,[^,]*,\([a-z]*\),.*/\1 \2 \3/p' shown |
  awk '{ printf "%s %.2f %s; ", $3, $4, $5 }')" "wrench 1.00 held; wrench-mean 2.00 held; wrench-state 2.00 held; " \
  "wrenches have the orders of the multipliers"
sed -n 's/.*,double,wrench of \([^,]*\),\([^,]*\),\([^,]*\),.*/\1 \2 \3/p' shown >wrenches
is_text "$(awk '{ printf "%s %s, ", $1, $2 }' wrenches)" \
  "$(for joint in A B C D; do printf '%s force-x, %s force-y, %s torque-z, ' $joint $joint $joint; done)" \
  "those that are indeterminate are left out"
awk '{ x[$1, $2] = $3; if ($4 > worst) worst = $4 }
  END { for (c = 0; c < 2; c++) { k = c ? "force-y" : "force-x"
          if ((x["B", k] + x["C", k]) ^ 2 + (x["A", k] + x["D", k]) ^ 2 > 1e-20) exit 1 }
        exit !(x["A", "force-y"] > 9.81 && worst > 0 && worst < 1e-4) }' wrenches
ok_if $? "hinges that mirror each other have opposite forces, and small errors"
if command -v gnuplot >/dev/null; then
  "$SHAKEDOWN" plot wrenches.db -o figures --type svg >/dev/null 2>&1
  is_text "$(cd figures && find . -name 'wrenches-*.svg' -o -name 'reaction*.svg' | wc -l)" 2 \
    "figures of their errors against the step, and of a reaction over time"
  is_text "$(grep -c "^load 'templates/panel.gp'" figures/wrenches-*.gp)" 3 "... with a panel for each of the wrenches"
fi

# Steady precession on a ball joint: F = m (a - g), with the centre on a circle at the rate 0.5.
sed '/pivot/d' steady-precession.yaml >ball.yaml
printf 'joints:\n  - {name: ball, type: spherical, between: [ground, top], at: [0, 0, 0]}\n' >>ball.yaml
"$SHAKEDOWN" diagnose "$(mechanism ball)" --precision double --trial-seconds 1 >said
sed -n 's/^  ball .*force (\([^,]*\), \([^,]*\), \([^)]*\)), torque (0, 0, 0)$/\1 \2 \3/p' said |
  awk '{ exit !($1 * $1 < 1e-20 && $2 == 0.216506 && $3 == 1) }'
ok_if $? "a ball joint carries a top in steady precession"
sed "s/four-bar/ball/; s/(linear=svd)//; s/0.01, halvings: 3/0.02, halvings: 4/; s/until: 0.02/until: 0.8/; /^figures/d" wrenches.yaml >ball-wrench.yaml
"$SHAKEDOWN" run ball-wrench.yaml -o ball.db >/dev/null 2>&1
"$SHAKEDOWN" show ball.db --format csv | sed -n 's/.*,double,wrench of ball \([^,]*\),\([^,]*\),.*/\1 \2/p' |
  awk '{ x[$1] = $2 } END { flat = sqrt(x["force-x"] ^ 2 + x["force-y"] ^ 2); off = flat - sqrt(3) / 8
    exit !(off * off < 1e-10 && (x["force-z"] - 1) ^ 2 < 1e-10 && x["force-x"] * x["force-y"] != 0) }'
ok_if $? "... and so it does at a later time of a run, to its error"

# ---- files that are wrong ----

# refused CHANGE FILE MESSAGE: what is said, without the problem, after a change by sed
refused() {
  sed "$1" "$2.yaml" >wrong.yaml
  said=$("$SHAKEDOWN" simulate "$(mechanism wrong)" rattle --step 0.01 --until 0.01 2>&1)
  is_text "$said" "shakedown: $3" "refused: $3"
}
while IFS='|' read -r file change said; do
  refused "$change" "$file" "$said"
done <<'EOF2'
four-bar|s/type: revolute, between: \[right/type: revolt, between: [right/|wrong.yaml:13:21: unknown joint "revolt": did you mean revolute?
four-bar|s/\[right, ground\]/[right, rocker]/|wrong.yaml:13:48: unknown body "rocker": known are ground, left, coupler or right
four-bar|s/\[right, ground\]/[right, right]/|wrong.yaml:13:40: found both ends on "right"
four-bar|s/mass: 1, shape: {box: \[1,/shape: {box: [1,/|wrong.yaml:7:5: the key "mass" is missing (or else a density with a shape)
four-bar|s/box: \[1,/bax: [1,/|wrong.yaml:7:38: unknown shape "bax": did you mean box?
four-bar|s/name: B/name: A/|wrong.yaml:11:5: found the name "A" a second time
pendulum|s/0.24, 0.02/0.24, 0.5/|wrong.yaml:5:5: "bar": no body has these moments: the largest must not exceed the sum of the other two
pendulum|s/revolute/screw/|wrong.yaml:11:25: found "screw": among the joints that count turns, only gears with whole-number ratios are supported
gears|s/\[2, 3\]/[2, 1.5]/|wrong.yaml:7:54: found the ratio 2 : 1.5, expected whole numbers from 1 to 9
gears|s/, ratio: .2, 3.//|wrong.yaml:7:5: found a gear joint without a ratio: gears need one, and other joints have none
gears|s/\[A, B\]/[A, C]/|wrong.yaml:7:43: unknown joint above "C": did you mean A or B?
gears|s/B, type: revolute/B, type: cylindrical/|wrong.yaml:7:43: found the cylindrical joint "B" from "ground", expected two revolute or two prismatic joints with the same carrier
gears|s/ground, large/small, large/|wrong.yaml:7:43: found the revolute joint "B" from "small", expected two revolute or two prismatic joints with the same carrier
driven|s/type: prismatic/type: cylindrical/|wrong.yaml:8:82: found a drive for a cylindrical joint, expected a joint with one coordinate
driven|s/start: 0.7, rate: 1.1/start: 0.7, drive: {rate: 1}/|wrong.yaml:9:84: found a drive together with a start or rate, which the drive sets itself
driven|s/frequency/frequenzy/|wrong.yaml:8:97: unknown key "frequenzy": did you mean frequency?
planar-slider-crank|s/mass: 1, moments: 0.002727/&, position: [0, 0]/|wrong.yaml:9: joint "bearing" has a start, but its second body already has a pose
pendulum|s/moments: .*/shape: {rod: 1}/|wrong.yaml:11: joint "hinge" of "bar" needs a direction that the thin body lacks; give the body a thickness or a pivot
four-bar|s/position: \[1, 0.5, 0\]/position: [1, 0.7, 5]/; s/at: \[1, 1, 0\]/at: [1, 1, 0], start: 1/|wrong.yaml:12: joint "C" has a start, but its second body already has a pose
four-bar|s/shape: {box: \[1, 0.1, 0.1\]}/shape: {box: [1, 0.1, 0.1], sphere: 1}/|wrong.yaml:7:58: found a second shape, "sphere", expected one
four-bar|s/shape: {box: \[1, 0.1, 0.1\]}/shape: {}/|wrong.yaml:7:37: found no shape, expected one
four-bar|s/mass: 1, shape: {box: \[1,/mass: 1, density: 100, shape: {box: [1,/|wrong.yaml:7:5: found both mass and density, expected only one of them
pendulum|s/mass: [0-9.]*/density: 3/|wrong.yaml:5:5: found a density without a shape, expected its mass
gears|s/between: \[A, B\]/&, at: [0.5, 0, 0]/|wrong.yaml:7:51: found `at` for a gear, which connects two joints
pendulum|s/revolute/serial/|wrong.yaml:11:5: the key "motions" of a serial joint is missing
pendulum|s/revolute/serial, motions: [r1, t2]/|wrong.yaml:11:42: found motions other than displacements t1, t2, t3 followed by turns r1, r2, r3, each at most once
pendulum|s/revolute/serial, motions: [r1, r1]/|wrong.yaml:11:42: found motions other than displacements t1, t2, t3 followed by turns r1, r2, r3, each at most once
pendulum|s/revolute/revolute, motions: [r1]/|wrong.yaml:11:44: found motions for a revolute joint, whose type determines them
pendulum|s/revolute/universal, stiffness: 3/|wrong.yaml:11:47: found 1 number, expected 2 for a universal joint
gears|s/load: 1/rest: 0.5/|wrong.yaml:5:5: found the rest position of a spring without its stiffness
EOF2

# The largest mechanism, and one body more; its refusal takes no time.
# largest BODIES: that many in a row, on ball joints
largest() {
  awk -v n="$1" 'BEGIN { print "bodies:"
    for (i = 1; i <= n; i++) printf "  - {name: b%d, mass: 1, moments: [1, 1, 1], position: [%d, 0, 0]}\n", i, i
    print "joints:"
    for (i = 1; i <= n; i++) printf "  - {name: j%d, type: revolute, between: [%s, b%d], at: [%d.5, 0, 0]}\n", i,
      (i > 1 ? "b" (i - 1) : "ground"), i, i - 1 }'
}
largest 300 >largest.yaml
said=$("$SHAKEDOWN" simulate "$(mechanism largest)" 'rattle(linear=svd)' --step 0.01 --until 0.01 2>&1)
is_text "$said" "shakedown: linear=svd accepts at most 1000 constraints, but the system has 3300: linear=qr accepts redundant ones too" \
  "300 bodies are read, and refused at once with linear=svd"
largest 301 >larger.yaml
said=$("$SHAKEDOWN" simulate "$(mechanism larger)" rattle --step 0.01 --until 0.01 2>&1)
is_text "$said" "shakedown: larger.yaml:2:3: found 301 items, expected at most 300" "one body more is refused"

cat >open.yaml <<'EOF'
bodies:
  - {name: a, mass: 1, moments: [1, 1, 1], frames: [{name: end, position: [1, 0, 0]}]}
  - {name: b, mass: 1, moments: [1, 1, 1], position: [1.5, 0.4, 0.3], frames: [{name: end, position: [1, 0, 0]}]}
frames:
  - {name: far, position: [2.75, 0.1, 0]}
joints:
  - {name: first, type: spherical, between: [ground, a]}
  - {name: middle, type: spherical, between: [a.end, b]}
  - {name: last, type: spherical, between: [b.end, ground.far]}
EOF
said=$("$SHAKEDOWN" simulate "$(mechanism open)" rattle --step 0.01 --until 0.01 2>&1)
case $said in
*'open.yaml:'*': joint "'*'" does not close: '*) ok_if 0 "a loop that cannot be closed is refused by its joint: $said" ;;
*) ok_if 1 "a loop that cannot be closed is refused by its joint: $said" ;;
esac
sed 's/2.75/1.9/' open.yaml >closed.yaml
"$SHAKEDOWN" simulate "$(mechanism closed)" rattle --step 0.01 --until 0.1 >said 2>&1
ok_if $? "one that can is assembled from its guess"

# What engines are told, by one that refuses with it.
cat >told.sh <<'EOF'
read -r hello
echo "shakedown-engine 1 name=told version=1"
read -r line
echo "refuse ${line#*"$1"}"
EOF
cat >told.yaml <<'EOF'
bodies:
  - {name: a, mass: 2, moments: [2, 3, 4], pivot: [0, 0, 0.5], position: [1, 2, 3]}
  - {name: b, mass: 1, moments: [1, 1, 1], centre: [0, 1, 0], frames: [{name: end, position: [0.25, 0, 0]}]}
joints:
  - {name: j, type: prismatic, between: [a, b.end], start: 2, stiffness: 8, rest: 0.5, damping: 3, load: 7}
springs:
  - {between: [a, b.end], stiffness: 9, length: 6}
EOF
# told WORD WHAT: the line goes on like this after the word
told() {
  said=$("$SHAKEDOWN" simulate "$(mechanism told)" "engine(command=\"sh told.sh $1\")" --allow-external --step 0.1 \
    --until 1 2>&1)
  case $said in
  "shakedown: the external program: $2"*) ok_if 0 "an engine is told: $1 $2" ;;
  *) ok_if 1 "an engine is told: $1 $2: $said" ;;
  esac
}
unit='1 0 0 0 1 0 0 0 1'
told system '3 gravity 0 0 0 pivoted 2 '
told pivoted '2 2.5 1.5 1 0 0 0 0 0 0.5 1 0 0 0 1 0 0 0 1 1 2 3.5 body 1 '
told body "1 0.5 0.5 0.5 0 1 0 0 1 0 $unit joint prismatic o31o32o12a1a2 0 0 0 0 $unit 1 0.25 0 0 "
told a1a2 "0 0 0 0 $unit 1 0.25 0 0 $unit 2 8 0.5 3 7 link "
told link '0 0 0 0 1 0.25 0 0 9 6 0'
tap_done
