#!/bin/sh
# Kinds of figures, from small studies: their data are compared with values from geometry, from
# theory, or from the records.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"

if ! gnuplot --version >/dev/null 2>&1; then
  skip "gnuplot is not installed"
  tap_done
fi

# block FILE TEXT [NAME]: the rows of the blocks whose head has the text, of the curve of that name
block() {
  awk -F '\t' -v text="$2" -v name="${3-}" '
    /^# \[/ { on = index($0, text) > 0; head = 1; next } /^#/ { next }
    head { on = on && (name == "" || $1 == name); head = 0; next }
    on && NF && $1 != "NaN"' "$1"
}

# setting FILE NAME: the value of a setting
setting() {
  grep -o "\b$2 = [^;]*" "$1" | head -n 1 | sed "s/^$2 = //; s/'//g"
}

# draw NAME: runs NAME.yaml and draws its figures into NAME/
draw() {
  "$SHAKEDOWN" run "$1.yaml" -q >"$1.out" 2>&1
  "$SHAKEDOWN" plot "$1.db" -o "$1" --all --type svg >>"$1.out" 2>&1
  ok_if $? "$1: runs and is drawn"
  [ -d "$1" ] || diag "$(cat "$1.out")"
}

# ---- portraits and selection ----
cat >portraits.yaml <<'END'
study: portraits
runs:
  - problems: ["pendulum(angle=2.5)", dimer]
    integrators: [rattle, "rattle(linear=svd)", shake]
    steps: [0.05, 0.025]
    until: 10
    measures: [energy, constraint]
  - problems: [pendulum]
    integrators: [rattle]
    steps: [0.05]
    until: 1000
    times: [250, 600, 800, 900, 950, 1000]
    measures: [energy]
figures:
  - {kind: phase, problems: ["pendulum(angle=2.5)"], integrators: [rattle], step: 0.05}
  - {kind: trajectory, name: second, problems: [dimer], axes: [q4, q6], width: 17.8}
  - {kind: energy, problems: [dimer], integrators: [shake], step: 0.025}
  - {kind: trajectory, name: coarse, problems: ["pendulum(angle=90deg)"]}
END
draw portraits
is_text "$(cd portraits && ls ./*.svg | tr '\n' ' ')" \
  "./coarse-pendulum-double.svg ./energy-dimer-double.svg ./phase-pendulum-angle-2-5-double.svg ./second-dimer-double.svg " \
  "the figures that are asked for, of what is selected, by the names that are given"
phase=portraits/phase-pendulum-angle-2-5-double
is_text "$(grep -c '^# \[[0-9]*\] .*, rattle' $phase.dat)" 2 "a bare name selects all options of an integrator"
grep -q 'rattle, step 0.05' $phase.dat && ! grep -q 'step 0.025\|shake' $phase.dat
ok_if $? "of the step that is asked for, and nothing else"
block $phase.dat 'rattle, step' rattle >rows
holds "every point of a portrait is on the pendulum's own curve, p1^2 = 2 (E - y) y^2" awk \
  'function miss(y,   v) { v = 2 * (-cos(2.5) - y) * y * y - $3 * $3; return v < 0 ? -v : v }
   { n++; y = $2 < 1 && $2 > -1 ? sqrt(1 - $2 * $2) : 0; if (miss(y) > 0.01 && miss(-y) > 0.01) bad++ }
   END { exit !(n == 201 && !bad) }' rows
# pieces FILE: how many pieces the longest line has
pieces() {
  awk '/<path/ { n = 0 } { n += gsub(/L/, "L"); if (n > most) most = n } END { print most }' "$1"
}
holds "samples that follow each other closely are joined" [ "$(pieces $phase.svg)" -ge 190 ]
holds "samples far apart are not" [ "$(pieces portraits/coarse-pendulum-double.svg)" -lt 100 ]
holds "but are marked" [ "$(grep -c '<use ' portraits/coarse-pendulum-double.svg)" -ge 7 ]
is_text "$(setting portraits/energy-dimer-double.gp colour_1)" blue \
  "a method that is drawn alone has the style that it has in all studies"
is_text "$(sed -n 's/.*) width = //p' portraits/second-dimer-double.gp $phase.gp | tr '\n' ' ')" '17.8 8.6 ' \
  "the width that the study gives, and the default"

# ---- the drift line ----
cat >drift.yaml <<'END'
study: drift
runs:
  - problems: ["pendulum(angle=0.7,rate=1.1)"]
    integrators: [shake, "shake(tolerance=1e-3)", "shake(tolerance=1e-4)", "shake(tolerance=1e-5)", "shake(tolerance=1e-9)"]
    steps: [0.04]
    until: 1000
    measures: [energy]
figures:
  - {kind: energy, integrators: ["shake(tolerance=1e-4)"]}
  - tolerance
labels: {shake: SHAKE}
END
draw drift
energy=drift/energy-pendulum-double.dat
block $energy 'energy-error' >rows
script=drift/energy-pendulum-double.gp
holds "the drift line passes through the mean of the run, with its slope and the half-width of that" awk \
  -v line="$(setting $script mean)" -v slope="$(setting $script slope)" -v half="$(setting $script half)" \
  '{ sum += $3; n++ }
   END { mean = sum / n; d = line - mean
     exit !(n > 2 && d * d < 1e-4 * mean * mean && slope > 1e-6 && slope < 1e-5 && half > 0 && half < slope) }' \
  rows
tolerance=drift/tolerance-pendulum-double.dat
block $tolerance 'tolerance, slope' SHAKE >rows
holds "loose solves drift, tight ones do not" awk \
  '$1 == 0 { next } { n++; s = $2 < 0 ? -$2 : $2 } $1 == "1e-09" && s + $3 < 3e-8 && s < $3 { tight = 1 }
   $1 == "0.0001" && s > 1e-6 && s > $3 { loose = 1 } END { exit !(n == 4 && tight && loose) }' rows
holds "what is solved to round-off is a level of its own" awk \
  '$1 == 0 { n++; level = ($2 < 0 ? -$2 : $2) + $3 } END { exit !(n == 1 && level > 0 && level < 1e-6) }' rows

# ---- edits as an author makes them, each in one line of NAME.gp ----
make_study edits 'problems: [sprung-pendulum], integrators: [rattle, projection, shake], steps: {largest: 0.1, halvings: 4},
  until: 2, measures: [order]' 'figures: [{kind: order, down: [q]}]'
