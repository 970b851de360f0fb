#!/bin/sh
# The command line: output and exit status of every command for good and for bad input.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

# refuses FRAGMENT ARGUMENT...: exit status 2, nothing on standard output
refuses() {
  gives 2 "$@"
  holds "... and prints no results" [ ! -s out ]
}

# ---- the program and its help ----
gives 0 'shakedown run quick'
has 'shakedown plot quick.db' "and how to get figures"
gives 0 'exit status: 0 all held, 1 a claim falsified or a value changed, 2 bad input, 3 incomplete' --help
gives 0 'shakedown 0' --version
refuses "there is no command 'simulat'; did you mean simulate?" simulat
refuses "there is no command 'zzz'; \`shakedown --help\` shows all" zzz
for command in list describe simulate diagnose run show plot reference study plugin; do
  gives 0 "usage: shakedown $command" "$command" --help
  has '--plugin FILE' "$command --help tells of --plugin"
  refuses "$command has no option --hulp; did you mean --help?" "$command" --hulp
  refuses '--plugin needs a value' "$command" --plugin
done
for command in list describe diagnose run show reference; do
  "$SHAKEDOWN" $command --help | grep -qF -e '--format table|csv|json'
  ok_if $? "$command --help tells of --format"
done
refuses '--help takes no value' list --help=3
refuses 'list has no option -z' list -z
"$SHAKEDOWN" list >/dev/full 2>err
is_text $? 3 "results that cannot be written are not a success"
NO_COLOR='' TERM=xterm "$SHAKEDOWN" zzz 2>err
grep -q "$(printf '\033')" err
[ $? -eq 1 ]
ok_if $? "no colour where there is no terminal"
"$SHAKEDOWN" "$(printf 'x\033[31m\007y')" 2>err
holds "control characters in what the user said are escaped" grep -qF 'x\x1b[31m\x07y' err

# ---- list and describe ----
gives 0 'rattle' list
has 'sprung-pendulum' "list names problems too"
has 'work-precision' "and measures"
has 'quick' "and studies"
gives 0 'name,summary' list integrators --format csv
gives 0 '"name":"rattle"' list integrators --format json
gives 0 'to begin with' list
has 'problems: pendulums and chains' "list groups problems by family"
has 'integrators: constrained and geometric' "and integrators"
gives 0 'In textbooks: naive projection' list integrators
gives 0 'naive projection' describe verlet-projected
gives 0 ',index reduction and projection' list integrators --format csv
gives 0 '"Newton'"'"'s method"' list solvers --format json
gives 0 'number of terms after the first in the series for the inverse' describe lincs
gives 2 "did you mean lincs" describe linc
refuses "found 'problem', expected problems" list problem
refuses "found 'x', expected no more arguments" list problems x
refuses '--format: ' list --format cvs
refuses "--format: found 'latex', expected table|csv|json" list --format latex
gives 0 'Andersen' describe rattle
says '^ *keeps hidden constraint *yes$' "describe: what it claims"
says "^ *not claimed *Newton's multipliers, " "... and what it does not"
has 'at least 1, at most 100000' "describe: options with bounds"
ends 0 "describe shake" describe shake
says '^ *keeps hidden constraint *no$' "... which does not keep it"
gives 0 'section,name,value' describe rattle --format csv
gives 0 '"name":"order of q","value":"2"' describe rattle --format json
gives 0 'coordinates     6' describe 'chain(links=3)'
has 'linear potential' "describe: what the problem cannot decide"
has 'start=random(seed)' "describe: options of a choice"
gives 0 'exact solution  known' describe pendulum
gives 0 'max norms' describe error
gives 0 'runs:' describe quick
refuses "nothing is named 'ratle'; did you mean rattle?" describe ratle
refuses 'no option' describe 'pendulum(lenght=2)'
refuses 'pendulum' describe 'pendulum(length=0)'
refuses 'a parenthesis is not closed' describe 'chain(links=3'
refuses 'describe: NAME is missing' describe

