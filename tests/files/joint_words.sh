#!/bin/sh
# Mechanisms in the words of their joints: the columns that simulate, diagnose and the series of a study
# have, with their signs and points of reference, without jumps of angles; singular crossings; and the
# time that diagnose takes, which it shows on a terminal.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
cp "$SHAKEDOWN_SOURCE"/studies/mechanisms/*.yaml .
mechanism() {
  printf 'mechanism(file="%s.yaml")' "$1"
}
exact='composition(scheme=sofroniou-spaletta10)'

# asks FILE EXPRESSION: true if it holds, with `rows` of the CSV file as dictionaries, `last`, and `near`
asks() {
  python3 - "$1" "$2" <<'P'
import csv, math, sys
rows = [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
first, last = rows[0], rows[-1]
def near(a, b, most=1e-11):
    if not abs(a - b) <= most * max(1, abs(b)):
        print(f"# {a!r} is not {b!r}")
        return False
    return True
def vector(row, joint, part, axes):
    return [row[f"{joint}.{part}_{axis}"] for axis in axes]
length = lambda v: math.sqrt(sum(x * x for x in v))
sys.exit(not eval(f"({sys.argv[2]})"))
P
}
# run PROBLEM METHOD STEP UNTIL [OPTION...]: its rows in `rows`
run() {
  problem=$1 method=$2 step=$3 until=$4
  shift 4
  "$SHAKEDOWN" simulate "$problem" "$method" --step "$step" --until "$until" "$@" >rows
}

# ---- names, and coordinates of the first and second body ----

cat >driven.yaml <<'EOF'
gravity: [0, 0, -9.81]
frames:
  - {name: rail, axis: [0.47942553860420300027, 0, 0.87758256189037271612], across: [0, 1, 0]}
bodies:
  - {name: slider, mass: 3, moments: [1, 1, 1], frames: [{name: rail, axis: [0.47942553860420300027, 0, 0.87758256189037271612], across: [0, 1, 0]}, {name: hinge, axis: [0, -1, 0], across: [0, 0, -1]}]}
  - {name: bar, mass: 1, moments: [0.25, 0.25, 0.25], centre: [0.5, 0, 0]}
joints:
  - {name: motor, type: prismatic, between: [ground.rail, slider.rail], drive: {amplitude: 0.3, frequency: 2.3}}
  - {name: "elbow, \"left\"", type: revolute, between: [slider.hinge, bar], start: 0.7, rate: 1.1}
EOF
run "$(mechanism driven)" rattle 0.001 0.4 --every 100
wrench='%s.force_x,%s.force_y,%s.force_z,%s.torque_x,%s.torque_y,%s.torque_z,%s.force_1,%s.force_2,%s.force_3,%s.torque_1,%s.torque_2,%s.torque_3'
is_text "$(sed -n '1s/.*,energy,constraint,hidden,//p' rows)" \
  "motor.position,motor.velocity,$(printf '%s' "$wrench" | sed 's/%s/motor/g'),$(for what in angle rate force_x force_y \
    force_z torque_x torque_y torque_z force_1 force_2 force_3 torque_1 torque_2 torque_3; do
    printf '"elbow, ""left"".%s",' "$what"; done | sed 's/,$//')" "names of the columns, as fields of CSV"
asks rows 'all(near(r["motor.position"], 0.3 * math.sin(2.3 * r["t"])) and
  near(r["motor.velocity"], 0.69 * math.cos(2.3 * r["t"]), 1e-5) for r in rows)'
ok_if $? "a slide has the position and the velocity of its drive"
asks rows "near(first['elbow, \"left\".angle'], 0.7) and near(first['elbow, \"left\".rate'], 1.1)"
ok_if $? "a hinge has the angle and the rate of the file"
# The drive carries both bodies: along the rail m (a + g_3), on the hinge's bar its own.
asks rows 'all(near(length(vector(r, "motor", p, "xyz")), length(vector(r, "motor", p, "123")))
  and near(r["motor.force_1"] * 0 + r["motor.force_3"],
           sum(a * b for a, b in zip(vector(r, "motor", "force", "xyz"),
                                     [0.47942553860420300027, 0, 0.87758256189037271612])))
  for r in rows for p in ("force", "torque"))'
ok_if $? "the third axis of a joint's own frame is its axis"

cat >gears.yaml <<'EOF'
bodies:
  - {name: small, mass: 1, moments: [0.3, 0.3, 0.2], position: [0, 0, 0]}
  - {name: large, mass: 2, moments: [1, 1, 0.8], position: [1, 0, 0]}
joints:
  - {name: A, type: revolute, between: [ground, small], at: [0, 0, 0], load: 1}
  - {name: B, type: revolute, between: [ground, large], at: [1, 0, 0], axis: [0, 0, -1]}
  - {name: mesh, type: gear, between: [A, B], ratio: [2, 3]}
EOF
run "$(mechanism gears)" "$exact" 0.05 5 --every 100
asks rows 'len(rows) == 2 and near(last["A.angle"], 22.5) and near(last["B.angle"], 15)
  and near(last["A.rate"], 9) and near(last["mesh.torque_z"], -0.96)'
ok_if $? "angles count turns between the rows, and a gear has its torque"

# The middle one of three angles goes on beyond a quarter turn, where the others would jump.
cat >gimbal.yaml <<'EOF'
bodies:
  - {name: ball, mass: 1, moments: [1, 1, 1]}
joints:
  - {name: g, type: serial, motions: [r3, r1, r2], between: [ground, ball], start: [0.1, 0.2, 0.3], rate: [0, 1, 0]}
EOF
run "$(mechanism gimbal)" "$exact" 0.02 7 --every 10
asks rows 'all(near(r["g.angle1"], 0.1, 1e-6) and near(r["g.angle2"], 0.2 + r["t"], 1e-6) and near(r["g.angle3"], 0.3, 1e-6)
  and near(r["g.rate2"], 1, 1e-5) for r in rows)'
ok_if $? "three angles pass the parallel axes of the first and the third"
asks rows '"g.angle4" not in last and "g.velocity" not in last'
ok_if $? "... and have no other columns"

# In the plane a joint has the axes of space alone.
"$SHAKEDOWN" simulate "$(mechanism four-bars)" rattle --step 0.01 --until 0.01 >rows
is_text "$(sed -n '1s/.*,foot0.torque_z,\([^,]*\),.*/\1/p' rows)" foot1.angle "a planar joint has the axes of space"

