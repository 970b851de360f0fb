# What the tests of faults share: a small study, st.yaml, the program run under faults (interpose.c), and
# stores compared by their records.
# shellcheck shell=sh
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
chmod 755 .
make_study st "problems: ['pendulum(angle=0.7,rate=1.1)', sprung-pendulum], integrators: [rattle, shake,
  symplectic-euler-rattle], steps: [0.1, 0.05, 0.025], until: 1" \
  'problems: [jay], integrators: [rattle], steps: [0.1], until: 1'
# In a list of libraries a blank ends a name: those of the build folder may have some.
ln -s "$SHAKEDOWN_INTERPOSE" interpose.so

# faulty FAULT... -- STORE: runs the study into the store under these faults
faulty() {
  tap_faults=
  while [ "$1" != -- ]; do
    tap_faults="$tap_faults $1"
    shift
  done
  # shellcheck disable=SC2086 # words
  timeout 180 env LD_PRELOAD="$top/interpose.so" $tap_faults "$SHAKEDOWN" run st.yaml -o "$2" -j 2 --quiet \
    >out 2>err </dev/null
}

# records STORE: all of it but clocks
records() {
  python3 "$SHAKEDOWN_SOURCE/scripts/dump_records.py" "$1" | grep -v "'timed"
}

# rows STORE: the cells that did not crash or meet a limit, to the last bit. A copy is read: what a kill left
# half done must be found and mended by the program, not by this
rows() {
  rm -f copy.db*
  for end in '' -wal -journal; do
    [ ! -f "$1$end" ] || cp "$1$end" "copy.db$end"
  done
  [ ! -s copy.db ] || python3 -c '
import sqlite3
base = sqlite3.connect("copy.db")
if base.execute("SELECT 1 FROM sqlite_master WHERE name = \"cells\"").fetchone():
    for row in base.execute("SELECT id, key, date, seconds, hash, status, reason FROM cells WHERE ending = 0"):
        print(*row)'
}

# recovers STORE OPTION...: the same command without faults brings the store to its end, with the records in
# `want`, and with all that it had; it is removed
recovers() {
  tap_store=$1
  shift
  rows "$tap_store" >before
  "$SHAKEDOWN" run st.yaml -o "$tap_store" --quiet "$@" >out 2>again </dev/null &&
    rows "$tap_store" >after && ! grep -vxFf after before >lost &&
    records "$tap_store" >got && cmp -s want got
  tap_status=$?
  [ $tap_status -eq 0 ] || diag "then: $(cat again); lost: $(head -n 3 lost)"
  rm -f "$tap_store"*
  return $tap_status
}