draw edits
edited=edits/order-sprung-pendulum-q
cp $edited.gp settings
(cd edits && gnuplot order-sprung-pendulum-q.gp && cp order-sprung-pendulum-q.svg ../plain.svg)
# edit NAME SED TEXT WHAT: after this edit of one line the figure has the text, which it had not before
edit() {
  sed "$2" settings >$edited.gp
  is_text "$(diff settings $edited.gp | grep -c '^>')" 1 "$1: an edit of one line"
  (cd edits && gnuplot order-sprung-pendulum-q.gp) >log 2>&1
  ok_if $? "... with which it is drawn" || diag "$(cat log)"
  holds "... and $4" grep -q "$3" $edited.svg
  ! grep -q "$3" plain.svg
  ok_if $? "... which it was not before"
}
edit "a label" "s/^xlabel = .*/xlabel = 'my step'/" '>my step<' "the label is on the axis"
edit "a range" "s/^y = '[^']*'/y = '1e-21:1e3'/" '>−20<' "the axis goes there"
edit "a colour alone" "s/colour_1 = '[a-z]*'/colour_1 = '#123456'/" '18,  52,  86' "the colour is drawn"
is_text "$(grep -o "gpPt[0-9]*'" $edited.svg | sort | uniq -c)" "$(grep -o "gpPt[0-9]*'" plain.svg | sort | uniq -c)" \
  "... and the marks are as they were"
edit "a mark alone" "s/mark_1 = '[a-z]*'/mark_1 = 'diamond'/" "xlink:href='#gpPt12'" "the mark is drawn"
is_text "$(grep -o "stroke='rgb([^)]*)'" $edited.svg | sort -u)" "$(grep -o "stroke='rgb([^)]*)'" plain.svg | sort -u)" \
  "... and the colours are as they were"
sed "s/^key = '[^']*'/key = '0.5 0.55'/" settings >$edited.gp
(cd edits && gnuplot order-sprung-pendulum-q.gp) >log 2>&1
ok_if $? "the place of the legend: an edit of one line"
# place FILE: where the name of the first method is
place() {
  grep -B 1 '>rattle' "$1" | sed -n 's/.*translate(\([0-9.]*\),\([0-9.]*\)).*/\1 \2/p' | head -n 1
}
{ place plain.svg; place $edited.svg; } | awk '{ x[NR] = $1; y[NR] = $2 } END { exit !(NR == 2 && x[2] > 150 && x[2] < 250 && y[1] != y[2]) }'
ok_if $? "... where it is drawn"
sed "/^name_2 = /d" settings >$edited.gp
(cd edits && gnuplot order-sprung-pendulum-q.gp) >log 2>&1
ok_if $? "a method is left out: its line is deleted"
grep -q '>projection' plain.svg && ! grep -q '>projection' $edited.svg && grep -q '>shake' $edited.svg
ok_if $? "... and only it is missing"
sed "s/colour_1 = '[a-z]*'/colour_1 = 'bleu'/" settings >$edited.gp
(cd edits && gnuplot order-sprung-pendulum-q.gp) >log 2>&1
[ $? -ne 0 ] && grep -q 'found the colour bleu, expected #rrggbb or one of: blue vermilion' log
ok_if $? "a colour that does not exist is an error"
sed "s/more = ''/more = 'set ytics (7e-5)'/" settings >$edited.gp
(cd edits && gnuplot order-sprung-pendulum-q.gp) >log 2>&1
ok_if $? "any command of gnuplot can be added"
cp settings $edited.gp

# ---- styles of a study, and of a file ----
make_study styled 'problems: [sprung-pendulum], integrators: [rattle, shake], steps: {largest: 0.1, halvings: 3},
  until: 2, measures: [order]' 'figures: [{kind: order, down: [q]}]
style: {shake: {colour: "#010203"}, rattle: {mark: diamond, on-top: yes}}
range: {order: {y: [1e-9, 10]}}'
draw styled
styled=styled/order-sprung-pendulum-q.gp
is_text "$(setting $styled colour_2) $(setting $styled mark_2) $(setting $styled line_2)" "#010203 circle solid" \
  "a colour alone is changed"
is_text "$(setting $styled colour_1) $(setting $styled mark_1)" "vermilion diamond" "a mark alone"
is_text "$(setting $styled order | cut -d ' ' -f 1-2)" "2 1" "the method on top is drawn last"
is_text "$(setting $styled y)" "1.0e-09:10" "the range is that of the study"
printf 'style: {rattle: {colour: sky-blue}, baumgarte: {colour: grey}}\nlabels: {rattle: Mine}\n' >look.yaml
"$SHAKEDOWN" plot styled.db -o styled --all --type svg --style look.yaml >log 2>&1
ok_if $? "a file of styles may name methods of other studies"
is_text "$(setting $styled colour_1) $(setting $styled mark_1) $(setting $styled name_1)" "sky-blue diamond Mine" \
  "... and replaces what it says"
printf 'style: {rattel: {colour: blue}}\n' >look.yaml
"$SHAKEDOWN" plot styled.db -o styled --style look.yaml >log 2>&1
[ $? -eq 2 ] && grep -q 'look.yaml:1:9: .*rattel' log
ok_if $? "an integrator that does not exist is an error, with its place"

printf 'range: {order: {y: [0, 1]}}\n' >look.yaml
"$SHAKEDOWN" plot styled.db -o styled --style look.yaml >log 2>&1
[ $? -ne 0 ] && grep -q 'range: order: y: found 0, expected a number above zero: the axis is logarithmic' log
ok_if $? "a logarithmic axis begins above zero"
make_study scaled 'problems: [sprung-pendulum], integrators: [rattle], steps: [0.1], until: 60, measures: [energy]' \
  'figures: [energy]
range: {energy: {y: [-0.005, 0.005]}}'
draw scaled
is_text "$(setting scaled/energy-sprung-pendulum-double.gp y)" "-5:5" "a range is one of H, whatever the unit of the axis"

make_study aside 'problems: [sprung-pendulum], integrators: [rattle, shake, projection], steps: [0.1], until: 20, measures: [energy, constraint]' \
  'figures: [constraint, {kind: constraint, name: hidden, down: [hidden]}, {kind: energy, name: line, scale: linear}, {kind: energy, name: log, scale: logarithmic}]'
draw aside
is_text "$(grep -o "aside = '[01 ]*'" aside/constraint-sprung-pendulum-double.gp | tr '\n' ' ')" "aside = '0 0 0' aside = '1 0 1' " "methods at round-off do not make the axis of the others long"
strip_of() {
  sed -n "s/.*strip = .* : '\(.*\)'.*/\1/p" "$1" | sed 's/\xc2\xa0/ /g; s/ [0-9.]* × 10⁻¹[^:]*:/ SIZE:/'
}
is_text "$(strip_of aside/constraint-sprung-pendulum-double.gp)" "round-off SIZE: rattle, projection" \
  "... a strip at the bottom names them, and the size"
is_text "$(cat aside/hidden-*.gp aside/line-*.gp | sed -n "s/^unseen = '\([^']*\)'.*/(\1)/p" | tr '\n' ' ')" "(1 3) () " \
  "a method without a curve is in no legend"
is_text "$(setting aside/constraint-sprung-pendulum-double.gp order | cut -d ' ' -f 1-3)" "2 1 3" \
  "a solid line is behind others, through whose gaps it is seen"
is_text "$(grep -c "line_[0-9] = 'solid'" aside/log-sprung-pendulum-double.gp)" 3 "curves with dashed fits are solid"
awk -F '\t' '/^# / { if (last != "") print last; last = ""; first = 1; next } NF > 4 { if (first) print $1; first = 0; last = $1 }
  END { print last }' aside/log-sprung-pendulum-double.dat | sort -n | uniq -c | awk '{ print $1 "×" $2 }' >ends
