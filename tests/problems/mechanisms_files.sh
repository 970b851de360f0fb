#!/bin/sh
# Mechanisms from files: planar ones move as the same systems of points and rods, to round-off;
# diagnose describes their joints; errors in a file are reported with their place.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
cp "$SHAKEDOWN_SOURCE"/studies/mechanisms/*.yaml .

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
below "$difference" 1e-13
ok_if $? "two four-bar loops of bodies move as those of points and rods: $difference"
last "$(mechanism parallelogram)" rattle 0.01 0.4
tips 1 2 <values >ours
last 'parallelogram(base=1.5,gravity=1)' rattle 0.01 0.4
awk '(NR - 1) % 4 < 2' values >theirs
difference=$(apart ours theirs)
below "$difference" 1e-13
ok_if $? "... and a parallelogram: $difference"
last "$(mechanism pendulum)" rattle 0.01 0.4
awk 'NR < 3 { printf "%.17g\n", 2 * $1 }' values >ours
last 'pendulum(angle=90deg,gravity=9.81)' rattle 0.01 0.4
difference=$(apart ours values)
below "$difference" 1e-13
ok_if $? "... a pendulum in space: $difference"
last "$(mechanism bricard)" 'rattle(linear=svd)' 0.01 0.1
awk '{ x[NR] = $1 } END { for (j = 1; j <= 3; j++) printf "%.17g\n", x[j] + x[j + 3] / 2 }' values >ours
last bricard 'rattle(linear=svd)' 0.01 0.1
head -n 3 values >theirs
difference=$(apart ours theirs)
below "$difference" 1e-13
ok_if $? "... Bricard's mechanism of 60 rows as that of 33: $difference"
last "$(mechanism steady-precession)" rattle 0.01 0.4
awk '{ x[NR] = $1 } END { for (i = 1; i <= 3; i++) for (k = 0; k < 3; k++) print x[3 * k + i] }' values >ours
last lagrange-top rattle 0.01 0.4
difference=$(apart ours values)
below "$difference" 1e-13
ok_if $? "... and a top about its pivot: $difference"

# ---- diagnose ----

"$SHAKEDOWN" diagnose "$(mechanism four-bar)" --precision double --trial-seconds 1 >said
is_text "$(sed -n 's/^  mobility *//p' said)" \
  "-2 by Grübler's count (18 of the bodies, 20 rows of joints), 1 by rank" "mobility of a planar loop in space"
is_text "$(sed -n 's/^  D  *//p' said | sed 's/force (-*[0-9.e-]*, -13.715/force (…, -13.715/; s/, -*[0-9.e-]*)$/, …)/')" \
  "revolute, rows 34 to 38; 3 of them implied by A, B, C; force (…, -13.715, indeterminate), torque (indeterminate, indeterminate, …)" \
  "rows of the joint that closes it, and its wrench"
is_text "$(grep -c indeterminate said)" 4 "F_z, T_x and T_y of all four hinges are indeterminate"
"$SHAKEDOWN" diagnose "$(mechanism pendulum)" --precision double --trial-seconds 1 >said
sed -n 's/^  hinge .*force (\([^,]*\), \([^,]*\), .*/\1 \2/p' said |
  awk '{ exit !($1 * $1 < 1e-20 && $2 == 4.905) }'
ok_if $? "a pendulum released horizontally hangs on half of its weight"

# Steady precession on a ball joint: F = m (a - g), with the centre on a circle at the rate 0.5.
sed '/pivot/d' steady-precession.yaml >ball.yaml
printf 'joints:\n  - {name: ball, type: spherical, between: [ground, top], at: [0, 0, 0]}\n' >>ball.yaml
"$SHAKEDOWN" diagnose "$(mechanism ball)" --precision double --trial-seconds 1 >said
sed -n 's/^  ball .*force (\([^,]*\), \([^,]*\), \([^)]*\)), torque (0, 0, 0)$/\1 \2 \3/p' said |
  awk '{ exit !($1 * $1 < 1e-20 && $2 == 0.216506 && $3 == 1) }'
ok_if $? "a ball joint carries a top in steady precession"

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
four-bar|s/mass: 1, shape: {box: \[1,/shape: {box: [1,/|wrong.yaml:7:5: the key "mass" is missing, or a density with a shape
four-bar|s/box: \[1,/bax: [1,/|wrong.yaml:7:38: unknown shape "bax": did you mean box?
four-bar|s/name: B/name: A/|wrong.yaml:11:5: found the name "A" a second time
pendulum|s/0.24, 0.02/0.24, 0.5/|wrong.yaml:5:5: "bar": no body has these moments: the largest must not be more than the two others together
pendulum|s/revolute/gear/|wrong.yaml:11:25: found "gear": joints that count turns are not supported
pendulum|s/moments: .*/shape: {rod: 1}/|wrong.yaml:11: joint "hinge" of "bar" needs a direction that the thin body lacks; give it a thickness or a pivot
four-bar|s/position: \[1, 0.5, 0\]/position: [1, 0.7, 5]/; s/at: \[1, 1, 0\]/at: [1, 1, 0], start: 1/|wrong.yaml:12: joint "C" has a start, but its second body has a pose already
EOF2

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
tap_done
