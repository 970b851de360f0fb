#!/bin/sh
# A store that is removed, moved or replaced while it is written: the run stops with exit status 3
# and reports where the records are, and they are there.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

{
  printf 'study: st\nruns:\n  - problems:\n'
  for angle in 1 2 3 4 5 6 7 8 9; do
    printf '      - pendulum(angle=0.%s)\n' $angle
  done
  printf '    integrators: [rattle, shake, symplectic-euler-rattle]\n    steps: [0.0001]\n'
  printf '    until: 10\n    measures: [energy]\n'
} >st.yaml
ends 0 "an undisturbed run" run st.yaml -o whole.db --quiet
rows() {
  python3 -c '
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
print(base.execute("PRAGMA integrity_check").fetchone()[0])
for row in base.execute("SELECT key, status, (SELECT group_concat(hash) FROM blobs WHERE cell = cells.id) "
                        "FROM cells ORDER BY key"):
    print(*row)' "$1"
}
rows whole.db >want
# disturb COMMAND...: begins a run into folder/st.db, and disturbs it when it has some records
disturb() {
  rm -rf folder moved
  mkdir folder
  "$SHAKEDOWN" run st.yaml -o folder/st.db --quiet -j 2 >out 2>err &
  run=$!
  for _ in $(seq 400); do
    [ -s folder/st.db-wal ] && [ "$(wc -c <folder/st.db-wal)" -gt 500000 ] && break
    sleep 0.01
  done
  "$@"
  wait $run
  is_text $? 3 "$*: the run stops"
  is_text "$(wc -l <err)" 1 "in one line: $(cat err)"
}
# some STORE: whole records of the study, and not none
some() {
  rows "$1" >got
  [ "$(sed -n 1p got)" = ok ] && [ "$(wc -l <got)" -ge 3 ] &&
    ! grep -vxqF -f want got
  ok_if $? "$1 has $(wc -l <got) lines of it, all right"
}
goes_on() {
  ends 0 "the same command goes on" run st.yaml -o folder/st.db --quiet
  rows folder/st.db >got
  holds "and ends with all records" cmp -s want got
}
for command in 'rm folder/st.db' 'rm -f folder/st.db folder/st.db-wal folder/st.db-shm folder/st.db-lock' \
  'mv folder/st.db elsewhere.db'; do
  # shellcheck disable=SC2086
  disturb $command
  says 'are written there again' "it says where they are"
  some folder/st.db
  goes_on
done
replace() {
  cp st.yaml new
  mv new folder/st.db
}
disturb replace
says 'replaced by another file' "it says so"
some folder/st.db-rescued-*
holds "what has come in its place is left alone" cmp -s folder/st.db st.yaml
disturb mv folder moved
says 'if its folder was moved' "it says so"
some moved/st.db
tap_done