is_text "$(tr '\n' ' ' <ends)" "3×0 3×20 " "envelopes of intervals reach from the beginning to the end of the run"
is_text "$(setting aside/line-sprung-pendulum-double.gp log_y) $(setting aside/log-sprung-pendulum-double.gp log_y)" "0 1" "the energy has the scale asked for"
make_study aside 'problems: [pendulum], integrators: [rattle], steps: [0.1], until: 2' 'figures: [{kind: constraint, scale: linear}]'
"$SHAKEDOWN" run aside.yaml 2>err
is_text $? 2 "another kind has no scale"
holds "... which is said with its line" grep -q 'aside.yaml:[0-9]*:[0-9]*: found `scale` in a figure of the kind constraint, expected it only in: energy invariants' err

# ---- what tells curves apart ----
make_study wide "problems: [sprung-pendulum, double-pendulum, pendulum], integrators: [rattle, shake], steps: {largest: 0.1, halvings: 3},
  until: 2, measures: [order]" "problems: [parallelogram], integrators: ['rattle(linear=svd)', projection, shake, 'penalty(stiffness=1e4)',
  'penalty(stiffness=1e5)', 'rattle(linear=qr)'], steps: [0.05], until: 2, measures: [regularity]" \
  "problems: [double-pendulum], integrators: [rattle, ida], steps: [0.05, 0.1], tolerances: [1e-5, 3e-6, 1e-7], until: 1,
  measures: [error]" 'figures: [{kind: order, across: problems, down: [q], until: 2}, {kind: trajectory, problem: parallelogram},
  {kind: work-precision, until: 1, against: evaluations}]'
draw wide
is_text "$(setting wide/order-q.gp legend) $(setting wide/order-q.gp lettered) $(grep -c "heading = 'order'" wide/order-q.gp) \
$(grep -c "ends_at = '[0-9. ]*'; ends_x = '0[0-9.]*'" wide/order-q.gp)" \
  "below 1 3 3" "in a wide grid each panel has a letter, and orders under a heading at the ends of curves; names are below"
is_text "$(setting wide/order-q.gp order | cut -d ' ' -f 1-2) $(grep -o 'hollow_[12] = [01]; size_[12] = [0-9.]*' wide/order-q.gp | tr '\n' ' ')" \
  "2 1 hollow_1 = 0; size_1 = 0.9 hollow_2 = 1; size_2 = 1.75 " "where curves coincide, the one behind has hollow marks around the others"
make_study fitted 'problems: [sprung-pendulum], integrators: [rattle, shake, "spark(stages=3)"], steps: {largest: 0.2, halvings: 7}, until: 2, measures: [order]' \
  'figures: [{kind: order, down: [q]}, {kind: order, name: blocks, across: [q, p], width: 17.8}]
style: {"spark(stages=3)": {hollow: yes}}'
draw fitted
is_text "$(grep -o 'hollow_[123] = [01]; size_[12] = [0-9.]*' fitted/order-*.gp | tr '\n' ' ')" \
  "hollow_1 = 0; size_1 = 0.9 hollow_2 = 0; size_2 = 1.75 " "... or larger ones, if points outside the fit are hollow"
holds "... which the caption tells from a hollow style" grep -q 'Hollow marks (smaller ones of' fitted/order-*-caption.txt
awk -F '\t' '/^# / { if (n) print n; n = 0 } NF > 4 && $3 == 1 { n++ } END { print n }' fitted/order-*.dat >counts
is_text "$(wc -l <counts) $(sort -n counts | head -n 1 | awk '{ print ($1 >= 3) }')" "3 1" "every order is that of at least three points ($(tr '\n' ' ' <counts))"
is_text "$(sed -n "s/^ylabel = .*: '\(.*\)'/\1/p; s/^ylabel = '\(.*\)'/\1/p" fitted/order-*.gp fitted/blocks-*.gp | sed 's/\xc2\xa0/ /g' | tr '\n' '/')" \
  "max relative error in {/:Italic q}/max relative error/max relative error/" "the axis names the block, or the panels do"
is_text "$(sed -n "s/^title = .* : '\(.*\)'/\1/p" fitted/blocks-*.gp | tr '\n' '/')" "sprung-pendulum, positions {/:Italic q}/momenta {/:Italic p}/" "... in words"

holds "a legend below says what hollow marks mean" grep -q "^odd = 'not in the fit'" fitted/blocks-*.gp
make_study dense 'problems: [pendulum], integrators: [rattle, verlet-projected], steps: [0.05], until: 200, measures: [energy]' \
  'figures: [energy, {kind: energy, name: alone, integrators: [rattle]}]'
draw dense
is_text "$(sed -n "s/.*dense = '\([^']*\)'.*/\1/p" dense/energy-*.gp dense/alone-*.gp | tr '\n' '/')" "0 0/1/" \
  "oscillations that fill a panel have thin lines without marks, and not where they are too small to be seen"

make_study solved 'problems: ["pendulum(angle=0.7)"], integrators: [rattle, shake],
  sweep: {tolerance: [1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2]}, steps: [0.04], until: 40, measures: [energy]' 'figures: [tolerance]'
draw solved
is_text "$(sed -n "s/.*colour_[12] = '\([a-z-]*\)'; mark_[12] = '\([a-z-]*\)'.*/\1 \2/p" solved/tolerance-*.gp | sort | tr '\n' '/')" "blue circle/vermilion square/" \
  "curves over many tolerances have the looks of their methods"

# More methods than colours: those that share most problems do not share a colour.
make_study crowded 'problems: [sprung-pendulum, pendulum], integrators: [shake, rattle, symplectic-euler-rattle, projection, baumgarte,
  index-reduced, ida, penalty], steps: {largest: 0.1, halvings: 1}, tolerances: [1e-6], until: 1, measures: [energy]' \
  'problems: [four-bar, double-pendulum], integrators: [rattle, penalty], steps: [0.01], until: 1, measures: [energy]' \
  'figures: [{kind: energy, name: all, problem: sprung-pendulum}, {kind: motion, problem: four-bar}]'
draw crowded
is_text "$(sed -n "s/.*colour_[0-9]* = '\([a-z-]*\)'.*/\1/p" crowded/all-*.gp | sort -u | wc -l) \
$(sed -n "s/.*colour_[0-9]* = '\([a-z-]*\)'.*/\1/p" crowded/motion-*.gp | sort -u | wc -l)" "7 2" \
  "of eight methods, the two that are drawn together most often have different colours"

# ---- lines of the study's own ----
make_study lined 'problems: [pendulum], integrators: [rattle, verlet-projected], steps: [0.05], until: 100, measures: [energy]' \
  "figures: [{kind: energy, lines: [{y: -1, label: at_rest}, {x: 50}]}, {kind: energy, name: log, scale: logarithmic, lines: [{y: 0.5}]},
  {name: two, panels: [{kind: energy, lines: [{x: 20, label: half}]}, constraint]}]"
