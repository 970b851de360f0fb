#!/bin/sh
# Cells that reach out of their process: to the scheduler, other processes, files, by signals, as a debugger,
# through a constructor; and those that leave it other than they found it. Where the kernel has Landlock
# nothing of it comes to pass. Where it has not (a filter of system calls stands in for such a kernel), and
# when somebody stops a process from outside, the run ends all the same: the cell is recorded with the cause,
# and the others have the records that they have without it.
. "$SHAKEDOWN_SOURCE/tests/faults/faults.sh"
plugin=$SHAKEDOWN_INTRUDER_PLUGIN
export SHAKEDOWN_INTRUDED="$top/target" TMPDIR="$top"

# acts STORE SECONDS ACT...: a study of the acts, beside each other, with the option `mode`; what became of each
# cell is in `all`
mode=--quiet
acts() {
  store=$1
  seconds=$2
  shift 2
  make_study acts "problems: [pendulum], integrators: [$(printf 'intruder(%s)\n' "$@" | paste -sd ,)],
    steps: [0.1], until: 1, measures: [energy], limits: {seconds: $seconds}"
  printf 'as it was' >target
  shakedown run acts.yaml -o "$store" -j 4 --quiet $mode --plugin "$plugin" >out 2>err </dev/null
  status=$?
  python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("SELECT integrator, status, reason, output FROM cells"):
    print(*(str(one).split("\n")[0] for one in row), sep="|")' "$store" >all 2>none
}
# ended ACT STATUS WORDS: the cell's status, and words in its reason or at the start of its output
ended() {
  act="intruder($1)"
  [ "$1" != rest ] || act=intruder
  grep -F "$act|$2|" all | grep -q -e "$3"
  ok_if $? "$1: $2, $3" || diag "$(grep -F "$act|" all)"
}
whole_target() {
  [ "$(cat target)" = 'as it was' ]
}
# soon SECONDS NAME: so long after `began` at most
soon() {
  took=$(($(date +%s) - began))
  holds "$2, after $took s" [ $took -lt "$1" ]
}
left() {
  is_text "$(ls -d shakedown-* 2>none)" "" "no folder is left"
}

# ---- where there is a fence, one that keeps signals in, too ----
fence=no
if [ "$(python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))')" -ge 6 ]; then
  fence=yes
  acts fenced.db 20 rest stop-copy stop-scheduler unlink overwrite write-here write-temporary
  is_text $status 0 "signals and files of others are out of reach $(cat err)"
  for act in stop-copy stop-scheduler unlink overwrite write-temporary; do
    ended $act ok ''
  done
  holds "the file that is attacked is as it was" whole_target
  holds "nothing is written where the run was started" [ ! -e intruder.txt ]
  acts traced.db 2 trace-scheduler stop-itself
  for act in trace-scheduler stop-itself; do
    ended $act timed-out 'limit of 2 s'
  done
  ended stop-itself timed-out 'its process was suspended'
  left

  # What --sandbox keeps in, and what goes on without it; of a file that is none of the study's.
  secret=$(TMPDIR=/tmp mktemp -d)/secret
  : >"$secret"
  export SHAKEDOWN_INTRUDED="$secret"
  python3 -c 'import socket, time
line = socket.create_server(("127.0.0.1", 0))
print(line.getsockname()[1], flush=True)
time.sleep(300)' >port &
  listener=$!
  until [ -s port ]; do sleep 0.05; done
  SHAKEDOWN_INTRUDED_PORT=$(cat port)
  export SHAKEDOWN_INTRUDED_PORT
  for mode in --quiet --sandbox; do
    acts "in$mode.db" 20 rest read connect execute permit
    is_text $status 0 "$mode: $(cat err)"
    not=
    [ $mode = --quiet ] || not='not '
    ended read ok "|${not}read\$"
    ended connect ok "|${not}connected\$"
    ended execute ok "|executed\$" # under bubblewrap, too
    ended permit ok "|${not}permitted\$"
  done
  mode=--quiet
  kill $listener
  while read -r command; do
    export SHAKEDOWN_INTRUDER=read
    # shellcheck disable=SC2086 # words
    "$SHAKEDOWN" $command --sandbox --plugin "$plugin" >out 2>err </dev/null
    grep -q 'constructor: not read' err && ! grep -q 'constructor: read' err
    ok_if $? "$command: a constructor does not read the file either"
    export SHAKEDOWN_INTRUDER=unlink
    # shellcheck disable=SC2086
    "$SHAKEDOWN" $command --allow-external --plugin "$plugin" >out 2>err </dev/null
    holds "... and without a sandbox none removes it" [ -e "$secret" ]
  done <<END
simulate pendulum rattle --step 0.1 --until 0.2
diagnose pendulum
plugin check $plugin --quick
END
  unset SHAKEDOWN_INTRUDER
  export SHAKEDOWN_INTRUDED="$top/target"
  rm -r "${secret%/secret}"