# ---- wrenches, against weight and acceleration ----

run "$(mechanism pendulum)" rattle 0.01 0.01
asks rows 'near(first["hinge.force_2"], 4.905) and near(first["hinge.force_1"], 0) and near(first["hinge.torque_3"], 0)'
ok_if $? "a pendulum released horizontally hangs on half of its weight"
"$SHAKEDOWN" diagnose "$(mechanism pendulum)" --precision double --trial-seconds 1 --format csv >said
python3 - said rows <<'P'
import csv, sys
told = {row["name"]: row["value"] for row in csv.DictReader(open(sys.argv[1])) if row["section"] == "joints"}
first = next(csv.DictReader(open(sys.argv[2])))
names = [name for name in first if "." in name]
sys.exit(len(names) != 14 or any(abs(float(told[n]) - float(first[n])) > 1e-12 for n in names))
P
ok_if $? "diagnose has the columns of the first row of simulate"
run "$(mechanism four-bar)" 'rattle(linear=svd)' 0.01 0.02
asks rows 'all(math.isnan(r["D.force_3"]) and math.isnan(r["D.force_z"]) and math.isnan(r["D.torque_x"])
  and not math.isnan(r["D.force_2"] + r["D.torque_z"]) for r in rows) and near(first["D.force_2"], -13.715)'
ok_if $? "components that a redundant loop leaves open are nan"
"$SHAKEDOWN" diagnose "$(mechanism four-bar)" --precision double --trial-seconds 1 --format csv >said
is_text "$(sed -n 's/^joints,D.force_[23],//p' said | sed 's/-13.71[45][0-9]*/-13.715/' | tr '\n' ' ')" "-13.715 indeterminate " \
  "diagnose calls them indeterminate"

# ---- series of a study, and singular crossings ----

make_study flat "problems: ['mechanism(file=\"four-bars.yaml\")'], integrators: [rattle], precision: [double],
  steps: {largest: 0.01, halvings: 0}, until: 1.5, times: [0.5, 1.5], measures: [regularity, energy]"
