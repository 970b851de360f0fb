#!/bin/sh
# A program that never sends its first message, as an external integrator, an engine or a solver,
# ends at the limit of its cell, before the run and in it, with the reason.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
mark=100$$
make_study never "problems: [chain], integrators: [external(command=\"sleep $mark\"),
  engine(command=\"sleep $mark\"), rattle(solver=program(command=\"sleep $mark\")), rattle], steps: [0.1],
  until: 1, limits: {seconds: 1}"
began=$(date +%s)
ends 3 "a study with three of them" run never.yaml --allow-external -j 1
took=$(($(date +%s) - began))
holds "ends in time: $took s" [ "$took" -lt 40 ]
has 'and 2 more: 1 of 1 cells did not finish; at step 0.1: stopped at the time limit of 1 s' "... with the reason"
shakedown show never.db --records --allow-external --format csv | cut -d , -f 3-8 >records
for program in external engine 'rattle(solver=program'; do
  grep -F "$program" records | grep -q 'timed-out'
  ok_if $? "... $program"
done
is_text "$(pgrep -f "sleep $mark")" "" "no program is left behind"
tap_done