draw lined
gp=lined/energy-pendulum-double.gp
is_text "$(sed -n "s/^tag_[0-9]* = '\([-0-9. ]*\) [-0-9.a-zA-Z]* [-0-9.a-zA-Z]*'.*/\1/p" $gp | tr '\n' '/')" \
  "0 -1 100 -1/50 $(setting $gp y | cut -d : -f 2) 50 $(setting $gp y | cut -d : -f 1)/" "lines at a constant y and x cross the panel"
holds "... with a label in which gnuplot interprets nothing" grep -q "tag_text_1 = .*'at\\\\_rest'" $gp
is_text "$(grep -c '^tag_1' lined/two.gp)" 1 "a panel has lines of its own"
make_study apart 'problems: [pendulum], integrators: [rattle, verlet-projected], steps: [0.05], until: 20, measures: [energy]' \
  'figures: [{name: apart, per-row: 1, panels: [energy, {kind: energy, integrators: [rattle]}]}]
labels: {rattle: "RATTLE_1"}'
draw apart
is_text "$(sed -n "s/^title = .*: '\(.*\)'/\1/p; s/^title = '\([^']*\)'\$/\1/p" apart/apart.gp | tr '\n' '/')" 'pendulum, {/:Italic h} = 0.05/RATTLE\_1/' \
  "a panel of one of the methods has its name as title"
for lines in '[{y: 1, x: 2}]=found both x and y, expected a line' '[{label: limit}]=found neither x nor y, expected a line' \
  '[{y: much}]=lined.yaml:'; do
  make_study lined 'problems: [pendulum], integrators: [rattle], steps: [0.05], until: 10, measures: [energy]' \
    "figures: [{kind: energy, lines: ${lines%%=*}}]"
  "$SHAKEDOWN" run lined.yaml 2>err
  is_text $? 2 "lines: ${lines%%=*} are refused"
  holds "... with the reason" grep -q "${lines#*=}" err
done
make_study lined 'problems: [pendulum], integrators: [rattle], steps: [0.05], until: 10, measures: [energy]' \
  "figures: [{kind: energy, scale: logarithmic, lines: [{y: 0}]}]"
"$SHAKEDOWN" run lined.yaml --plot lined 2>err
make_study told 'problems: ["pendulum(angle=0.7)"], integrators: [rattle, "baumgarte(beta=3)"], steps: [0.05], until: 5, measures: [energy]' \
  'figures: [{kind: energy, caption: "What the author says. In two sentences."}]
labels: {"baumgarte(beta=3)": Baumgarte}'
draw told
is_text "$(sed 's/\(sentences\.\) .*Parameters/\1 … Parameters/' told/energy-*-caption.txt)" "What the author says. In two sentences. … Parameters: \
pendulum(angle=0.7) (angle = 0.7); Baumgarte (beta = 3, alpha = 10)." \
  "a caption begins with the author's words, and ends with the numbers of methods and problems"
holds "a line at 0 cannot be on a logarithmic axis" grep -q 'lines: energy: found 0, expected a number above zero: the axis is logarithmic' err
is_text "$(sed -n "s/.*colour_[0-9]* = '\([a-z-]*\)'.*/\1/p" wide/trajectory-*.gp | sort -u | wc -l)" 6 \
  "six methods of one problem have six colours, whatever others the study has; a run along which regularity is measured has a path"
"$SHAKEDOWN" show wide.db --series --format csv | awk -F, '$3 == "rattle(linear=svd)" && /,crossing,/ { print $(NF - 3) }' >crossings
awk -F '\t' '/^# \[0\]/ { on = 1; next } /^# / { on = 0 } on && $4 == 1 { print $1 }' wide/trajectory-*.dat | paste - crossings |
  awk '{ n++; far = far || ($1 - $2) * ($1 - $2) > 1e-8 } END { exit !(n > 0 && !far) }'
ok_if $? "the marks of a path are at its singular configurations, between samples"
numbered=$(sed -n 's/.*The numbered crossings are those of \([^.]*\)\..*/\1/p' wide/trajectory-*-caption.txt)
"$SHAKEDOWN" show wide.db --series --format csv | awk -F, -v method="$numbered" '$3 == method && /,crossing,/ {
  printf "%d %.4g\n", ++n, $(NF - 3) }' >crossings
grep -o 't}_{[0-9]*} = [0-9.]*' wide/trajectory-*.gp | sed 's/.*_{\([0-9]*\)} = /\1 /' | sort -n >numbers
[ -s numbers ] && ! grep -vxFf crossings numbers >wrong
ok_if $? "a path has the numbers and times of crossings" || diag "$numbered: $(cat crossings numbers)"
is_text "$(grep -o 'tags = [0-9]*' wide/work-precision-*.gp)" "tags = 4" \
  "the first and the last tolerance belong at the curve, and the steps at that of a method with fixed ones"
holds "... which the caption says of all" grep -q 'All fixed step sizes range from 0.1 to 0.05\.' wide/work-precision-*-caption.txt
holds "a wide panel says on the axis what is counted" grep -q "^xlabel = 'evaluations of force and Jacobian'" wide/work-precision-*.gp
holds "... where there is room" grep -q "'tol. 10^{−5}'" wide/work-precision-*.gp

# ---- oscillations, keys and captions ----
make_study waves 'problems: [sprung-pendulum], integrators: [rattle], steps: [0.05], until: 200, measures: [energy]' \
  'problems: [sprung-pendulum], integrators: [rattle], steps: [0.1], until: 5000, measures: [energy]' \
  'problems: [double-pendulum], integrators: [rattle, shake, '"'baumgarte(alpha=5,beta=5)'"'], steps: [0.01], until: 5, measures: [constraint]' \
  'figures: [{kind: energy, name: slow, problem: sprung-pendulum, until: 200}, {kind: energy, name: fast, problem: sprung-pendulum,
  until: 5000, scale: linear}, {kind: constraint, problem: double-pendulum}, {name: twice, per-row: 1, panels: [{kind: energy,
  problem: sprung-pendulum, until: 200}, {kind: energy, problem: sprung-pendulum, until: 200, scale: linear}]}]'
draw waves
is_text "$(block waves/slow-sprung-pendulum-double.dat rattle | wc -l) $(setting waves/slow-sprung-pendulum-double.gp line_1)" \
  "1002 solid" "oscillations that the intervals resolve are drawn with all of these, and a solid line"
echo 'style: {rattle: {line: dotted}}' >dotted.yaml
"$SHAKEDOWN" plot waves.db -o dotted --all --type svg --style dotted.yaml >log 2>&1
is_text "$(setting dotted/slow-sprung-pendulum-double.gp line_1)" dotted "... unless a style sets the line"
block waves/fast-sprung-pendulum-until-5000-double.dat rattle >rows
holds "a mean over many oscillations does not depend on where its interval ends" awk 'NF >= 4 {
    n++; low = n == 1 || $3 < low ? $3 : low; high = n == 1 || $3 > high ? $3 : high; band = $4 - $2 }
  END { exit !(n > 20 && n <= 402 && high - low < 0.04 * band) }' rows
