#!/bin/sh
# Mechanisms in motion: frames are states of the run at its sample times; rods keep their length;
# systems without a picture are refused; the same bytes each time.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"

# quiet ARGUMENT...
quiet() {
  "$SHAKEDOWN" "$@" >out 2>err </dev/null
}

# frames FILE.gif: how many images it has
frames() {
  python3 - "$1" <<'PY'
import sys
d = open(sys.argv[1], "rb").read()
at, count = 13 + (3 * 2 ** ((d[10] & 7) + 1) if d[10] & 0x80 else 0), 0
while d[at] != 0x3B:
    image = d[at] == 0x2C
    count += image
    at += 11 + (3 * 2 ** ((d[at + 9] & 7) + 1) if d[at + 9] & 0x80 else 0) if image else 2
    while d[at]:
        at += d[at] + 1
    at += 1
print(count)
PY
}

# ---- frames are states ----
holds "simulate draws a motion" quiet simulate double-pendulum rattle --step 0.02 --until 2 --animate one.gif
is_text "$(wc -l <out)" 102 "... and still writes its rows"
is_text "$(head -c 6 one.gif)" GIF89a "... as an animated GIF"
is_text "$(frames one.gif)" 101 "every state is a frame"
quiet simulate double-pendulum rattle --step 0.02 --until 2 --animate again.gif
holds "made twice it is the same" cmp -s one.gif again.gif
quiet simulate pendulum rattle --step 0.01 --until 9 --animate many.gif
count=$(frames many.gif)
[ "$count" -le 401 ] && [ "$count" -ge 200 ]
ok_if $? "there are at most 400 frames and the last ($count)"

quiet simulate double-pendulum rattle --step 0.02 --until 2 --plot run.svg --animate one.gif
ok_if $? "a run is drawn, too"
is_text "$(wc -l <out) $(frames one.gif)" "102 101" "... beside its rows and its animation"
is_text "$(grep -o "stroke='black'  d='M[0-9., L]* Z" run.svg | sort -u | wc -l)" 4 "... in four panels, of energy, path and both constraints"
holds "... with the problem's name" grep -q 'double.*pendulum' run.svg
quiet simulate double-pendulum 'baumgarte(alpha=100)' --step 0.1 --until 20 --plot stopped.svg
is_text "$? $(grep -c '= 1.3<' stopped.svg)" "3 3" "a run that stops is drawn until there"
# A projected pendulum runs down from -0.16 to -0.96, and lies on its circle.
quiet simulate 'pendulum(angle=0.7,rate=1.1)' verlet-projected --step 0.05 --until 100 --plot falls.svg
[ "$(grep -c '>−0.8<' falls.svg)" = 1 ] && ! grep -q '>−0.9<' falls.svg && grep -q '−16' falls.svg
ok_if $? "the energy, and the round-off of the constraints, are those of the run"
quiet simulate 'chain(links=6,dimension=3)' rattle --step 0.05 --until 1 --plot run.svg
is_text "$(sed -n 's/.*italic" >q<.*px">\([0-9]\)<.*/\1/p' run.svg | tr '\n' ' ')" "1 3 " \
  "the path is that of coordinates that change"
quiet simulate stiff-valley rattle --step 0.05 --until 2 --plot run.png
[ $? -eq 0 ] && [ "$(head -c 4 run.png | tail -c 3)" = PNG ]
ok_if $? "a problem without a picture is drawn, and as PNG"

make_study states 'problems: [double-pendulum], integrators: [rattle], steps: [0.02], until: 6,
  measures: [energy]' 'figures: [motion, {kind: trajectory, axes: [q3, q4]}]'
quiet run states.yaml -o states.db
holds "a study draws its motion" quiet plot states.db -o states --type svg
# block FILE TEXT: the rows of a block
block() {
  awk -v text="$2" '/^# \[/ { on = index($0, text) > 0; head = 1; next } head { head = 0; next } on && NF' "$1"
}
block states/motion-double-pendulum-double.dat 'time; x' >rows
awk 'NR % 5 == 0 { print $1, $2, $3 }' rows >path
block states/trajectory-double-pendulum-double.dat 'rattle' | awk '{ print $1, $2, $3 }' >places
[ "$(wc -l <path)" -gt 100 ] && cmp -s path places
ok_if $? "the path of the last point is that of the states"
awk '$8 == 0 { n++; r = sqrt($5^2 + $6^2); if (r < 1 - 1e-7 || r > 1 + 1e-7) bad++ } $8 == 3 { points++ }
  END { exit !(n > 200 && n == points && !bad) }' rows
ok_if $? "rods keep their length in all states"

(cd states && gnuplot -e "type='gif'" motion-double-pendulum-double.gp 2>/dev/null)
is_text "$(frames states/motion-double-pendulum-double.gif)" "$(wc -l <path)" "gnuplot animates the figure of a study"

# ---- several methods, side by side ----
make_study beside 'problems: [double-pendulum], integrators: [rattle, shake, "baumgarte(alpha=600)"], steps: [0.006], until: 3,
  times: {even: 500},
  measures: [energy]' 'figures: [motion]'
