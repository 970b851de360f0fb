#!/bin/sh
# Right methods, as outside authors would write them (tests/right), get their certificates: nothing
# is falsified, every claim is upheld, and every claim that problems of their kind can decide is
# decided. If one fails, find out first whether the method or the certificate is wrong.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

# What any method may leave open: problems that cannot decide.
cannot='one degree of freedom: symplectic only means area-preserving'

# certified INTEGRATOR PLUGIN [PATTERN]...: lines of what is undecided may match a PATTERN, too.
certified() {
  name=$1
  ends 0 "$name gets its certificate" certify -q --brief --seed 1 "$name" --plugin "$2"
  shift 2
  judged ', 0 failed' "$@"
}

# judged END [PATTERN]...: nothing is falsified, the last counts end with END, and what is undecided has
# one of the known reasons.
judged() {
  ending=$1
  shift
  printf '%s\n' "$cannot" "$@" >allowed
  is_text "$(grep '^undecided ' out | grep -v -f allowed)" "" "$name: nothing else is undecided"
  counts=$(grep ' held, ' out | tail -n 1)
  echo "$counts" | grep -q " held, 0 falsified, .*$ending"
  ok_if $? "$name: $counts"
}

certified dense-rattle "$SHAKEDOWN_DENSE_RATTLE"
is_text "$(grep -c '^order of q: 2  *held  *[1-9][0-9]* held  *2\.0000' out)" 1 "a claim has one line"
# Sweeps do not converge on every random system, and say so: a failed run leaves claims open.
name='dense-rattle(solver=gauss-seidel)'
shakedown certify -q --brief --seed 1 "$name" --plugin "$SHAKEDOWN_DENSE_RATTLE" >out 2>err </dev/null
status=$?
[ $status -eq 0 ] || { [ $status -eq 3 ] && ! grep '^failed ' out | grep -v 'the corrections stay at\|did not converge'; }
ok_if $? "$name gets its certificate: status $status"
judged ' failed'
# A plug-in's flow under our RATTLE.
certified 'rattle(flow=integrator(dense-rattle))' "$SHAKEDOWN_DENSE_RATTLE"
certified two-step-shake "$SHAKEDOWN_TWO_STEP_SHAKE" 'times round-off, but measured at only one step size'
certified variational-midpoint "$SHAKEDOWN_VARIATIONAL_MIDPOINT"
# Its steps are three halves as long as those asked: too long for the double pendulum at the largest,
# and for some random systems.
certified third-order "$SHAKEDOWN_THIRD_ORDER" 'the multiplier solve stopped improving' \
  'on double-pendulum.*not at steps or tolerances' 'on double-pendulum.*: 1 step, but 3 are needed' \
  'exact on this problem'
tap_done