# ---- simulate ----
pendulum='pendulum(angle=0.7,rate=1.1)'
gives 0 't,q1,q2,p1,p2,lambda1,energy,constraint,hidden' simulate "$pendulum" rattle --step 0.1 --until 1
is_text "$(wc -l <out)" 12 "a row for the start and one for every step"
gives 0 '0.64421768723769102' simulate "$pendulum" rattle --step 0.1 --until 1 --every 4
is_text "$(cut -d, -f1 out | tail -n +2 | cut -c1-4 | tr '\n' ' ')" '0 0.40 0.80 1 ' \
  "every fourth step, and the last"
gives 0 '0.644217687237691053672614351398720' simulate "$pendulum" rattle --step 0.1 --until 0.1 \
  --precision quad
# lambda of the pendulum's state is |p|^2 - q2: not that of RATTLE, which belongs to t - h.
far=$("$SHAKEDOWN" simulate "$pendulum" rattle --step 0.1 --until 0.3 --lambda-state | awk -F, '
  NR == 1 { print $6 }
  NR > 1 { d = $6 - ($4 * $4 + $5 * $5 - $3); if (d * d > 1e-28) print }')
is_text "$far" 'lambda-state1' "--lambda-state shows the multiplier of each row's own state"
gives 0 '-0.30000000000000004,' simulate "$pendulum" rattle --step -0.1 --until -0.3
gives 0 'hidden' simulate "$pendulum" rattle --step 0.333333333333 --until 1
gives 0 'hidden' simulate "$pendulum" rattle --step 0.1 --until 0.3 --prec quad
if without sundials; then
  refuses 'without SUNDIALS' simulate pendulum ida --step 0.5 --until 1 --tolerance 1e-6
else
  gives 0 't,q1' simulate pendulum ida --step 0.5 --until 1 --tolerance 1e-6
fi
gives 0 't,q1' simulate pendulum exact --step 0.5 --until 1
refuses 'the nearest step that divides it is 0.25' simulate pendulum rattle --step 0.3 --until 1
refuses 'expected nonzero numbers of the same sign' simulate pendulum rattle --step 0 --until 1
refuses 'expected nonzero numbers of the same sign' simulate pendulum rattle --step 0.1 --until 0.0
refuses '--step 2 is longer than the whole run' simulate pendulum rattle --step 2 --until 1
refuses 'expected nonzero numbers of the same sign' simulate pendulum rattle --step -0.1 --until 1
refuses "'0.1x' is not a decimal number" simulate pendulum rattle --step 0.1x --until 1
refuses "'nan' is not a decimal number" simulate pendulum rattle --step 0.1 --until nan
refuses 'more than 1e15 steps' simulate pendulum rattle --step 1e-20 --until 1
refuses '--step H and --until T are needed' simulate pendulum rattle --step 0.1
refuses "there is no problem named 'pendulun'; did you mean pendulum?" simulate pendulun rattle \
  --step 0.1 --until 1
refuses "there is no integrator named 'ratle'; did you mean rattle?" simulate pendulum ratle \
  --step 0.1 --until 1
refuses 'simulate: INTEGRATOR is missing' simulate pendulum --step 0.1 --until 1
refuses "found 'x', expected no more arguments" simulate pendulum rattle x --step 0.1 --until 1
refuses "--precision: there is no precision 'half'" simulate pendulum rattle --step 0.1 --until 1 \
  --precision half
refuses "--every: '0' is not a whole number above zero" simulate pendulum rattle --step 0.1 \
  --until 1 --every 0
refuses 'has fixed steps' simulate pendulum rattle --step 0.1 --until 1 --tolerance 1e-3
refuses '--tolerance: -1 is not above zero' simulate pendulum ida --step 0.1 --until 1 --tolerance -1
refuses 'double precision only' simulate pendulum ida --step 0.1 --until 1 --precision quad
refuses 'no exact solution is known' simulate sprung-pendulum exact --step 0.1 --until 1
refuses 'the start is inconsistent: max|g| = 0.18' simulate pendulum rattle --q 0.8,0 --p 0,0.6 \
  --step 0.1 --until 1
gives 0 '0,1,0,0,0.59999999999999998,' simulate pendulum rattle --q 0.8,0 --p 0,0.6 --project \
  --step 0.1 --until 1
refuses 'has 3 numbers, the problem has 2 coordinates' simulate pendulum rattle --q 1,0,0 --p 0,1 \
  --step 0.1 --until 1
refuses '--q and --p must be given together' simulate pendulum rattle --q 1,0 --step 0.1 --until 1
refuses 'no explicit start' simulate pendulum rattle --project --step 0.1 --until 1
gives 3 'stopped at t0 + ' simulate pendulum rattle --step 3 --until 30
is_text "$(wc -l <out)" 2 "stopped early: the rows that were reached"

# ---- diagnose ----
gives 0 '2 of 2: regular' diagnose double-pendulum
holds "diagnose: who applies, and with which solver" grep -q '^ *rattle  *applies, with solver=newton$' out
holds "diagnose: and who does not" grep -q '^ *exact  *refuses' out
is_text "$(grep -c 'correct: agrees' out)" 4 "diagnose: four derivatives"
gives 0 '"value":"1 of 1: regular"' diagnose pendulum --format json
for problem in 'chain(links=9) tridiagonal' 'chain(links=8) newton' 'water settle'; do
  gives 0 "applies, with solver=${problem#* }" diagnose "${problem% *}"
done
printf '%s\n' 'particles:' '  - {name: A, mass: 1, position: [0, 0, 0]}' '  - {name: B, mass: 1, position: [3, 0, 0]}' \
  '  - {name: C, mass: 1, position: [3, 4, 0]}' '  - {name: D, mass: 1, position: [0, 4, 0]}' \
  'rods: [[A, B], [B, C], [C, D], [A, D], [A, C], [B, D]]' >plane.yaml
gives 1 '5 of 6: degenerate' diagnose 'particles(file="plane.yaml")'
grep -v D plane.yaml | sed 's/3, 4/4, 0/; $a rods: [[A, B], [B, C], [A, C]]' >line.yaml
gives 1 '2 of 3: degenerate' diagnose 'particles(file="line.yaml")'
# The same in a plane and along a line of which the file's digits know no exact point.
sed 's/\[3, 0, 0\]/[1, 1.7320508075688772, 0]/; s/\[3, 4, 0\]/[1.3, 1.9, 2.1]/
  s/\[0, 4, 0\]/[0.3, 0.16794919243112266, 2.1]/' plane.yaml >oblique.yaml
gives 1 '6 of 6: singular, apart from the rounding' diagnose 'particles(file="oblique.yaml")'
sed 's/\[3, 0, 0\]/[0.3, 0.51961524227066314, 0.1]/; s/\[4, 0, 0\]/[0.9, 1.5588457268119894, 0.3]/' \
  line.yaml >oblique.yaml
gives 1 'of 3: ' diagnose 'particles(file="oblique.yaml")'
gives 1 'singular here, but not at a nearby point' diagnose 'four-bar(angle=90deg)'
gives 1 'singular here, but not at a nearby point' diagnose 'parallelogram(angle=90deg)'
refuses 'the start is inconsistent' diagnose pendulum --q 0.8,0 --p 0,0.6
gives 0 'applies' diagnose pendulum --q 0.8,0 --p 0,0.6 --project

# ---- study new, run, show ----
is_narrow() {
  holds "$1" [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]
}
gives 0 'wrote mine.yaml' study new mine
has '  shakedown run mine.yaml' "and what to try next"
refuses 'mine.yaml: File exists' study new mine
for command in 'run mine.yaml' 'certify rattle' 'baseline mine.yaml'; do
  # shellcheck disable=SC2086 # its words
  refuses '--jobs: 1025 workers exceed the limit of 1024' $command -j 1025
done
refuses "found 'now', expected" study now mine
gives 0 '59 cells, 3 of them references' run mine.yaml --dry-run
has 'reference-check' "--dry-run lists references"
holds "--dry-run makes no store" [ ! -e mine.db ]
gives 0 ' 0 falsified' run mine -j 2
has 'shakedown plot mine.db -o figures' "run ends with what to try next"
grep -q '59 cells: 0 already stored, 59 run (59 ok, 0 refused, 0 failed), 0 left' err
ok_if $? "run tells of its cells on standard error"
gives 0 '59 already stored, 0 run' run mine.yaml
gives 0 'order of lambda-mean' show mine.db --values
gives 0 '|G H_p|' show mine.db
is_narrow "in lines of 80 characters"
COLUMNS=80
export COLUMNS
gives 0 'rattle' list
is_narrow "a list fits its terminal"
gives 0 'order of lambda-mean' show mine.db --values
is_narrow "and so do all values"
unset COLUMNS
gives 0 '|G H_p|' show mine.db
sed 's/-seconds.*//' out >first
gives 0 ' held' show mine.db mine
gives 0 'study,problem,integrator,precision,quantity,value,uncertainty,expected,verdict,expected_value,expected_band,reason' show mine.db \
  --format csv
gives 0 'study,problem,integrator,precision,step,tolerance,until,status,quantity,value' show mine.db \
  --records --format csv
"$SHAKEDOWN" show mine.db --cells --format csv | grep -q '^mine,sprung-pendulum,rattle,.*,newton,$'
ok_if $? "show --cells: the solver that ran"
grep -q '^mine,sprung-pendulum,rattle,quad,0.05,,6.4,ok,energy-error-max,[0-9.e-]*$' out
ok_if $? "show --records: a row for each record and measure"
gives 0 '\toprule' show mine.db --format latex
gives 0 '"quantity":"order of q"' show mine.db --format json
"$SHAKEDOWN" run mine.yaml -o other.db -j 1 --quiet >out 2>err
is_text "$?$(cat err)" 0 "--quiet is quiet"
"$SHAKEDOWN" show other.db | sed 's/-seconds.*//' >second
holds "one worker or two: the same findings" cmp -s first second
gives 0 'references' run quick --dry-run
refuses "there is no study 'quikc'" run quikc
holds "... and names the nearest" grep -q 'did you mean quick' err
refuses 'none.yaml' run ./none.yaml
refuses "contains no study named 'yours'" show mine.db yours

# A study of 103 problems: more than is shown and drawn.
{
  printf 'study: many\nfigures: [order]\nruns:\n  - integrators: [rattle]\n    steps: [0.1]\n'
  printf '    until: 0.2\n    precision: double\n    measures: [constraint]\n    problems:\n'
  seq 1001 1103 | sed 's/.*/      - pendulum(angle=0.&)/'
} >many.yaml
gives 0 'and 3 more tables; these are the first 100.' run many.yaml
is_text "$(grep -c '^pendulum(.*:$' out)" 100 "a hundred tables are shown"
has 'pendulum(angle=0.11), double:' "... the first"
gives 3 ' no figures for 3 problems beyond the limit of 100' plot many.db -o many

# A claim that nothing keeps: a solve that is stopped early violates what RATTLE claims.
make_study loose 'problems: [sprung-pendulum], integrators: ["bad-rattle(tolerance=1e-5)"], steps: [0.1,
  0.05], until: 1, measures: [constraint]'
