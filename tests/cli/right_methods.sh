#!/bin/sh
# Right methods, as outside authors would write them (tests/right), get their certificates: nothing
# is falsified, every claim is upheld, and every claim that problems of their kind can decide is
# decided. If one fails, find out first whether the method or the certificate is wrong.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

# What any method may leave open: problems that cannot decide.
cannot='one degree of freedom: symplectic only means area-preserving'

# certified INTEGRATOR PLUGIN [PATTERN]...: lines of what is undecided may match a PATTERN, too.
certified() {
  name=$1
  ends 0 "$name gets its certificate" certify -q --brief "$name" --plugin "$2"
  shift 2
  printf '%s\n' "$cannot" "$@" >allowed
  is_text "$(grep '^undecided ' out | grep -v -f allowed)" "" "$name: nothing else is undecided"
  tail -n 1 out | grep -q ' held, 0 falsified, .* 0 failed'
  ok_if $? "$name: $(tail -n 1 out)"
}

certified dense-rattle "$SHAKEDOWN_DENSE_RATTLE"
is_text "$(grep -c '^order of q: 2  *held  *[1-9][0-9]* held  *2\.0000' out)" 1 "a claim has one line"
certified 'dense-rattle(solver=gauss-seidel)' "$SHAKEDOWN_DENSE_RATTLE"
# A plug-in's flow under our RATTLE.
certified 'rattle(flow=integrator(dense-rattle))' "$SHAKEDOWN_DENSE_RATTLE"
certified two-step-shake "$SHAKEDOWN_TWO_STEP_SHAKE"
certified variational-midpoint "$SHAKEDOWN_VARIATIONAL_MIDPOINT"
# Its steps are three halves as long as those asked: too long for the double pendulum at the largest.
certified third-order "$SHAKEDOWN_THIRD_ORDER" \
  'on double-pendulum.*not at steps or tolerances' 'on double-pendulum.*: 1 step, 3 needed' \
  'exact on this problem'
tap_done