is_text "$(awk -F "'" '/^key = / { key = $2 != "" } /^load .templates\/panel.gp/ { printf "%d ", key }' waves/constraint-double-pendulum-*.gp)" \
  "0 1 " "the key of a figure is in a panel that draws all of its methods"
is_text "$(grep -o 'Energy error' waves/twice-caption.txt | wc -l)" 1 "a caption says once what several panels have"

# ---- what is left out, and too many figures ----
make_study left 'problems: [sprung-pendulum, double-pendulum], integrators: [rattle, ida], steps: {largest: 0.1, halvings: 3},
  tolerances: [1e-5, 1e-6], until: 2, measures: [order]' \
  'problems: [pendulum], integrators: [rattle], steps: [0.1], until: 2, measures: [energy]' 'figures: [{kind: order, down: [q]},
  {kind: order, name: grid, across: [sprung-pendulum, double-pendulum], down: [q, wrench]}]'
draw left
holds "a method that is left out is named with the reason, on the terminal" \
  grep -q 'order of sprung-pendulum leaves out ida: it chooses its own steps' left.out
holds "... and in the caption" grep -q 'ida is not drawn in order: it chooses its own steps' left/order-sprung-pendulum-q-caption.txt
holds "... for LaTeX too" grep -q 'ida is not drawn' left/order-sprung-pendulum-q-caption.tex
holds "so is a part of a grid without data" grep -q 'order wrench leaves out double-pendulum: no data' left.out
is_text "$(grep -c "^load 'templates/panel.gp'" left/grid.gp)" 2 "... which has no empty panels"
holds "a problem without such a figure is named" grep -q 'order leaves out pendulum: no run measures order there' left.out
make_study many "problems: [pendulum], integrators: [rattle], steps: [0.1], until: 1, measures: [energy],
  sweep: {angle: [$(seq -s ', ' 0.1 0.1 1.4)]}" 'figures: [energy]'
"$SHAKEDOWN" run many.yaml -q >log 2>&1
"$SHAKEDOWN" plot many.db -o many --type svg >log 2>&1
is_text "$(find many -name '*.svg' | wc -l)" 12 "a request has twelve figures at most"
holds "... and says how many there would be" grep -q 'energy makes 14 figures, of which the first 12 are drawn: use --all' log
"$SHAKEDOWN" plot many.db -o many --type svg --all >log 2>&1
is_text "$(find many -name '*.svg' | wc -l)" 14 "... unless all are wanted"

# ---- orders ----
make_study orders 'problems: [pendulum], integrators: [rattle, projection, "rattle(iterations=1)"], steps: [5, 0.1,
  0.05, 0.025, 0.0125, 0.00625], until: 10, times: [5, 10], measures: [order]' 'figures: [{kind: order, down: [q]}]'
draw orders
orders=orders/order-pendulum-q
is_text "$(grep -c '^5	NaN' $orders.dat)" 2 "the error of a failed cell is no number"
holds "the order and its half-width are beside the name" grep -q "words_1 = ', 2\.0[0-9]*([0-9]*)'" $orders.gp
is_text "$(grep -o 'Italic h}^{[0-9]*}' $orders.gp | tr -dc '0-9\n' | tr '\n' ' ')" '2 4 ' "a slope for each order that is claimed"
holds "cells that failed are named" grep -q 'rattle did not finish on pendulum with the steps 5' $orders-caption.txt

# ---- templates of others, and a gnuplot that fails ----
printf 'system "touch pwned"\n' >orders/templates/page.gp
mkdir mine bin
printf 'set key\nplot x title "mine"\n' >mine/order.gp
"$SHAKEDOWN" plot orders.db -o orders --all --type svg --templates mine >log 2>&1
ok_if $? "figures are drawn anew, by a template of one's own"
holds "... which is used" grep -q mine $orders.svg
[ ! -e orders/pwned ] && grep -q 'touch pwned' orders/templates/page.gp~
ok_if $? "a template that lies in the output folder is put aside and not run"
PATH=$top/bin "$SHAKEDOWN" plot orders.db -o none >log 2>&1
holds "without gnuplot its package is named" grep -q gnuplot-nox log
printf '#!/bin/sh\necho "line 7: broken" >&2\nexit 3\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$top/bin:$PATH "$SHAKEDOWN" plot orders.db -o none >log 2>&1
holds "what gnuplot complains of is passed on" grep -q 'line 7: broken' log

# ---- the paper's figures ----
cat >geometric.yaml <<'END'
study: geometric
runs:
  - problems: ["pendulum(angle=-0.5,rate=1.1)"]
    integrators: [shake, rattle]
    steps: [0.5]
    until: 2
    measures: [constraint]
  - problems: [harmonic-sphere, harmonic-sphere(start=zb), harmonic-sphere(start=zc)]
    integrators: [shake(flow=midpoint), rattle(flow=midpoint)]
    steps: [0.1]
    until: 5
    measures: [energy]
figures:
  - step
  - hopf
  - {kind: fibres, problems: [harmonic-sphere(start=za)], integrators: [shake]}
  - {kind: fibres, name: flat, problems: [harmonic-sphere(start=zb)], integrators: [rattle]}
END
draw geometric
step=geometric/step-pendulum-double.dat
{ block $step shake | sed -n '2,3p'; block $step rattle | sed -n 3p; } | cut -f 2- >rows
# v+ = 2 (q1 - q0)/h - v1-, a = (v1- - v+)/h, as the template has them.
holds "kick and projection are along the rod, RATTLE's velocity is across it, the flight falls freely" awk \
  'function size(x) { return x < 0 ? -x : x }
   { x[NR] = $1; y[NR] = $2; u[NR] = $3; v[NR] = $4 }
   END { h = 0.5; ku = 2 * (x[2] - x[1]) / h - u[2]; kv = 2 * (y[2] - y[1]) / h - v[2]
     kick = size((ku - u[1]) * y[1] - (kv - v[1]) * x[1]); moved = size(ku - u[1]) + size(kv - v[1])
     projection = size((u[3] - u[2]) * y[2] - (v[3] - v[2]) * x[2]); across = size(u[3] * x[3] + v[3] * y[3])
     fall = size((u[2] - ku) / h) + size((v[2] - kv) / h + 1)
     round = size(x[1]^2 + y[1]^2 - 1) + size(x[2]^2 + y[2]^2 - 1)
     exit !(NR == 3 && kick < 1e-7 && moved > 0.1 && projection < 1e-7 && across < 1e-7 && fall < 1e-6 && round < 1e-7) }' rows