"$SHAKEDOWN" run flat.yaml >said 2>&1
"$SHAKEDOWN" show flat.db --series --format csv >series
python3 - series <<'P'
import csv, math, sys
series = {}
for row in csv.DictReader(open(sys.argv[1])):
    series.setdefault(row["series"], []).append((float(row["time"]), float(row["mean"])))
crossing, there = series["crossing"], series["crossing foot0.angle"]
flat = [abs(math.cos(value)) for _, value in there]
print("#", crossing, there, series["foot0.angle"])
sys.exit(not (there and [t for t, _ in crossing] == [t for t, _ in there] and max(flat) < 1e-3
              and "foot2.torque_z" in series and "left1.rate" in series
              and any(abs(t - 0.5) < 1e-9 for t, _ in series["foot0.angle"])))
P
ok_if $? "a study has the joints at its sample times and where the linkage is flat"
run "$(mechanism four-bars)" rattle 0.01 1.5 --every 50
python3 - rows series <<'P'
import csv, sys
rows = {round(float(row["t"]), 9): float(row["foot1.rate"]) for row in csv.DictReader(open(sys.argv[1]))}
told = {float(row["time"]): float(row["mean"]) for row in csv.DictReader(open(sys.argv[2])) if row["series"] == "foot1.rate"}
sys.exit(not (sorted(told) == [0, 0.5, 1.5] and all(abs(told[t] - rows[t]) < 1e-6 for t in told)))
P
ok_if $? "... as simulate has them, in single precision"

"$SHAKEDOWN" simulate "$(mechanism four-bars)" rattle --step 0.01 --until 1.5 --crossings 2>said >/dev/null
sed -n 's/^singular at t0 + \([0-9.]*\): foot0.angle = \(-*[0-9.]*\), foot1.angle = .*right2.angle = .*/\1 \2/p' said |
  awk 'cos($2) ^ 2 > 1e-6 { bad++ } { n++ } END { exit !(n == 4 && !bad) }'
ok_if $? "simulate finds them too" || diag "$(cat said)"
"$SHAKEDOWN" simulate pendulum rattle --step 0.1 --until 0.2 --crossings 2>&1 >/dev/null | grep -q '^the run passes through no singular'
ok_if $? "... or that there is none"

# ---- the time of a diagnosis ----

python3 - >eight.yaml <<'P'
print("gravity: [0, 0, -9.81]\nbodies:")
for k in (0, 1):
    points = [(0, k, 0), (.1, k, .6), (.5, k, .9), (.9, k, .5), (1, k, 0)]
    for i in range(4):
        middle = [(a + b) / 2 for a, b in zip(points[i], points[i + 1])]
        print(f"  - {{name: b{k}{i}, mass: 1, moments: [0.1, 0.12, 0.05], position: {middle}}}")
print("joints:")
for k in (0, 1):
    ends = ["ground"] + [f"b{k}{i}" for i in range(4)] + ["ground"]
    points = [(0, k, 0), (.1, k, .6), (.5, k, .9), (.9, k, .5), (1, k, 0)]
    for i in range(5):
        print(f"  - {{name: j{k}{i}, type: revolute, between: [{ends[i]}, {ends[i + 1]}], at: {list(points[i])}, axis: [0, 1, 0]}}")
P
cat >timed.py <<'P'
import os, pty, resource, subprocess, sys
output = []
master, slave = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdout=open("said", "w"), stderr=slave, env=dict(os.environ, TERM="xterm"))
os.close(slave)
try:
    while data := os.read(master, 4096):
        output.append(data)
except OSError:
    pass
child.wait()
spent = resource.getrusage(resource.RUSAGE_CHILDREN)
open("screen", "wb").write(b"".join(output))
print(spent.ru_utime + spent.ru_stime)
P
spent=$(python3 timed.py "$SHAKEDOWN" diagnose "$(mechanism eight)")
is_text "$(sed -n 's/^  rank  *\([0-9].*\):.*/\1/p' said)" "92 of 98" "eight bodies in two loops are diagnosed"
diag "... in $spent s of processor time"
grep -q 'checks and trial steps' screen
ok_if $? "a terminal shows how far it is"
python3 timed.py "$SHAKEDOWN" diagnose pendulum --precision double --trial-seconds 1 >spent
is_text "$(wc -c <screen)" 0 "... after two seconds, not before"
tap_done
