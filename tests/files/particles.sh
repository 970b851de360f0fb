#!/bin/sh
# Systems from files: the system that is integrated is that of the file, compared with built-in
# problems and with sums written here; errors in a file are reported with their place; a file is
# found in the folder of the study only; its content is part of a cell's key.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
mkdir inside beside

# simulate FILE [OPTION...]: three steps of a thousandth
simulate() {
  name=$1
  shift
  "$SHAKEDOWN" simulate "particles(file=\"$name\"$project)" rattle --step 0.001 --until 0.003 "$@"
}
project=

# value COLUMN ROW: of a table in CSV on standard input
value() {
  awk -F, -v column="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
    NR == row + 1 { print $at }'
}

# agree A B TOLERANCE
agree() {
  awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d <= t && -d <= t) }'
}

# ---- a file against a problem that is built in ----

cat >double.yaml <<'EOF'
gravity: [0, -1]
fixed:
  - {name: pivot, position: [0, 0]}
particles:
  - {name: outer, mass: 0.5, position: [1.9, 0.5]}
  - {name: inner, mass: 2, position: [0.7, 0]}
rods:
  - [inner, pivot]
  - {between: [outer, inner], length: 1.3}
EOF
# 1.2, 0.5 and 1.3 make a right triangle
spec="double-pendulum(mass1=2,mass2=0.5,length1=0.7,length2=1.3,angle1=90deg,angle2=1.9655874464946581)"
simulate double.yaml >ours
"$SHAKEDOWN" simulate "$spec" rattle --step 0.001 --until 0.003 >theirs
worst=0
for pair in q1=q3 q2=q4 q3=q1 q4=q2 p1=p3 p2=p4 p3=p1 p4=p2 energy=energy; do
  agree "$(value "${pair%=*}" 4 <ours)" "$(value "${pair#*=}" 4 <theirs)" 1e-14 || worst=$pair
done
is_text "$worst" 0 "a double pendulum from a file moves like the one that is built in"

# ---- energy and invariants ----

cat >all.yaml <<'EOF'
coulomb: 2
gravity: [0, 0, -3]
fixed:
  - {name: wall, position: [0, 0, 5], charge: 1.5}
particles:
  - {name: a, mass: 2, position: [1, 0, 0], velocity: [0, 1, 0], charge: -1,
     lennard-jones: {sigma: 1, epsilon: 0.5}}
  - {name: b, mass: 1, position: [0, 2, 0], lennard-jones: {sigma: 1.4, epsilon: 2}}
  - {name: c, mass: 1, position: [0, 0, 1], charge: 2, lennard-jones: {sigma: 1, epsilon: 0.5}}
springs:
  - {between: [b, wall], stiffness: 4, length: 1}
exclude:
  - [a, c]
EOF
energy=$(awk 'BEGIN {
  kinetic = 1; gravity = 3 * 1
  spring = 2 * (sqrt(4 + 25) - 1) ^ 2
  charges = 2 * (-1.5 / sqrt(26) + 3 / 4)
  ab = (1.2 / sqrt(5)) ^ 6; bc = ab
  printf "%.15g", kinetic + gravity + spring + charges + 4 * (ab * ab - ab) + 4 * (bc * bc - bc)
}')
found=$(simulate all.yaml | value energy 1)
holds "the energy of springs, charges, gravity and Lennard-Jones sites: $found" agree "$found" "$energy" 1e-12

# Angles, torsions and pairs, whose sums were computed with 50 digits (mpmath).
cat >molecule.yaml <<'EOF'
coulomb: 138.935457644382
particles:
  - {name: a, mass: 1, position: [0.1, -0.2, 0.05], charge: 0.5, lennard-jones: {sigma: 0.9, epsilon: 0.4}}
  - {name: b, mass: 2, position: [0.9, 0.15, -0.1]}
  - {name: c, mass: 3, position: [1.4, 1.1, 0.3]}
  - {name: d, mass: 4, position: [2.2, 1.3, 1.1], charge: -0.3, lennard-jones: {sigma: 1.6, epsilon: 0.9}}
angles:
  - {between: [a, b, c], stiffness: 383, angle: 109.5deg}
dihedrals:
  - {between: [a, b, c, d], stiffness: 5.86, multiplicity: 3, phase: 25deg}
  - {between: [d, c, b, a], stiffness: -2.5, multiplicity: 1, phase: 180deg}
  - {between: [a, b, c, d], cosines: [9.28, 12.16, -13.12, -3.06, 26.24, -31.5]}
impropers:
  - {between: [a, b, c, d], stiffness: 334.72, angle: 35.26deg}
pairs:
  - {between: [d, a], coulomb: 0.8333, lennard-jones: 0.5}
EOF
bonded=277.585901838512085 # without the pair
sed 's/^coulomb/combination: geometric\n&/' molecule.yaml >geometric.yaml
sed '/^pairs/,$d' geometric.yaml >plain.yaml
sed 's/coulomb: 0.8333, lennard-jones: 0.5/sigma: 1.5, epsilon: 0.7/' molecule.yaml >own.yaml
sed 's/^angles/cosine-&/' molecule.yaml >cosine.yaml
# The first point fixed: nothing moves at the start, and the energy is the same.
awk '/name: a, mass/ { sub("mass: 1, ", ""); held = $0; next } { print } END { print "fixed:"; print held }' \
  molecule.yaml >held.yaml
for case in molecule,-6.24281888308694 held,-6.24281888308694 geometric,-6.24072370980867 own,-7.54655994602375 \
  plain,-7.49525702519672 cosine,-13.7658735268875; do
  found=$(simulate "${case%,*}.yaml" | value energy 1)
  agree "$found" "$(awk -v a=$bonded -v b="${case#*,}" 'BEGIN { printf "%.16g", a + b }')" 3e-12
  ok_if $? "the energy of angles, torsions and pairs, ${case%,*}: $found"
done

# kept FILE: the names of what is kept
kept() {
  "$SHAKEDOWN" describe "particles(file=\"$1\")" | awk '$1 == "invariant" { print $2 }' |
    paste -sd ' '
}
is_text "$(kept all.yaml)" "angular-momentum-about-axis" "one fixed point under gravity"
sed 's/, charge: 1.5//; /springs:/,/length/d' all.yaml >free.yaml
is_text "$(kept free.yaml)" \
  "momentum-x momentum-y angular-momentum-x angular-momentum-y angular-momentum-z" \
  "nothing fixed under gravity"
sed '/gravity/d' free.yaml >floating.yaml
is_text "$(kept floating.yaml)" \
  "momentum-x momentum-y momentum-z angular-momentum-x angular-momentum-y angular-momentum-z" \
  "nothing fixed, no gravity"
sed '/gravity/d' all.yaml >central.yaml
is_text "$(kept central.yaml)" "angular-momentum-x angular-momentum-y angular-momentum-z" \
  "one fixed point"
# fix POSITION...: more fixed points with a charge
fix() {
  for position; do
    printf '/name: wall/a\\\n  - {name: "%s", position: [%s], charge: 1}\n' "$position" "$position"
  done | sed -f /dev/stdin all.yaml
}
fix "0, 0, -5" >upright.yaml
is_text "$(kept upright.yaml)" "angular-momentum-about-axis" "two fixed points along gravity"
fix "3, 0, 5" >level.yaml
is_text "$(kept level.yaml)" "" "two fixed points across gravity"
fix "3, 0, 5" "6, 0, 5" | sed '/gravity/d' >line.yaml
is_text "$(kept line.yaml)" "angular-momentum-about-axis" "three on a line without gravity"
fix "3, 0, 5" "0, 4, 5" | sed '/gravity/d' >triangle.yaml
is_text "$(kept triangle.yaml)" "" "three that are not on a line"
is_text "$(kept double.yaml)" "" "a double pendulum keeps nothing but its energy"

for file in all free floating central molecule held own; do
  "$SHAKEDOWN" diagnose "particles(file=\"$file.yaml\")" >report 2>&1
  ok_if $? "$file.yaml: every derivative is right"
done

make_study kept 'problems: [particles(file="all.yaml"), particles(file="free.yaml"),
  particles(file="floating.yaml"), particles(file="central.yaml"), particles(file="upright.yaml"),
  particles(file="line.yaml"), particles(file="molecule.yaml")], integrators: [rattle], steps: [0.01,
  0.005], until: 0.5, precision: [double], measures: [momentum]'
"$SHAKEDOWN" run kept.yaml -o kept.db --format csv >out 2>error
is_text "$(grep -c 'invariant.*,held,' out) $(grep -c 'falsified' out)" "23 0" \
  "what is kept is kept along a run"

# ---- starts ----

sed 's/length: 1.3/length: 1.31/' double.yaml >long.yaml
simulate long.yaml >/dev/null 2>error
is_text $? 2 "a rod that does not fit is refused"
grep -q 'long.yaml: the start is inconsistent: max|g| = 0.0131, max|G v| = 0; project=yes' error
ok_if $? "with its residuals and what helps"
sed 's/1.9, 0.5/1.9e-9, 0.5e-9/; s/0.7, 0/0.7e-9, 0/; s/length: 1.3/length: 1.300001e-9/' \
  double.yaml >tiny.yaml
simulate tiny.yaml >/dev/null 2>error
is_text "$? $(grep -c 'tiny.yaml: the start is inconsistent' error)" "2 1" "nor one of nanometres"
project=,project=yes
found=$(simulate long.yaml | awk -F, 'NR == 2 { print sqrt(($2 - $4) ^ 2 + ($3 - $5) ^ 2) }')
is_text "$found" 1.31 "project=yes makes it fit"
sed 's/position: \[0.7, 0\]/&, velocity: [1, 1]/' double.yaml >tangent.yaml
hidden=$(simulate tangent.yaml | value hidden 1)
holds "and velocities tangent" agree "$hidden" 0 1e-14
project=
simulate tangent.yaml >/dev/null 2>error
is_text $? 2 "a velocity along a rod is refused"

# ---- what is wrong, and where ----

# refused EXPECTED [FORMAT [TEXT]]: what is said of bad.yaml, which printf writes of them
refused() {
  # shellcheck disable=SC2059 # the format is ours
  [ $# -eq 1 ] || printf "$2" "${3-}" >bad.yaml
  simulate bad.yaml >/dev/null 2>error
  [ $? -eq 2 ] && grep -qF -- "$1" error
  ok_if $? "refused: $1" || diag "$(cat error)"
}
three='particles: [{name: a, mass: 1, position: [0, 1]}, {name: b, mass: 1, position: [0, 2]}, {name: c, mass: 1, position: [1, 1]}]'
refused 'bad.yaml:2:20: found 2 names, expected 3' \
  '%s\nangles: [{between: [a, b], stiffness: 1, angle: 2}]\n' "$three"
refused 'bad.yaml:2: found an angle from "a" to itself' \
  '%s\nangles: [{between: [a, b, a], stiffness: 1, angle: 2}]\n' "$three"
refused 'found "right", expected an angle in radians, or in degrees as in 109.5deg' \
  '%s\nangles: [{between: [a, b, c], stiffness: 1, angle: right}]\n' "$three"
refused 'bad.yaml:3: found an improper in a plane, expected positions with three numbers' \
  '%s\nfixed: [{name: d, position: [2, 2]}]\nimpropers: [{between: [a, b, c, d], stiffness: 1, angle: 2}]\n' "$three"
refused 'expected stiffness, multiplicity and phase, or else cosines' \
  '%s\ndihedrals: [{between: [a, b, c, a], stiffness: 1, cosines: [1]}]\n' "$three"
refused 'found "1.5", expected a whole number from 1 to 9' \
  '%s\ndihedrals: [{between: [a, b, c, a], stiffness: 1, multiplicity: 1.5, phase: 0}]\n' "$three"
refused 'expected sigma and epsilon together, or else a factor lennard-jones' \
  '%s\npairs: [{between: [a, b], lennard-jones: 1, sigma: 1, epsilon: 2}]\n' "$three"
refused 'found "waldman", expected lorentz or geometric' '%s\ncombination: waldman\n' "$three"
particle='particles: [{name: a, mass: 1, position: [0, 1]}, {name: b, mass: 1, position: [0, 2]}]'
refused 'bad.yaml:2:15: unknown key "mas": did you mean mass?' \
  'particles:\n  - {name: a, mas: 1, position: [0, 1]}\n'
refused 'bad.yaml:2:5: the key "mass" is missing' 'particles:\n  - {name: a, position: [0, 1]}\n'
refused 'bad.yaml:2:21: found "0", expected a number above 0' \
  'particles:\n  - {name: a, mass: 0, position: [0, 1]}\n'
refused 'bad.yaml:2:38: found "one", expected a number' \
  'particles:\n  - {name: a, mass: 1, position: [0, one]}\n'
refused 'found 1 number, expected 2 or 3' 'particles:\n  - {name: a, mass: 1, position: [0]}\n'
refused 'found 3 numbers, expected 2, as in the first vector' \
  'particles:\n  - {name: a, mass: 1, position: [0, 1], velocity: [0, 1, 2]}\n'
refused 'bad.yaml:2: found "bb", expected the name of a particle or fixed point; did you mean' \
  '%s\nrods: [[a, bb]]\n' "$particle"
refused 'bad.yaml:2: found a rod from "a" to itself' '%s\nrods: [[a, a]]\n' "$particle"
refused 'bad.yaml:2: found a second rod between "b" and "a"' '%s\nrods: [[a, b], [b, a]]\n' "$particle"
refused 'bad.yaml:3: found a rod between "c" and "d", which are both fixed' \
  '%s\nfixed: [{name: c, position: [0, 0]}, {name: d, position: [1, 0]}]\nrods: [[c, d]]\n' "$particle"
refused 'bad.yaml:2:16: found the name "b" a second time: line 1 already uses it' \
  '%s\nfixed: [{name: b, position: [0, 0]}]\n' "$particle"
refused 'bad.yaml:1: "a" has a charge, but the key "coulomb" is missing' \
  'particles: [{name: a, mass: 1, charge: 1, position: [0, 1]}]\n'
refused 'bad.yaml:3: found a rod between "c" and "b", which are at the same place' \
  '%s\nfixed: [{name: c, position: [0, 2]}]\nrods: [[c, b]]\n' "$particle"
refused 'bad.yaml:2: found a gravity with 3 numbers, expected 2' '%s\ngravity: [0, 0, -1]\n' "$particle"
refused 'found "-1", expected a nonnegative number' \
  '%s\nsprings: [{between: [a, b], stiffness: -1, length: 1}]\n' "$particle"
refused 'bad.yaml:2:8: found an anchor (&name); anchors are not allowed' \
  'particles:\n  - &x {name: a, mass: 1, position: [0, 1]}\n  - *x\n'
refused 'found an empty list, expected a list of particles' 'particles: []\n'
refused 'bad.yaml:' 'particles: [\n'
: >bad.yaml
refused 'bad.yaml:1:1: found nothing, expected a mapping'
refused 'found "100%g%g", expected the name' '%s\nrods: [[a, 100%%g%%g]]\n' "$particle"
awk 'BEGIN { print "particles:"; for (i = 0; i < 1001; i++) printf "  - {name: p%d, mass: 1, position: [0, %d]}\n", i, i }' >bad.yaml
refused 'bad.yaml:1002:5: found more than 1000 particles'
awk 'BEGIN { for (i = 0; i < 70000; i++) print "# padding, padding" }' >bad.yaml
refused 'larger than 1 MiB'
refused 'bad.yaml:1: found 1e4000, expected a number within' \
  'particles: [{name: a, mass: 1, position: [1e4000, 0]}]\n'
if without quad; then
  skip_without quad "no precision that has it"
else
  "$SHAKEDOWN" simulate 'particles(file="bad.yaml")' rattle --step 0.001 --until 0.001 \
    --precision quad >/dev/null 2>error
  ok_if $? "which quad has"
fi

# ---- where files may be ----

# forbidden PATH EXPECTED
forbidden() {
  simulate "$1" >/dev/null 2>error
  [ $? -eq 2 ] && grep -qF -- "$2" error
  ok_if $? "$1 is refused: $2"
}
cp double.yaml beside/
ln -s ../beside/double.yaml inside/link.yaml
forbidden "$top/double.yaml" "expected a path below the study's folder"
forbidden ../double.yaml "expected a path below the study's folder"
forbidden inside/../double.yaml "expected a path below the study's folder"
forbidden absent.yaml "No such file"
forbidden inside "not a regular file"
simulate ..double.yaml 2>&1 | grep -q "No such file"
ok_if $? "dots in a name are no step upwards"
(cd inside && simulate link.yaml) >/dev/null 2>error
holds "a link out of the folder is refused" grep -q "a link leads outside the folder" error

# ---- in a study ----

cp double.yaml inside/only.yaml
cat >inside/linked.yaml <<'EOF'
study: linked
runs:
  - problems: ['particles(file="only.yaml")']
    integrators: [rattle]
    steps: [0.01, 0.005]
    until: 0.1
    precision: [double]
    measures: [energy]
EOF
"$SHAKEDOWN" run inside/linked.yaml -o store.db >out 2>error
status=$?
holds "a study finds the file beside it (exit $status)" grep -q '2 run (2 ok' error
"$SHAKEDOWN" run inside/linked.yaml -o store.db >out 2>error
holds "and does not run it again" grep -q '2 already stored, 0 run' error
sed -i 's/mass: 0.5/mass: 0.50001/' inside/only.yaml
"$SHAKEDOWN" run inside/linked.yaml -o store.db >out 2>error
holds "until the file changes" grep -q '0 already stored, 2 run' error
"$SHAKEDOWN" show store.db >out 2>error
ok_if $? "what is stored can be shown"
sed -i 's/only.yaml/link.yaml/' inside/linked.yaml
"$SHAKEDOWN" run inside/linked.yaml -o other.db >out 2>error
is_text $? 2 "a study reads nothing outside of its folder"
holds "and says why" grep -q 'a link leads outside the folder' error
tap_done