# hopf TEXT: time and place on the sphere of fibres, as the template maps it
hopf() {
  block geometric/hopf-harmonic-sphere-double.dat "$1" | awk '{ re = 2 * ($2 * $3 + $4 * $5); im = 2 * ($4 * $3 - $2 * $5)
    rho = $2^2 + $4^2 - $3^2 - $5^2; below = sqrt(re^2 + im^2 + rho^2) + rho; print $1, re / below, im / below }'
}
hopf 'harmonic-sphere, shake' >za-shake
hopf 'harmonic-sphere, rattle' >za
hopf 'start=zb), rattle' >zb
hopf 'start=zc), rattle' >zc
holds "SHAKE and RATTLE have the same fibres" awk \
  'FNR == NR { x[FNR] = $2; y[FNR] = $3; next } { n++; if (($2 - x[FNR])^2 + ($3 - y[FNR])^2 > 1e-14) bad++ }
   END { exit !(n == 51 && !bad) }' za-shake za
holds "the path from z_a is innermost, then z_b, then z_c" awk \
  'FNR == 1 { f++ } { r = $2^2 + $3^2; if (r > most[f]) most[f] = r }
   END { exit !(f == 3 && most[1] < most[2] && most[2] < most[3]) }' za zb zc
# H'(0) along the fibre for V = q2, as the template has it.
rate='(0 - $2) * $4 + (1 - $3) * $5'
block geometric/flat-harmonic-sphere-start-zb-double.dat 'time, components' >rows
holds "at the samples of RATTLE the derivative along the fibre vanishes where it is" awk \
  "{ r = $rate; n++; if (r * r > 1e-16) bad++ } END { exit !(n == 102 && !bad) }" rows
block geometric/fibres-harmonic-sphere-double.dat 'time, components' >rows
holds "SHAKE begins on the hidden constraint and then is off it" awk \
  "{ r = $rate; if (NR % 51 == 1) { start += r * r < 1e-16 } else if (r * r < 1e-4) bad++ } END { exit !(start == 2 && NR == 102 && !bad) }" rows
[ "$(grep -c '<path stroke=.black.' geometric/fibres-harmonic-sphere-double.svg)" -ge 2 ] &&
  [ "$(grep -c '<path' geometric/fibres-harmonic-sphere-double.svg)" -gt 150 ]
ok_if $? "its level lines are drawn, in both panels"

# ---- sizes ----
make_study sizes 'problems: [chain], integrators: [shake, "shake(iterations=1)"], sweep: {links: [2, 4, 8]},
  steps: [0.01, 0.005], until: 0.5, measures: [work, constraint, symmetry]'
draw sizes
costs=sizes/parameter-chain-double-step-0-01.dat
block $costs 'per step and constraint' shake >rows
holds "a mark for each size, where there are no errors" awk \
  '$2 > 0 && $2 < 1e6 { n++; sum += $1 } END { exit !(NR == 3 && n == 3 && sum == 14) }' rows
block $costs 'per step and constraint' 'shake(iterations=1)' >rows
holds "no curve of a method all of whose runs failed" [ ! -s rows ]

# ---- options of integrators ----
make_study options 'problems: [sprung-pendulum], integrators: [projection, baumgarte], sweep: {alpha: [0, 0.3, 1, 5, 500]},
  steps: [0.05], until: 4, measures: [error, constraint]' \
  'problems: [pendulum], integrators: ["baumgarte(alpha=1,beta=1)", "baumgarte(alpha=2,beta=2)", "baumgarte(alpha=4,beta=4)",
  "penalty(stiffness=1e5)", "penalty(stiffness=1e4)", "penalty(stiffness=1e6)"], steps: [0.002], until: 1,
  measures: [error, constraint, work]' \
  'figures: [parameter, {kind: parameter, name: chosen, across: problems, integrators: [baumgarte], quantity: [hidden max, work-gradient]}]'
draw options
options=options/parameter-sprung-pendulum-double-step-0-05.dat
"$SHAKEDOWN" show options.db --format csv --values >values
block $options 'option, constraint max' baumgarte >rows
while IFS="$(printf '\t')" read -r alpha value; do
  grep -F "sprung-pendulum,baumgarte(alpha=$alpha)" values | grep -F ',constraint max,' | awk -F, -v drawn="$value" -v a="$alpha" \
    '{ for (i = 3; i <= NF; i++) if ($i + 0 > 0 && sqrt(($i / drawn - 1)^2) < 1e-6) same = 1 } END { exit !same }' ||
    diag "alpha = $alpha: $value"
done <rows >wrong
[ "$(cut -f 1 rows | tr '\n' ' ')" = "0 0.3 1 5 " ] && [ ! -s wrong ]
ok_if $? "a quantity is that of the records, at each value of an integrator's option" || diag "$(cat rows wrong)"
zero=$(setting ${options%.dat}.gp zero)
block $options 'option, error of q' projection >rows
holds "projection is a level over the whole axis" awk -v zero="$zero" '{ x[NR] = $1; y[NR] = $2 }
  END { exit !(NR == 2 && x[1] == zero && x[2] == 500 && y[1] == y[2] && y[1] > 0) }' rows
holds "zero has its place left of a break, and that is left of the least value" awk -v zero="$zero" \
  -v broken="$(setting ${options%.dat}.gp broken)" -v x="$(setting ${options%.dat}.gp x)" \
  'BEGIN { split(x, ends, ":"); exit !(ends[1] > 0 && ends[1] < zero && zero < broken && broken < 0.3) }'
is_text "$(strip_of ${options%.dat}.gp)" "round-off SIZE: projection" \
  "a level of the constraint at round-off is named in a strip"
holds "a value whose run stopped is named" grep -q 'baumgarte(alpha=500) is left out on sprung-pendulum' \
  options/parameter-sprung-pendulum-double-step-0-05-caption.txt
block options/parameter-pendulum-double-alpha-step-0-002.dat 'error of q' 'baumgarte(beta=alpha)' | cut -f 1 | tr '\n' ' ' >rows
is_text "$(cat rows)" "1 2 4 " "numbers that vary together are one option"
block options/parameter-pendulum-double-stiffness-step-0-002.dat 'error of q' penalty | cut -f 1 | tr '\n' ' ' >rows
is_text "$(cat rows)" "10000 100000 1000000 " "each option that varies has a figure"
is_text "$(grep -c "^load 'templates/panel.gp'" options/chosen-double-step-0-05.gp)" 4 "the study chooses the quantities"
block options/chosen-double-step-0-05.dat 'work-gradient a step' 'baumgarte(beta=alpha)' >rows
holds "... with the step of each problem" grep -q 'pendulum uses step 0.002' options/chosen-double-step-0-05-caption.txt
holds "... counts are those of a step" awk '$2 >= 1 && $2 <= 5 { n++ } END { exit !(n == NR && n == 3) }' rows

# ---- invariants ----
make_study invariants 'problems: [dimer], integrators: [rattle, baumgarte], steps: [0.05], until: 20, measures: [momentum]' \
  'figures: [invariants, {kind: invariants, name: spin, quantity: invariant spin-z max}]'
