#!/bin/sh
# Mechanisms in motion: what is shown are states of the run, where the run has them; rods keep their
# length in every frame; what has no picture is refused; texts stay texts; the same bytes each time.
set -u
# shellcheck disable=SC2016,SC2012,SC1003 # names that a shell is not to see
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"

# quiet ARGUMENT...
quiet() {
  "$SHAKEDOWN" "$@" >out 2>err </dev/null
}

# One frame a line: time, then what its path of that stroke width (20: rods, 50: dots) holds.
frames() {
  sed -n "s|^<g class=\"[a-z0-9-]*-frame .*<path stroke-width=\"$2\" d=\"\([^\"]*\)\".*>t0 + \([-0-9.]*\).*|\2 \1|p" "$1"
}

# ---- frames are states ----
quiet simulate double-pendulum rattle --step 0.02 --until 6 --motion one.svg
ok_if $? "simulate draws a motion"
cp out rows.csv
is_text "$(wc -l <rows.csv)" 302 "... and still writes its rows"
is_text "$(frames one.svg 20 | wc -l)" 301 "every state is a frame"

# A linear map takes q to places: found from the rows that are farthest apart, it holds for all.
frames one.svg 50 | sed 's/[Mh]/ /g' | awk '{print $2, $3, $5, $6}' >places
sed 1d rows.csv | awk -F, '{print $2, $3, $4, $5}' >states
paste -d ' ' states places | awk '
  {
    for (i = 1; i <= 8; i++) v[NR, i] = $i
    for (i = 3; i <= 4; i++) {
      if (NR == 1 || $i < low[i]) { low[i] = $i; at_low[i] = NR }
      if (NR == 1 || $i > high[i]) { high[i] = $i; at_high[i] = NR }
    }
  }
  END {
    for (i = 3; i <= 4; i++) {
      scale[i] = (v[at_high[i], i + 4] - v[at_low[i], i + 4]) / (high[i] - low[i])
      zero[i] = v[at_low[i], i + 4] - scale[i] * low[i]
    }
    worst = 0
    for (n = 1; n <= NR; n++)
      for (i = 1; i <= 4; i++) {
        k = i % 2 ? 3 : 4
        off = v[n, i + 4] - zero[k] - scale[k] * v[n, i]
        if (off < 0) off = -off
        if (off > worst) worst = off
      }
    ratio = -scale[4] / scale[3]
    where = (worst <= 1.5) ? "where they belong" : "off by " worst " tenths of a pixel"
    axes = (ratio > 0.999 && ratio < 1.001) ? "equal" : ratio
    print NR * 4 " places " where ", axes " axes
  }' >fit
is_text "$(cat fit)" '1204 places where they belong, axes equal' \
  "points are where the states are, with one scale"
frames one.svg 20 | awk '
  { split($0, part, "l"); for (i = 2; i <= 3; i++) { split(part[i], d, /[ M]/); r = sqrt(d[1]^2 + d[2]^2); if (!n++ || r < low) low = r; if (r > high) high = r } }
  END { print (n == 602 && low > 100 && high - low < 3) ? "rods keep their length" : n " rods from " low " to " high }' >rods
is_text "$(cat rods)" 'rods keep their length' "in all frames"

# Many rows: some of them, and the last.
quiet simulate pendulum rattle --step 0.01 --until 50 --motion many.svg
is_text "$(frames many.svg 20 | tail -n 1 | cut -d ' ' -f 1)" 50.0 "the last state is the last frame"
count=$(frames many.svg 20 | wc -l)
[ "$count" -le 401 ] && [ "$count" -ge 200 ]
ok_if $? "there are at most 400 frames and the last ($count)"

# ---- what it is not ----
quiet simulate harmonic-sphere rattle --step 0.01 --until 0.5 --motion none.svg
is_text $? 3 "a problem without a picture is refused"
grep -q 'harmonic-sphere does not say what it looks like' err
ok_if $? "... with the reason"
[ ! -e none.svg ]
ok_if $? "... and nothing is drawn"
cat >none.yaml <<'Y'
study: none
runs:
  - {problems: [harmonic-sphere], integrators: [rattle], steps: [0.01], until: 0.5, measures: [energy]}
figures: [motion]
Y
quiet run none.yaml -o none.db
quiet plot none.db -o none
is_text $? 3 "nor is it drawn of a study"
grep -q 'harmonic-sphere does not say' err
ok_if $? "... with the reason"