else
  skip "this kernel's Landlock does not keep signals in"
fi

# ---- what a constructor does when the plug-in is loaded ----
while IFS='|' read -r act words commands; do
  for command in $commands; do
    began=$(date +%s)
    case $command in
    list) set -- list integrators --plugin "$plugin" ;;
    check) set -- plugin check "$plugin" ;;
    *) set -- run quick --quiet --plugin "$plugin" ;;
    esac
    SHAKEDOWN_INTRUDER=$act "$SHAKEDOWN" "$@" >out 2>err </dev/null
    is_text $? 2 "$command with a constructor that does $act"
    grep -q "intruder.so: while it was being loaded,.*$words" err
    ok_if $? "... ends with its name: $(cat err)"
    soon 90 "... in time"
  done
done <<'END'
loop|time limit of 60 s|list
stop|time limit of 60 s|check
crash|signal 11|list check run
leave|exit code 0|list check run
END

printf 'as it was' >target
SHAKEDOWN_INTRUDER="unlink" "$SHAKEDOWN" list integrators --plugin "$plugin" >out 2>err
is_text $? 0 "a constructor that removes files"
[ "$fence" = no ] || holds "... removes none" whole_target

# ---- what a cell changes in its own process, and in the state that a step is given ----
case $(uname -m) in
x86_64 | aarch64) acts changed.db 20 rest round locale handler start flush ;;
*) acts changed.db 20 rest round locale handler start ;;
esac
is_text $status 3 "changes that nobody asked for are failures"
ended round stopped 'rounding mode'
! grep -q flush all || ended flush stopped subnormal
ended locale stopped locale
ended handler stopped signal
ended start stopped 'overwrote the state'
ended rest ok ''

# ---- somebody stops the workers of a run, or all of it, for so many seconds, or for good ----
make_study st "problems: ['pendulum(angle=0.7,rate=1.1)', sprung-pendulum], integrators: [rattle, shake,
  symplectic-euler-rattle], steps: [0.1, 0.05, 0.025], until: 1, measures: [energy], limits: {seconds: 3}"
ends 0 "an undisturbed run" run st.yaml -o whole.db --quiet
records whole.db >want
# stopped STORE RUN SECONDS: RUN says that the scheduler is, too; the exit status is in `status`
stopped() {
  "$SHAKEDOWN" run st.yaml -o "$1" -j 2 --quiet --again >out 2>err </dev/null &
  run=$!
  for _ in $(seq 100); do
    workers=$(pgrep -x -P $run 'shk-worker|shk-cell') && break
    sleep 0.01
  done
  # shellcheck disable=SC2086 # numbers
  kill -STOP $workers 2>none
  [ -z "$2" ] || kill -STOP $run
  if [ -n "$3" ]; then
    sleep "$3"
    [ -z "$2" ] || kill -CONT $run
    sleep 0.3 # the scheduler goes on first
    # shellcheck disable=SC2086
    kill -CONT $workers 2>none
  fi
  wait $run
  status=$?
}
began=$(date +%s)
stopped st.db '' ''
[ $status -eq 0 ] || [ $status -eq 3 ]
ok_if $? "with its workers stopped for good a run ends with $status"
soon 60 "... in time"
stopped st.db run 0.5
is_text $status 0 "what was stopped for a while goes on, and --again makes the rest"
records st.db >got
holds "in the end all records are those of the undisturbed run" cmp want got
stopped long.db run 15
is_text $status 0 "a run that is stopped for longer than its cells may take times none of them out"
records long.db >got
holds "and has the same records" cmp want got

# ---- without a fence ----
cat >without.py <<'P'
"""Runs a command, and all that it starts, as in a kernel without Landlock."""
import ctypes
import os
import struct
import sys

code = b"".join(struct.pack("HBBI", *one) for one in (
    (0x20, 0, 0, 0), (0x15, 0, 1, 444), (6, 0, 0, 0x50000 | 38), (6, 0, 0, 0x7fff0000)))
program = struct.pack("HxxxxxxP", 4, ctypes.addressof(filters := ctypes.create_string_buffer(code)))
prctl = ctypes.CDLL(None).prctl
if prctl(38, 1, 0, 0, 0) or prctl(22, 2, program, 0, 0):
    sys.exit(126)
os.execv(sys.argv[1], sys.argv[1:])
P
shakedown() {
  python3 without.py "$SHAKEDOWN" "$@"
}
mode=--quiet
began=$(date +%s)
acts silent.db 2 rest stop-copy stop-itself
is_text $status 3 "without it copies are stopped, and the run ends"
soon 50 "... in time"
ended stop-copy ok ''
ended stop-itself timed-out 'its process was suspended'
ended rest ok ''
left
tap_done
