#!/bin/sh
# Tables for other programs: each has the columns and rows that it documents, and
# docs/reference/views.sql has the same.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

make_study small 'problems: [pendulum], integrators: [rattle], steps: [5, 0.1, 0.05, 0.025, 0.0125,
  0.00625], until: 10, times: [5, 10], measures: [error, order, energy, constraint, work, work-precision]'
ends 3 "a study is run, one cell of which fails" run small.yaml -o small.db
python3 "$SHAKEDOWN_SOURCE/tests/files/views.py" "$SHAKEDOWN" "$SHAKEDOWN_SOURCE/docs/reference/views.sql" \
  small.db >views 2>err
while read -r same view; do
  is_text "$same" True "the view \`$view\` has what show has"
done <views
is_text "$(wc -l <views)" 7 "of all seven"
[ -s err ] && diag "$(cat err)"

ends 3 "errors" show small.db --errors --format csv
is_text "$(head -n 1 out)" \
  study,problem,integrator,precision,step,tolerance,until,time,block,error,reference_error \
  "are the block's at a time"
largest=$(awk -F, '$5 == "0.00625" && $9 == "q" && $10 > most { most = $10 } END { print most }' out)
shakedown show small.db --quantity 'error of q' --format csv >found 2>err
is_text "$(awk -F, '$5 == "error of q" { print $6 }' found)" "$largest" \
  "the largest over the times is the error that is analysed"
ends 3 "series" show small.db --series --format csv
awk -F, 'NR > 1 && ($12 + 0 < $11 + 0 || $11 + 0 < $10 + 0) { bad = 1 } END { exit bad || NR < 20 }' out
ok_if $? "have a least, a mean and a largest in each interval"
ends 3 "cells" show small.db --cells --format csv
has ',5,,10,not-converged,0' "have the one that failed"
has 'stopped improving' "with its reason"
ends 3 "one quantity as CSV" show small.db --quantity 'order of q' --format csv
is_text "$(sed 1d out | wc -l),$(cat err)" "1," "is one row, and nothing is said to be missing"
ends 3 "two quantities" show small.db --quantity 'order of q' --quantity 'order of p' --format csv
is_text "$(sed 1d out | wc -l)" 2 "are two rows"
ends 3 "LaTeX" show small.db --format latex
has '{\raggedright order of $q$} & ' "has orders as mathematics"
has 'rattle & \num{2.000(' "and a row for each method"
has 'CPU time (s) at error 1e-4}' "and what errors cost"
ends 2 "the rows of other formats are" show small.db --rows problems
says 'needs --format latex' "... refused with the reason"
ends 2 "a width of no column" show small.db --format latex --width 8,6
says "found '8,6', expected a width in cm" "is refused too"
tap_done