! grep -qiE '<script|onload=|href="[^#]|url\([^#]|@import' one.svg
ok_if $? "it has no script and loads nothing"
grep -q '@media screen and (prefers-reduced-motion:no-preference)' one.svg
ok_if $? "it moves on screens whose user allows it"
is_text "$(grep -c '^<g class="[a-z0-9-]*-frame .* visibility="hidden">' one.svg)" 301 \
  "elsewhere its frames are hidden"
quiet simulate water-box rattle --step 0.001 --until 0.05 --motion box.svg
[ "$(wc -c <box.svg)" -lt 2000000 ]
ok_if $? "648 atoms take less than 2 MB ($(wc -c <box.svg))"

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
pair does not say what it looks like
beads-on-line the constraints are redundant
bricard the constraints are redundant
duplicate the constraints are redundant
index-five nondegeneracy fails
gauge nondegeneracy fails
non-coisotropic coisotropy fails
knife-edge is nonholonomic
particles needs the option file
jay has general differential-algebraic equations
EOF
quiet list problems --format csv
sed '1d; s/,.*//' out >registered
is_text "$(cut -d ' ' -f 1 refused | grep -vxFf registered)" "" "those without one are registered"
while read -r problem; do
  reason=$(sed -n "s/^$problem //p" refused)
  quiet simulate "$problem" rattle --step 1e-4 --until 2e-3 --motion shown.svg
  shown=$?
  if [ -n "$reason" ]; then
    [ $shown -ne 0 ] && grep -qF "$reason" err
  else
    [ $shown -eq 0 ] && [ "$(grep -c -- '-frame ' shown.svg)" -gt 20 ] &&
      ! grep -q 'nan\|inf"' shown.svg
  fi
  verdict=$?
  ok_if $verdict "$problem: ${reason:-has a picture}"
  [ $verdict -eq 0 ] || diag "$(cat err)"
done <registered
for problem in 'chain(links=6,dimension=3)' 'alkane(carbons=5)' 'fekete(points=6)'; do
  quiet simulate "$problem" rattle --step 1e-4 --until 2e-3 --motion shown.svg
  [ "$(grep -c -- '-frame ' shown.svg)" -gt 20 ]
  ok_if $? "$problem has a picture"
done
quiet simulate bricard 'rattle(linear=svd)' --step 0.01 --until 1 --motion bricard.svg
ok_if $? "Bricard's mechanism has one, in space"
grep -q 'seen from 30° beside and 20° above' bricard.svg
ok_if $? "... and says how it is seen"
is_text "$(frames bricard.svg 20 | head -n 1 | tr -cd M | wc -c)" 5 "... as five rods"
# The doubled row changes nothing of what is seen.
quiet simulate lemniscate 'rattle(linear=svd)' --step 0.01 --until 2 --motion bare.svg
quiet simulate 'duplicate(lemniscate)' 'rattle(linear=svd)' --step 0.01 --until 2 --motion twice.svg
frames bare.svg 50 >a
frames twice.svg 50 | awk '{print}' >b
cmp -s a b && [ -s a ]
ok_if $? "a problem within another is drawn as it is alone"

# ---- studies: several methods, every type, names that are texts ----
cp "$SHAKEDOWN_SOURCE/studies/systems/linkage.yaml" 'odd_`$(touch touched)` & 50% #1 {a}^~\b <script>.yaml'
cat >evil.yaml <<'Y'
study: evil
purpose: </script><script>alert(1)</script> `touch touched` $(touch touched) a_b \LaTeX
runs:
  - problems:
      - 'particles(file="odd_`$(touch touched)` & 50% #1 {a}^~\\b <script>.yaml")'
    integrators: [rattle, shake]
    steps: [0.01]
    until: 2
    measures: [energy]
figures: [motion]
Y
quiet run evil.yaml -o evil.db
quiet plot evil.db -o first --type pdf,png,tex
ok_if $? "a study draws its motion in every type"
is_text "$(ls first | sed 's/.*double//' | tr '\n' ' ')" '-latex.pdf -latex.tex .dat .gp .pdf .png .svg ' \
  "... and as SVG, in which it moves"
