#!/bin/sh
# SIGKILL at random moments: to the parent, to a child whatever it does, to the process of a cell; and SIGSTOP to any
# of its children, which goes on or is killed a moment later, and to the process of a cell, for good. What was recorded stays
# and is not run again, and the records are in the end those of an undisturbed run.
#
# SHAKEDOWN_KILLS says how many kills there are (50 when unset), SHAKEDOWN_TEST_SEED at which moments.
. "$SHAKEDOWN_SOURCE/tests/faults/faults.sh"
kills=${SHAKEDOWN_KILLS:-50}
state=${SHAKEDOWN_TEST_SEED:-20250101}
diag "seed $state (SHAKEDOWN_TEST_SEED sets another)"
# below LIMIT: a random number, in `number`
below() {
  state=$(((state * 1103515245 + 12345) % 2147483648))
  number=$((state / 65536 % $1))
}
# Without references, which have ten minutes at least: a stopped cell waits for its limit.
make_study st "problems: ['pendulum(angle=0.7,rate=1.1)', 'pendulum(angle=1.3)', spherical-pendulum],
  integrators: [rattle, shake, symplectic-euler-rattle], steps: [0.1, 0.05, 0.025, 0.002, 0.00005], until: 1,
  measures: [energy], limits: {seconds: 3}"
ends 0 "an undisturbed run" run st.yaml -o whole.db --quiet
records whole.db >want

# strike VICTIM: kills one of them; false if there is none
strike() {
  if [ "$1" = parent ]; then
    kill -KILL $run
    return
  fi
  case $1 in
  child | stopped-child) of=. ;;
  *) of=shk-cell ;;
  esac
  process=$(pgrep -P $run "$of" | head -n $((state % 2 + 1)) | tail -n 1)
  [ -n "$process" ] || return
  case $1 in
  stopped-child)
    kill -STOP "$process" || return
    below 30
    sleep "0.0$(printf %02d "$number")"
    below 2
    [ "$number" = 0 ] && kill -CONT "$process" || kill -KILL "$process"
    ;;
  stopped-cell) kill -STOP "$process" ;;
  *) kill -KILL "$process" ;;
  esac
}

runs=0 struck=0 parents=0 children=0 cells=0 stopped_children=0 stopped_cells=0 broken=0 lost=0 stores=0 same=0
: >before
while [ $struck -lt "$kills" ] || { [ "$kills" -ge 50 ] && [ $((parents * children * cells)) = 0 ]; }; do
  "$SHAKEDOWN" run st.yaml -o torn.db -j 2 --quiet --again >out 2>err </dev/null &
  run=$! runs=$((runs + 1))
  below 32
  victim=$(echo stopped-cell parent child cell stopped-child parent cell child |
    cut -d ' ' -f $((number == 0 ? 1 : number % 7 + 2)))
  below 60
  sleep "0.0$(printf %02d "$number")"
  while kill -0 $run 2>/dev/null; do
    strike "$victim" 2>/dev/null && {
      struck=$((struck + 1))
      case $victim in
      parent) parents=$((parents + 1)) ;;
      child) children=$((children + 1)) ;;
      cell) cells=$((cells + 1)) ;;
      stopped-child) stopped_children=$((stopped_children + 1)) ;;
      stopped-cell) stopped_cells=$((stopped_cells + 1)) ;;
      esac
      break
    }
  done
  wait $run
  status=$?
  # A cell that was killed has crashed.
  case $victim,$status in
  parent,137 | *,0 | *,3) ;;
  *) broken=$((broken + 1)) && diag "$victim: status $status: $(cat err)" ;;
  esac
  rows torn.db >after || broken=$((broken + 1))
  ! grep -vxFf after before >gone || lost=$((lost + 1))
  mv after before
  below 8
  [ $number -ne 0 ] && [ $struck -lt "$kills" ] && continue
  stores=$((stores + 1))
  if recovers torn.db --again; then
    same=$((same + 1))
  fi
  : >before
done
diag "$runs runs"
ok_if 0 "$struck kills: $parents of parents, $children of children, $cells of cells; \
$stopped_children children and $stopped_cells cells stopped"
is_text $broken 0 "no store is broken, and no run ends but by its own kill"
is_text $lost 0 "what the store had it has, to the last bit"
is_text $same $stores "every store has the records of the undisturbed run in the end"
tap_done