gives 1 'falsified' run loose.yaml --quiet --plugin "$SHAKEDOWN_BAD_RATTLE"
gives 1 'falsified' show loose.db --plugin "$SHAKEDOWN_BAD_RATTLE"
# RATTLE itself claims no more than its tolerance lets it keep.
sed 's/bad-rattle/rattle/; s/study: loose/study: honest/' loose.yaml >honest.yaml
gives 0 'honest' run honest.yaml
# Steps that fail leave something missing.
sed 's/bad-rattle(tolerance=1e-5)/rattle(iterations=1)/; s/study: loose/study: stuck/' loose.yaml >stuck.yaml
gives 3 ' failed' run stuck.yaml --quiet
gives 3 'not-converged' show stuck.db --records
# Not to be solved is an answer.
make_study refused 'problems: [sprung-pendulum], integrators: [exact], until: 1'
gives 0 'refused status of exact on sprung-pendulum' run refused.yaml --quiet

echo 'no store at all, but long enough for a header of a file' >text.db
gives 2 'text.db' show text.db
gives 2 'text.db' run mine.yaml -o text.db
is_text "$(cat text.db)" 'no store at all, but long enough for a header of a file' \
  "a file that is no store is left alone"
head -c 5000 mine.db >cut.db
gives 2 'cut.db' show cut.db
# Where not even root may write.
gives 2 '/proc/mine.db' run mine.yaml -o /proc/mine.db
gives 2 'missing/mine.db' run mine.yaml -o missing/mine.db
refuses "--jobs: '0' is not a whole number" run mine.yaml -j 0

