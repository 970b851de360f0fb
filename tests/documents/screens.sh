#!/bin/sh
# Output in 80 columns: the table of costs of a study of work and precision, with several horizons
# of one problem in one row.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
COLUMNS=80
export COLUMNS

# ---- what an error costs ----

pendulum='problems: ["pendulum(angle=0.7,rate=1.1)"]'
runs="$pendulum, integrators: [rattle, 'projection(base=rk8)', symplectic-euler-rattle],
  steps: {largest: 0.2, halvings: 3}, until: 4, times: [2.4, 4]"
make_study small "$runs, measures: [work-precision]"
make_study default "$runs"
ends 0 "a study of work and precision is run" run small.yaml -o small.db
cp out run.out
has 'pendulum(angle=0.7,rate=1.1), double, lowest cost of an error in q:' "its table is on the last screen"
has 'ms 1e-4  ms 1e-6' "with what its columns are"
is_text "$(sed -n '/^integrator/{n;s/ .*//p;}' out)" 'projection(base=rk8)' "the cheapest comes first"
is_text "$(awk 'length($0) > 80' out)" '' "and no line is longer than the screen"
ends 0 "so it is on that of show" show small.db
is_text "$(grep -v '^try next' run.out | sed '/^$/d')" "$(sed '/^$/d' out)" "the same in all"
ends 0 "CSV has a row each" show small.db --quantity 'evaluations at' --format csv
is_text "$(sed -n 's/.*symplectic-euler-rattle,double,evaluations at error 1e-8,,.*,\(no.*error is\).*/\1/p' out)" \
  'no run reached this accuracy: the smallest error is' "a blank one has its reason"
ends 0 "the steps are among them" show small.db --quantity 'step at error 1e-4' --format csv
is_text "$(sed -n 's/.*projection(base=rk8),double,step at error 1e-4,0\.2[0-9]*,.*,\(at least\): .*/\1/p' out)" \
  'at least' "0.2 is the largest"
ends 0 "LaTeX has them" show small.db --quantity 'cpu-seconds at' --format latex

ends 0 "without a list of measures" run default.yaml -o default.db
grep -q 'lowest cost' out
ok_if $((1 - $?)) "there is no such table"

# ---- several horizons ----

# Over 20 time units nothing is decided of the energy, over 2000 it is.
runs="$pendulum, integrators: [rattle, baumgarte], measures: [energy]"
make_study horizons "$runs, steps: {largest: 0.05, halvings: 2}, until: 2000" \
  "$runs, steps: {largest: 0.05, halvings: 1}, until: 20"
shakedown run horizons.yaml -o horizons.db >out 2>err
is_text "$(sed -n 's/^rattle  *//p;s/^baumgarte  *\(drift\) [-0-9.]*([0-9]*)e-[0-9]*$/\1/p' out)" \
  "$(printf 'bounded\ndrift')" "of two horizons the one that decides the class is shown, with the rate of a drift"
grep -q 'summary' out
ok_if $((1 - $?)) "without constraints no method has a summary"

# ---- summaries ----

runs="$pendulum, integrators: [rattle, 'projection(base=rk4)', index-reduced],
  measures: [energy, constraint]"
make_study words "$runs, steps: {largest: 0.04, halvings: 2}, until: 1000" \
  "$runs, steps: [0.04], until: 50"
shakedown run words.yaml -o words.db >out 2>err
is_text "$(sed -n 's/^\([a-z-]*\)  .*  \([a-z]* [a-z]*\)$/\1: \2/p' out)" \
  "$(printf 'rattle: keeps all\nprojection: energy drifts\nindex-reduced: drifts off')" \
  "a study of one problem has the summary of each method"
grep -q '^projection  *drift [-0-9.]*([0-9]*)e-' out
ok_if $? "with the rate of the drift"
is_text "$(grep -c '^keeps all  ' out)" 1 "and the meaning of each"

# ---- many problems ----

# The first study: one screen, and a table for each problem where it is asked for.
shakedown run quick -o quick.db >out 2>err
is_text "$?" 0 "the first study is run"
[ "$(wc -l <out)" -le 40 ] && [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]
ok_if $? "its results are one screen of 80 by 40"
has ' 0 falsified, 0 undecided, 0 refused, 0 failed' "where nothing is left open"
holds "what follows its tolerance has no order" grep -q '^ida  *by tol\.  *[0-9.]*  *[0-9]*$' out
grep -q '^rattle  *2\.000(1)  *2\.000(1)  *1\.000(1)' out &&
  grep -q '^symplectic-euler-rattle  *1\.000(1)  *1\.000(1)' out &&
  grep -q '^projection  *4\.00[0-9]*([0-9]*)  *4\.00' out
ok_if $? "orders are those of theory"
grep -q '^  penalty left the smooth continuation by t = ' out &&
  grep -q '^  projection stopped at t = 14.82' out && grep -q '^  index-reduced blew up at t = 4.67' out
ok_if $? "what becomes of a run at a singular point is said in words"
holds "and why a penalty explodes" grep -q 'penalty blew up at t = 0.23, h is above 2/ω = 0.003' out
tap_done