draw invariants
"$SHAKEDOWN" show invariants.db --format csv --values >values
invariants=invariants/invariants-dimer-double
for invariant in momentum-y vertical-angular-momentum spin-x spin-y; do
  largest=$(sed -n "s/^invariants,dimer,baumgarte,double,invariant $invariant max,\([^,]*\),.*/\1/p" values)
  block $invariants.dat "invariant-$invariant: " baumgarte >rows
  holds "$invariant: its largest change is that of the record" awk -v largest="$largest" \
    '$5 != "NaN" && $5 > most { most = $5 } END { exit !(NR > 5 && largest > 0 && sqrt((most / largest - 1)^2) < 1e-6) }' rows
done
grep -q 'No method changes momentum-x' $invariants-caption.txt && ! grep -q 'invariant-momentum-x' $invariants.dat
ok_if $? "one that no method changes is named instead"
holds "so is what is beyond four" grep -q 'Not drawn: invariant spin-z max' $invariants-caption.txt
block invariants/spin-dimer-invariant-spin-z-max-double.dat 'invariant-spin-z: ' rattle >rows
[ -s rows ] && is_text "$(setting invariants/spin-dimer-invariant-spin-z-max-double.gp title | sed 's/.* : //')" \
  "dimer, spin-z, {/:Italic h} = 0.05" \
  "which the study can name"

# ---- increments, chosen steps, single constraints; a logarithmic axis of time ----
# recorded STORE METHOD SERIES [PROBLEM]: the intervals of a series, each once: time, least, mean, largest
recorded() {
  "$SHAKEDOWN" show "$1" --series --format csv |
    awk -F, -v method="$2" -v series="$3" -v problem="${4-}" '$3 == method && $(NF - 4) == series &&
      (problem == "" || $2 == problem) && !seen[$(NF - 3)]++ {
      print $(NF - 3), $(NF - 2), $(NF - 1), $NF }'
}
# envelope SERIES ROWS LOG WHAT: each row of a drawn block is the least, mean and largest value of the recorded
# intervals up to its end, of which its time is the middle, the geometric one if LOG is 1; all are in one. The first
# and the last row are repeated at the ends of the run
envelope() {
  sed '1d; $d' "$2" >inner
  [ "$(tail -n 1 "$2" | awk '{ $1 = ""; print }')" = "$(tail -n 1 inner | awk '{ $1 = ""; print }')" ] &&
    [ "$(tail -n 1 "$2" | awk '{ printf "%.6g", $1 }')" = "$(tail -n 1 "$1" | awk '{ printf "%.6g", $1 }')" ] &&
  awk -v log_x="$3" 'function differs(a, b,   d) { d = a - b; return d * d > 1e-11 * b * b }
    FNR == NR { time[NR] = $1; least[NR] = $2; mean[NR] = $3; largest[NR] = $4; count = NR; next }
    { end = log_x && begin > 0 ? $1 * $1 / begin : 2 * $1 - begin; sum = n = 0
      while (k < count && time[k + 1] < end * 1.00001) {
        k++; low = n == 0 || least[k] < low ? least[k] : low; high = n == 0 || largest[k] > high ? largest[k] : high
        sum += mean[k]; n++ }
      begin = time[k]; whole = whole ? whole : n; last = n
      if (n == 0 || differs(begin, end) || differs($2, low) || differs($3, sum / n) || differs($4, high)) bad++ }
    END { exit !(k == count && FNR > 5 && !bad && (log_x || 2 * last >= whole)) }' "$1" inner
  ok_if $? "$4"
}
make_study followed 'problems: [dimer], integrators: [rattle, baumgarte], steps: [0.05], until: 81.1, measures: [energy, momentum]' \
  'figures: [increments, energy, {kind: increments, name: both, quantity: [energy max, invariant momentum-y max]},
  {kind: increments, name: long, time: logarithmic}, {kind: increments, name: plain, integrators: [rattle], scale: linear}]'
draw followed
recorded followed.db baumgarte energy-increment >series
holds "a step has one of 1622 increments, of which an interval has the largest" [ "$(wc -l <series)" -eq 811 ]
block followed/increments-dimer-double.dat 'energy-increment: ' baumgarte >rows
envelope series rows 0 "increments are those that the record has"
block followed/long-dimer-double.dat 'energy-increment: ' baumgarte >rows
envelope series rows 1 "... also over a logarithmic axis of time, in intervals that grow"
is_text "$(setting followed/long-dimer-double.gp log_x) $(setting followed/increments-dimer-double.gp log_x)" "1 0" \
  "... which the study asks for"
holds "... and which begins at the first interval" awk -v x="$(setting followed/long-dimer-double.gp x)" \
  'BEGIN { split(x, ends, ":"); exit !(ends[1] > 0.01 && ends[1] < 0.1 && ends[2] == 81.1) }'
is_text "$(setting followed/plain-dimer-double.gp log_y) $(setting followed/long-dimer-double.gp log_y)" "0 1" \
  "... and a linear one of the increments"
recorded followed.db baumgarte increment-momentum-y >series
block followed/both-dimer-double.dat 'increment-momentum-y: ' baumgarte >rows
envelope series rows 0 "an invariant has increments, too"
is_text "$(grep -c "^load 'templates/panel.gp'" followed/both-dimer-double.gp)" 2 "... beside those of the energy"
make_study chosen 'problems: [double-pendulum], integrators: [ida, projection-adaptive, rattle], tolerances: [1e-6], steps: [0.5],
  until: 100, times: {even: 200}, measures: [work, energy]' 'figures: [step-size, {kind: increments, integrators: [ida]}]'
"$SHAKEDOWN" run chosen.yaml -q >log 2>&1
"$SHAKEDOWN" plot chosen.db -o chosen --type svg >log 2>&1
is_text "$?, $(grep -o 'no figure .increments.: the records contain no data' log)" \
  '3, no figure `increments`: the records contain no data' "a method that chooses its steps has no increments"