quiet run beside.yaml -o beside.db
quiet plot beside.db -o beside --type svg
beside=beside/motion-double-pendulum-double
(cd beside && gnuplot -e "type='gif'" motion-double-pendulum-double.gp 2>/dev/null)
is_text "$(frames $beside.gif)" "$(block $beside.dat 'time; x' | cut -f 1 | sort -u | wc -l)" "each time is one frame of all methods"
# wide FILE.gif: its width
wide() {
  od -An -tu2 -j6 -N2 "$1" | tr -d ' '
}
[ "$(wide $beside.gif)" -gt $((3 * $(wide states/motion-double-pendulum-double.gif) / 2)) ]
ok_if $? "... which are side by side"
sed "s/set output tex.*/print ''/; s/set terminal gif.*/set terminal svg/; s/^    size 480.*//" beside/templates/page.gp >page
cp page beside/templates/page.gp
(cd beside && gnuplot -e "type='gif'" motion-double-pendulum-double.gp) >frames 2>&1
is_text "$(grep -c '>t = ' frames) $(grep -o '>shake<' frames | wc -l) $(grep -o '>baumgarte.*stopped<' frames | wc -l)" \
  "753 251 $((251 - $(grep -o "states = '[0-9 ]*" $beside.gp | cut -d ' ' -f 5)))" "... with the time and the name of each"

# ---- what it is not ----
quiet simulate harmonic-sphere rattle --step 0.01 --until 0.5 --animate none.gif
is_text $? 3 "a problem without a picture is refused"
holds "... with the reason" grep -q 'harmonic-sphere does not say what it looks like' err
holds "... and nothing is drawn" [ ! -e none.gif ]
make_study none 'problems: [harmonic-sphere], integrators: [rattle], steps: [0.01], until: 0.5,
  measures: [energy]' 'figures: [motion]'
quiet run none.yaml -o none.db
quiet plot none.db -o none
is_text $? 3 "nor is it drawn of a study"
holds "... with the reason" grep -q 'harmonic-sphere does not say' err

holds "648 atoms are drawn" quiet simulate water-box rattle --step 0.001 --until 0.01 --animate box.gif

# ---- problems ----
# Every problem that RATTLE takes as it is has a picture; of the others, why not.
cat >refused <<'EOF'
harmonic-sphere does not say what it looks like
coupled-spheres does not say what it looks like
lifted-rotation does not say what it looks like
zero-angular-momentum does not say what it looks like
energy-surface nondegeneracy fails
index-one does not say what it looks like
stiff-valley does not say what it looks like
vertical-plane does not say what it looks like
product does not say what it looks like
beads-on-line the constraints are redundant
bricard the constraints are redundant
duplicate the constraints are redundant
index-five nondegeneracy fails
gauge nondegeneracy fails
non-coisotropic coisotropy fails
knife-edge is nonholonomic
particles needs the option file
mechanism needs the option file
program needs the option command
jay has general differential-algebraic equations
EOF
quiet list problems --format csv
sed '1d; s/,.*//' out >registered
is_text "$(cut -d ' ' -f 1 refused | grep -vxFf registered)" "" "those without one are registered"
while read -r problem; do
  reason=$(sed -n "s/^$problem //p" refused)
  quiet simulate "$problem" rattle --step 1e-4 --until 1e-3 --animate shown.gif
  shown=$?
  if [ -n "$reason" ]; then
    [ $shown -ne 0 ] && grep -qF "$reason" err
  else
    [ $shown -eq 0 ] && [ "$(frames shown.gif)" -gt 5 ]
  fi
  ok_if $? "$problem: ${reason:-has a picture}" || diag "$(cat err)"
done <registered
for problem in 'chain(links=6,dimension=3)' 'alkane(carbons=5)' 'fekete(points=6)'; do
  holds "$problem has a picture" quiet simulate "$problem" rattle --step 1e-4 --until 1e-3 --animate shown.gif
done
quiet simulate bricard 'rattle(linear=svd)' --step 0.01 --until 0.2 --animate bricard.gif
ok_if $? "Bricard's mechanism has one, in space"
# The doubled row changes nothing of what is seen.
quiet simulate lemniscate 'rattle(linear=svd)' --step 0.01 --until 0.2 --animate bare.gif
quiet simulate 'duplicate(lemniscate)' 'rattle(linear=svd)' --step 0.01 --until 0.2 --animate twice.gif
holds "a problem within another is drawn as it is alone" cmp -s bare.gif twice.gif

# ---- plug-ins: their points come from a worker ----
sed 's/double-pendulum/mirror-pendulum/; s/^    double_pendulum, /    mirror, /' \
  "$SHAKEDOWN_SOURCE/problems/pendulums/double_pendulum.c" >mirror.c
mkdir -p problems/kit
for header in "$SHAKEDOWN_SOURCE"/problems/kit/*.h; do # which include each other from their folder
  sed 's|"problems/kit/|"|' "$header" >"problems/kit/${header##*/}"
done
holds "a problem is built out of the tree" quiet plugin build mirror.c
quiet simulate mirror-pendulum rattle --step 0.02 --until 2 --plugin ./mirror.so --animate mirror.gif
ok_if $? "its motion is drawn"
holds "... and is that of the one in the tree, byte for byte" cmp -s one.gif mirror.gif
sed 's/{0, 1, false}/{0, 7, false}/' mirror.c >wrong.c
sed -i 's/mirror-pendulum/wrong-pendulum/; s/^    mirror, /    wrong, /' wrong.c
quiet plugin build wrong.c
quiet simulate wrong-pendulum rattle --step 0.02 --until 1 --plugin ./wrong.so --animate wrong.gif
is_text $? 3 "a line to a point that is not there is refused"
holds "... with the reason" grep -q 'joins points that do not exist' err
sed 's/SHK_PICTURE_PLANE(2)/SHK_PICTURE_PLANE(2000000000)/; s/mirror-pendulum/huge-pendulum/; s/^    mirror, /    huge, /' mirror.c >huge.c
quiet plugin build huge.c
quiet simulate huge-pendulum rattle --step 0.02 --until 1 --plugin ./huge.so --animate huge.gif
is_text $? 3 "so are more points than can be told apart"
holds "... with the reason" grep -q 'more than 3000 points' err

tap_done
