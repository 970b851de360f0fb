#!/bin/sh
# Failures of the system during a run: clocks that jump (libfaketime), a file system that becomes
# read-only, no more processes for a user, and loss of power, with all files of the store as they
# are at a moment and the end of the log lost or not. The content of the store stays intact, and the
# same command ends with the records of an undisturbed run.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
seed=${SHAKEDOWN_TEST_SEED:-$(date +%s)}
diag "seed $seed (SHAKEDOWN_TEST_SEED sets another)"
chmod 755 .

make_study st 'problems: ["pendulum(angle=0.7,rate=1.1)", "pendulum(angle=1.3)"], integrators: [rattle,
  shake, symplectic-euler-rattle], steps: {largest: 0.0005, halvings: 2}, until: 8, measures: [energy]'
ends 0 "an undisturbed run" run st.yaml -o whole.db --quiet
dump() {
  python3 "$SHAKEDOWN_SOURCE/scripts/dump_records.py" "$1" | grep -v "'timed"
}
dump whole.db >want
# same STORE NAME...: the store has the records of the undisturbed run
same() {
  dump "$1" >got
  shift
  [ -s want ] && cmp -s want got
  ok_if $? "$@"
}
# whole STORE: is SQLite content with it, and does it have a part of the records?
whole() {
  [ "$(python3 -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchone())' "$1")" = ok ] &&
    dump "$1" | sed '/^finding/d' >part && ! grep '^cell' part | grep -vxqF -f want
}
# begins STORE: a run in the background that has stored something
begins() {
  "$SHAKEDOWN" run st.yaml -o "$1" --quiet -j 2 >out 2>err &
  run=$!
  for _ in $(seq 500); do
    [ -s "$1-wal" ] && [ "$(wc -c <"$1-wal")" -gt 60000 ] && break
    sleep 0.01
  done
}

# ---- power that goes ----

# The scheduler alone writes the store; while it is stopped the copy is of one moment.
begins power.db
copies=0
while kill -STOP $run 2>/dev/null && [ $copies -lt 12 ]; do
  copies=$((copies + 1))
  mkdir copy$copies
  cp power.db power.db-wal power.db-journal copy$copies/ 2>/dev/null
  kill -CONT $run
  sleep 0.0$((1 + (seed + 7 * copies) % 9))
done
kill -CONT $run 2>/dev/null
wait $run
same power.db "a run that is stopped now and then has its records"
good=0
for copy in copy*; do
  log=$copy/power.db-wal
  # Of every second one the last of the log did not reach the disk.
  if [ $((${copy#copy} % 2)) = 0 ] && [ -s "$log" ]; then
    size=$(wc -c <"$log")
    truncate -s $((size * ((seed + 31 * ${copy#copy}) % 100) / 100)) "$log"
  fi
  if whole "$copy/power.db"; then
    good=$((good + 1))
  else
    diag "$copy: $(ls -l "$copy")"
  fi
done
is_text "$good" "$copies" "$copies copies of all files at a moment are whole"
ok_if $((copies < 3)) "these are some"
for copy in copy1 copy$copies; do
  ends 0 "from $copy the same command goes on" run st.yaml -o "$copy/power.db" --quiet
  same "$copy/power.db" "and ends with all records"
done

# ---- clocks that jump ----

library=$(find /usr/lib -name libfaketimeMT.so.1 2>/dev/null | head -n 1)
if [ -n "$library" ]; then
  echo '+0' >clock
  (
    while true; do # until the run has ended, however long it takes to begin
      for jump in +3650d -20y +1h -1h +40y; do
        sleep 0.1
        echo $jump >clock.new && mv clock.new clock
      done
    done
  ) &
  jumps=$!
  make_study hang 'problems: [pendulum], integrators: [hostile(hang)], steps: [0.1], until: 1, limits: {seconds: 1}'
  shakedown() {
    LD_PRELOAD=$library FAKETIME_TIMESTAMP_FILE=$PWD/clock FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
      timeout 60 "$SHAKEDOWN" "$@"
  }
  ends 0 "a run under a clock that jumps by decades" run st.yaml -o clock.db --quiet
  ends 3 "limits of time hold" run hang.yaml --plugin "$SHAKEDOWN_HOSTILE"
  says 'time limit of 1 s' "... and are the cause"
  shakedown() {
    "$SHAKEDOWN" "$@"
  }
  kill $jumps && wait
  same clock.db "has its records"
  python3 -c 'import sqlite3
dates = {d[:4] for (d,) in sqlite3.connect("clock.db").execute("SELECT date FROM cells")}
assert len(dates) > 1, dates'
  ok_if $? "whose dates tell of it"
else
  skip_without faketime "no libfaketime"
fi

# ---- a file system that turns read-only ----

# As a disk does that has an error: ext4 is told to abort. In a name space of its own, so that nothing
# stays mounted.
if [ "$(id -u)" = 0 ] && truncate -s 24M image && mkfs.ext4 -q image 2>/dev/null && mkdir mounted &&
  unshare -m true 2>/dev/null; then
  cat >inside.sh <<'S'
mount -o loop image mounted 2>/dev/null || exit 77
"$SHAKEDOWN" run st.yaml -o mounted/st.db --quiet -j 2 >out 2>err &
for _ in $(seq 500); do
  [ -s mounted/st.db-wal ] && [ "$(wc -c <mounted/st.db-wal)" -gt 60000 ] && break
  sleep 0.01
done
mount -o remount,abort mounted 2>/dev/null
wait $!
echo $? >status
mkdir after
cp mounted/st.db* after/
S
  unshare -m sh inside.sh
  if [ $? = 77 ]; then
    skip "by design: nothing can be mounted here"
  else
    is_text "$(cat status)" 3 "a run whose file system turns read-only stops"
    is_text "$(wc -l <err)" 1 "in one line: $(cat err)"
    holds "what is there is whole" whole after/st.db
    ends 0 "where it can be written the same command goes on" run st.yaml -o after/st.db --quiet
    same after/st.db "and ends with all records"
  fi
else
  skip "by design: only root can make a file system that fails"
fi

# ---- no more processes ----

mkdir theirs
if [ "$(id -u)" = 0 ]; then
  chmod 777 theirs
  as="setpriv --reuid=65534 --regid=65534 --clear-groups"
else
  as=
fi
if $as test -x "$SHAKEDOWN" && $as test -r st.yaml; then
  # shellcheck disable=SC2086
  $as prlimit --nproc=1 "$SHAKEDOWN" run st.yaml -o theirs/st.db --quiet >out 2>err
  status=$?
  ok_if $((status != 2 && status != 3)) "without processes a run ends with status $status"
  is_text "$(wc -l <err)" 1 "in one line: $(cat err)"
  # shellcheck disable=SC2086
  $as "$SHAKEDOWN" run st.yaml -o theirs/st.db --quiet >out 2>err
  is_text $? 0 "with them the same command goes on $(cat err)"
  same theirs/st.db "and ends with all records"
else
  skip "by design: another user cannot read this build"
fi
tap_done