for method in ida projection-adaptive; do
  recorded chosen.db $method step-size >series
  block chosen/step-size-double-pendulum-double.dat 'step-size: ' $method >rows
  envelope series rows 0 "$method: sizes of steps are those that the record has"
  recorded chosen.db $method rejected | awk '$4 > 0 { print $3 }' >series
  block chosen/step-size-double-pendulum-double.dat 'intervals with rejected' $method | cut -f 3 >rows
  is_text "$(cat rows)" "$(awk '{ printf "%.9g\n", $1 }' series)" "... and a mark is where steps were rejected"
  counts=$("$SHAKEDOWN" show chosen.db --records --format csv | awk -F, -v method=$method '$3 == method { value[$(NF - 1)] = $NF }
    END { printf "%.0f steps, %.0f rejected", value["work-steps"], value["work-rejected"] }')
  holds "... of which there are as many as counted: $counts" grep -q "$counts" chosen/step-size-double-pendulum-double.gp
done
holds "there are such marks" [ -s rows ]
holds "methods of fixed steps are named" grep -q 'rattle is not drawn' chosen/step-size-double-pendulum-double-caption.txt
make_study single 'problems: [double-pendulum, four-bar], integrators: [baumgarte, index-reduced, projection], steps: [0.01], until: 4,
  measures: [regularity]' 'figures: [single-constraints, {kind: single-constraints, name: second, problem: double-pendulum, down: [g2, g7],
  scale: logarithmic, time: logarithmic}, {kind: single-constraints, name: grid, across: problems, integrators: [baumgarte]}]'
draw single
for k in 1 2; do
  recorded single.db index-reduced constraint-$k double-pendulum >series
  block single/single-constraints-double-pendulum-double.dat "constraint-$k: " index-reduced >rows
  envelope series rows 0 "g_$k is that of the record, with its sign"
done
holds "... which changes" awk '$2 < 0 { below = 1 } $4 > 0 { above = 1 } END { exit !(below && above) }' rows
is_text "$(strip_of single/second-double-pendulum-double.gp) $(setting single/second-double-pendulum-double.gp aside)" \
  "round-off SIZE: projection 0 0 1" \
  "a method at round-off is not drawn on a logarithmic axis, and named"
holds "a constraint that the problem lacks is named" grep -q 'double-pendulum has no data for single-constraints g7' \
  single/second-double-pendulum-double-caption.txt
is_text "$(grep -c "^load 'templates/panel.gp'" single/grid-double.gp) $(grep -c "^load 'templates/panel.gp'" \
  single/single-constraints-double-pendulum-double.gp)" "2 2" "of several problems the first constraint is drawn, of one all"
make_study lacking 'problems: [pendulum], integrators: [rattle], steps: [0.05], until: 1, measures: [constraint]' 'figures: [single-constraints]'
"$SHAKEDOWN" run lacking.yaml -q >log 2>&1
"$SHAKEDOWN" plot lacking.db -o lacking --type svg >log 2>&1
holds "without single constraints the measure is named that records them" grep -q 'needs the measure .regularity' log

# ---- performance profiles ----
make_study profile 'problems: [pendulum, sprung-pendulum], integrators: [rattle, "spark(stages=3)", generalized-alpha, ida],
  steps: {largest: 0.1, halvings: 2}, tolerances: [1e-6], until: 1, measures: [error, work]' \
  'problems: [double-pendulum], integrators: [rattle, generalized-alpha], steps: [0.05], until: 1, measures: [error]' \
  'figures: [profile]'
draw profile
# largest KIND STORE: problem, step, method and the error of q or the evaluations of each run with a step
largest() {
  if [ "$1" = error ]; then
    "$SHAKEDOWN" show "$2" --errors --format csv | awk -F, -v OFMT=%.15g '$(NF - 2) == "q" && $5 != "" { k = $2 " " $5 " " $3
      most[k] = $(NF - 1) + 0 > most[k] ? $(NF - 1) + 0 : most[k] } END { for (k in most) print k, most[k] }'
  else
    "$SHAKEDOWN" show "$2" --records --format csv | awk -F, '$5 != "" && $(NF - 1) ~ /^work-(gradient|jacobian)$/ {
      sum[$2 " " $5 " " $3] += $NF } END { for (k in sum) print k, sum[k] }'
  fi
}
for part in error evaluations; do
  largest $part profile.db >values
  for method in rattle 'spark(stages=3)' generalized-alpha; do
    awk -F '\t' -v name="$method" -v half=$part '/^# / { panel++; next } NF == 2 && $1 !~ /^[0-9]/ { on = $1 == name; next }
      NF == 2 && on && (panel > 3) == (half == "evaluations") { print $1, $2 }' profile/profile-double.dat >rows
    holds "$method: each fraction is that of the 7 tests with at most so many times the least $part" awk -v name="$method" '
      FNR == NR { t = $1 " " $2; if (!(t in best) || $4 < best[t]) best[t] = $4; if ($3 == name) mine[t] = $4; next }
      { passed = n = 0; for (t in best) { n++; if (t in mine && mine[t] <= best[t] * $1 * 1.000001) passed++ }
        d = passed / n - $2; if (n != 7 || d * d > 1e-12 || (FNR == 1 && $1 != 1) || $1 < before) bad++; before = $1; last = passed }
      END { m = 0; for (t in mine) m++; exit !(FNR >= 2 && last == m && !bad) }' values rows
  done
done
holds "a method without given steps is named" grep -q 'ida is left out: it has no run with a given step' profile/profile-double-caption.txt
make_study tiny 'problems: [pendulum], integrators: [rattle, "spark(stages=4)"], steps: [0.005], until: 0.02, measures: [error]' \
  'figures: [{kind: profile, down: [error]}]'
draw tiny
largest error tiny.db | sort -k 4 -g | awk '{ print $4 }' >values
block tiny/profile-error-double.dat 'ratio' rattle | tail -n 2 | head -n 1 >rows
holds "an error below its round-off u counts as u/20 + 0.95 of it" awk 'FNR == NR { e[NR] = $1; next }
  { u = 20 * (e[2] / $1 - 0.95 * e[1]); exit !(NR == 3 && u > e[1] && u > 1e-16 && u < 1e-14 && $1 < 0.9 * e[2] / e[1]) }' values rows

# ---- energy that falls ----
make_study falls 'problems: [sprung-pendulum], integrators: [rattle, verlet-projected], steps: [0.05], until: 200, measures: [energy]' \
  'figures: [energy]'
draw falls
falls=falls/energy-sprung-pendulum-double
is_text "$(setting $falls.gp log_y)" 0 "an energy that falls most has its sign, on a linear axis"
"$SHAKEDOWN" show falls.db --series --format csv | awk -F, '$3 == "verlet-projected" && $(NF - 4) == "energy-error" {
  last = -$(NF - 1) } END { printf "%.3g", last }' >loss
is_text "$(grep -o 'loses [0-9.]*' $falls.gp | sort -u)" "loses $(cat loss)" "... and its loss beside the name of its method alone"

# ---- drift of more methods than a linear axis takes ----
make_study drifts 'problems: [sprung-pendulum], integrators: [rattle, projection, baumgarte,
  shake-position-only], steps: [0.05], until: 200, measures: [energy]' 'figures: [energy]'
draw drifts
drifts=drifts/energy-sprung-pendulum-double.gp
slopes=$(setting drifts/energy-sprung-pendulum-double.gp slope)
halves=$(setting drifts/energy-sprung-pendulum-double.gp half)
holds "drift is drawn where it is told from zero and describes the energy, with its band" awk \
  -v slopes="$slopes" -v halves="$halves" \
  'BEGIN { n = split(slopes, s, " "); split(halves, h, " "); for (i = 1; i <= n; i++) if (s[i] != "NaN") {
     told++; size = s[i] < 0 ? -s[i] : s[i]; if (!(h[i] > 0 && h[i] < size)) bad++
     if (size > 1.2e-7 && size < 1.3e-7) projection++ }
     exit !(n == 4 && told == 2 && projection == 1 && !bad && s[1] == "NaN" && s[4] == "NaN") }'
holds "one that has none has its bound in the legend" grep -q '|drift rate| < 3\.[0-9].*10⁻⁷' $drifts
holds "and the others their slopes" grep -q 'drift rate −1.2[0-9]*([0-9]*).*×.*10⁻⁷' $drifts
tap_done