quiet plot evil.db -o second --type pdf,png,tex
diff -r first second >/dev/null
ok_if $? "made twice it is the same"
svg=$(echo first/*.svg)
grep -qF 'odd_`$(touch touched)` &amp; 50% #1 {a}^~\' "$svg" && ! grep -qi '<script' "$svg"
ok_if $? "names are texts in it"
[ ! -e touched ] && [ ! -e first/touched ]
ok_if $? "... and no shell saw them"
if command -v xmllint >/dev/null; then
  xmllint --noout --nonet "$svg" 2>err
  ok_if $? "it is well-formed"
else
  skip "xmllint is not installed"
fi
grep -q 'class="method method-1".*class="method method-2"' "$svg"
ok_if $? "both methods are in one frame, each with its class"

# ---- plug-ins: their points come from a worker ----
sed 's/double-pendulum/mirror-pendulum/; s/SHK_PROVIDE(double_pendulum/SHK_PROVIDE(mirror/' \
  "$SHAKEDOWN_SOURCE/problems/pendulums/double_pendulum.c" >mirror.c
quiet plugin build mirror.c
ok_if $? "a problem is built out of the tree"
quiet simulate mirror-pendulum rattle --step 0.02 --until 6 --plugin ./mirror.so --motion mirror.svg
ok_if $? "its motion is drawn"
sed 's/mirror-pendulum/double-pendulum/g' mirror.svg >there.svg
cmp -s one.svg there.svg
ok_if $? "... and is that of the one in the tree, byte for byte"
sed 's/{0, 1, false}/{0, 7, false}/' mirror.c >wrong.c
sed -i 's/mirror-pendulum/wrong-pendulum/; s/SHK_PROVIDE(mirror/SHK_PROVIDE(wrong/' wrong.c
quiet plugin build wrong.c
quiet simulate wrong-pendulum rattle --step 0.02 --until 1 --plugin ./wrong.so --motion wrong.svg
is_text $? 3 "a line to a point that is not there is refused"
grep -q 'joins points 0 and 7' err
ok_if $? "... with the reason"
sed 's/\.point_count = 2/.point_count = 2000000000/; s/mirror-pendulum/huge-pendulum/; s/SHK_PROVIDE(mirror/SHK_PROVIDE(huge/' mirror.c >huge.c
quiet plugin build huge.c
quiet simulate huge-pendulum rattle --step 0.02 --until 1 --plugin ./huge.so --motion huge.svg
is_text $? 3 "so are more points than can be told apart"
grep -q 'more than 3000 points' err
ok_if $? "... with the reason"

# ---- in a browser ----
if ! command -v chromium >/dev/null; then
  skip_without chromium "chromium is not installed"
  tap_done
fi
cat >watch.js <<'JS'
const said = [];
const seen = () => [...document.querySelectorAll("[class*='-frame']")].filter((f) => getComputedStyle(f).visibility === "visible");
const still = () => [...document.querySelectorAll("[id*='-curve-'][class*='method']")].filter((f) => f.id.endsWith("a") && getComputedStyle(f).visibility === "visible").length;
const all = document.getAnimations();
said.push("moves=" + (all.length > 0));
for (const at of [0, 3, 1234.5, 7000, 14999, 15500, 15999]) {
  for (const one of all) { one.pause(); one.currentTime = at; }
  said.push(`at ${at}=` + seen().map((f) => f.textContent.trim()).join("|"));
}
said.push("still=" + still());
document.body.replaceChildren(document.createTextNode("\n" + said.join("\n") + "\n"));
JS
{
  printf '<!DOCTYPE html><body>'
  sed 1d one.svg
  printf '<script>'
  cat watch.js
  printf '</script></body>'
} >page.html
browse() {
  timeout 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$top/profile" \
    --host-resolver-rules='MAP * ~NOTFOUND' "$@" --dump-dom "file://$top/page.html" 2>/dev/null
}
browse >dom.txt
# 301 states in 15.05 seconds and one for the last.
for want in 'moves=true' 'at 0=t0 + 0.00' 'at 3=t0 + 0.00' 'at 1234.5=t0 + 0.48' 'at 7000=t0 + 2.78' \
  'at 14999=t0 + 5.96' 'at 15500=t0 + 6.00' 'at 15999=t0 + 6.00' 'still=0'; do
  grep -qxF -e "$want" dom.txt
  verdict=$?
  ok_if $verdict "in a browser: $want"
  [ $verdict -eq 0 ] || diag "$(grep -F -e "${want%%=*}=" dom.txt)"
done
browse --force-prefers-reduced-motion >dom.txt
for want in 'moves=false' 'at 7000='; do
  grep -qxF -e "$want" dom.txt
  ok_if $? "where less motion is wished for: $want"
done
still=$(sed -n 's/^still=//p' dom.txt)
[ "${still:-0}" -ge 12 ]
ok_if $? "... the still is seen ($still layers)"
tap_done