# ---- plot ----
gives 0 'mine: ' plot mine.db -o figures --type svg
figure=$(find figures -name '*.svg' -size +1k | head -n 1)
[ -n "$figure" ] && [ -s "${figure%.svg}.dat" ] && [ -s "${figure%.svg}.gp" ]
ok_if $? "plot: a figure, its data and its script"
refuses "--type: found 'gif', expected" plot mine.db -o figures --type gif
refuses '-o DIR is missing' plot mine.db
refuses "contains no study named 'yours'" plot mine.db yours -o figures
gives 2 '/proc/figures' plot mine.db -o /proc/figures
gives 0 't,q1' simulate pendulum rattle --step 0.1 --until 3 --animate run.gif
holds "simulate --animate draws the motion" [ -s run.gif ]
gives 0 't,q1' simulate pendulum rattle --step 0.1 --until 3 --plot run.svg
holds "simulate --plot draws the run" [ -s run.svg ]
gives 3 '/proc/run.svg' simulate pendulum rattle --step 0.1 --until 3 --plot /proc/run.svg
gives 3 '/proc/run.gif' simulate pendulum rattle --step 0.1 --until 3 --animate /proc/run.gif

# ---- completion ----
if command -v bash >/dev/null; then
  # completes WORD...: what follows, for the last word
  completes() {
    PATH=$(dirname "$SHAKEDOWN"):$PATH bash -c 'source "$SHAKEDOWN_SOURCE/cli/completion/shakedown"
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _shakedown && printf "%s\n" "${COMPREPLY[@]}"' completion "$@"
  }
  completes shakedown sim | grep -qx simulate
  ok_if $? "completes commands"
  completes shakedown simulate pendulum rat | grep -qx rattle
  ok_if $? "completes integrators"
  completes shakedown simulate --prec | grep -qx -e --precision
  ok_if $? "completes options"
  is_text "$(completes shakedown simulate pendulum rattle --precision q)" quad "completes values"
  completes shakedown plugin new integ | grep -qx integrator
  ok_if $? "completes the words of a command's forms"
  is_text "$(completes shakedown plugin build integ)" "" "and no words of another form"
else
  skip "no bash"
fi

# ---- reference ----
gives 0 't,component,value,digits' reference "$pendulum" --times 5 --format csv
is_text "$(grep -c '^5,[qpl][a-z]*[0-9],.*,\(2[5-9]\|3[0-4]\)$' out)" 5 "25 digits or more of every component"
gives 0 '1,q1,0.99960435095772964570968' reference double-pendulum --times 2,1 --format csv \
  --quiet
refuses '--times: 0 is not above zero' reference double-pendulum --times 1,0
tap_done
