#!/bin/sh
# Memory that ends: allocations of the scheduler, of a worker and of a cell fail, one in each run and then
# all from there on. The run ends with the cause named and with all that was recorded; or it ends well, for
# some of them can be done without; it never crashes, and the same command then leaves the records of an
# undisturbed run.
#
# SHAKEDOWN_ALLOCATIONS says how many of the allocations are tried in each place (16 when unset).
. "$SHAKEDOWN_SOURCE/tests/faults/faults.sh"
moments=${SHAKEDOWN_ALLOCATIONS:-16}
seed=${SHAKEDOWN_TEST_SEED:-7}
diag "seed $seed (SHAKEDOWN_TEST_SEED sets another)"

ends 0 "an undisturbed run" run st.yaml -o whole.db --quiet
records whole.db >want

# Spread evenly on a logarithmic scale (what is done first is different each time, what is done later repeats
# itself), moved at random within its part.
moments_of() {
  awk -v all="$1" -v moments="$moments" -v seed="$seed" 'BEGIN { srand(seed)
    for (i = 0; i < moments; i++) print int(all ^ ((i + rand()) / moments)) }'
}

# starved ROLE FAULT ALLOCATIONS
starved() {
  sound=0 recovered=0 unread=0
  for at in $(moments_of "$3"); do
    faulty "FAULT_ROLE=$1" "$2=$at" -- memory.db
    status=$?
    rows memory.db >some
    # libfyaml may crash, or lose a word of the study, which is then found to be wrong.
    if grep -q memory err || grep -q memory some ||
      python3 -c 'import sqlite3; assert sqlite3.connect("copy.db").execute(
"SELECT 1 FROM cells WHERE reason LIKE \"%memory%\"").fetchone()' 2>none; then
      [ $status -ge 2 ] && [ $status -le 3 ]
    elif [ $status -eq 139 ] || grep -q '^shakedown: st.yaml:' err; then
      unread=$((unread + 1))
      [ ! -s some ]
    fi || [ $status -eq 0 ]
    if [ $? -eq 0 ]; then
      sound=$((sound + 1))
    else
      diag "allocation $at: status $status: $(cat err)"
    fi
    if recovers memory.db --again; then
      recovered=$((recovered + 1))
    else
      diag "allocation $at"
    fi
  done
  holds "at most a few of $moments crash while the study is read: $unread" [ $unread -le $((moments / 8)) ]
  is_text $sound "$moments" "$2 in \"$1\": $moments runs name the cause, or end well"
  is_text $recovered "$moments" "and then the same command leaves the records of any run"
}

LD_PRELOAD="$top/interpose.so" FAULT_ROLE=run FAULT_COUNT="$top/count" "$SHAKEDOWN" run st.yaml -o counted.db \
  --quiet >out 2>err </dev/null
read -r _ allocations <count
holds "the scheduler allocates $allocations times" [ "$allocations" -gt 1000 ]
starved run FAULT_MEMORY "$allocations"
starved run FAULT_STARVE "$allocations"
# Workers and cells leave by _exit, so they do not count: a few thousand are the first and the last of a cell.
starved worker FAULT_MEMORY "$allocations"
starved worker FAULT_STARVE "$allocations"
starved cell FAULT_MEMORY 3000
starved cell FAULT_STARVE 3000
tap_done
