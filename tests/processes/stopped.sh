#!/bin/sh
# A run that SIGINT, SIGTERM or SIGKILL ends: no process is left, the store is one plain file where the
# run could close it, and the same command does the rest, to the records of an undisturbed run. Cells that
# failed are not run again by themselves.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
dump() {
  python3 "$SHAKEDOWN_SOURCE/scripts/dump_records.py" "$1" | grep -v "'timed"
}
runs='problems: [pendulum, double-pendulum], steps: {largest: 0.05, halvings: 3}, until: 5,
  measures: [energy], integrators:'
make_study st "$runs [rattle, shake]"
cp st.yaml rest.yaml
ends 0 "an undisturbed run" run rest.yaml -o whole.db --quiet -j 1
dump whole.db >want
make_study st "$runs [rattle, shake, hostile(hang)]"
for signal in INT:3 TERM:3 KILL:137; do
  store=${signal%:*}.db
  # In the background a shell ignores SIGINT.
  env --default-signal=INT "$SHAKEDOWN" run "$top/st.yaml" -o "$store" --quiet -j 2 --plugin "$SHAKEDOWN_HOSTILE" \
    >out 2>err &
  run=$!
  for _ in $(seq 500); do
    [ -s "$store-wal" ] && [ "$(wc -c <"$store-wal")" -gt 120000 ] && break
    sleep 0.01
  done
  kill -"${signal%:*}" $run
  wait $run
  is_text $? "${signal#*:}" "SIG${signal%:*} ends a run in which a cell hangs"
  for _ in $(seq 100); do
    pgrep -f "worker --plugin $SHAKEDOWN_HOSTILE" >left || break
    sleep 0.1
  done
  is_text "$(cat left)" "" "... with its workers and cells"
  [ "$store" = KILL.db ] || is_text "$(echo "$store"*)" "$store" "... and leaves one plain file"
  ends 0 "the rest is run" run rest.yaml -o "$store" -j 2
  says '^16 cells: [1-9][0-9]* already stored' "... and nothing that is recorded"
  dump "$store" >got
  holds "... to the records of an undisturbed run by one worker" cmp want got
done

# ---- cells that fail ----
make_study fails 'problems: [pendulum], integrators: [hostile(abort), hostile(hang), hostile(leave), rattle],
  steps: [0.1], until: 1, measures: [energy], limits: {seconds: 1}'
again() {
  ends 3 "$1" run fails.yaml --plugin "$SHAKEDOWN_HOSTILE" ${3-}
  says "^4 cells: $2" "... $2"
}
again "a crash, a hang and an exit" "0 already stored, 4 run (1 ok, 0 refused, 3 failed)"
again "once more" "4 already stored, 0 run"
sed -i 's/seconds: 1/seconds: 2/' fails.yaml
again "with a higher limit" "3 already stored, 1 run"
again "where it is asked for" "1 already stored, 3 run" --again
make_study long 'problems: [pendulum], integrators: [rattle, shake], steps: [0.1, 1e-9, 0.05], until: 1,
  measures: [energy], limits: {seconds: 1}'
ends 3 "cells that share a process, two of which take too long" run long.yaml -j 1
says '(4 ok, 0 refused, 2 failed)' "... cost no other"
tap_done
