#!/bin/sh
# `shakedown try` of the wrong methods and solvers in tests/bad: it falsifies claims of at least 85 %
# of them. Those named below need the whole of `certify`, as other tests show, and pass what
# `try` has time for.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

# METHOD: faults that need more, or are right. They would need:
#   joined       orders on both sides of h = 0, of a method that is symmetric on each
#   time-steps   an order with V(q,t) of steps so short that a term of order one shows
#   forward      errors of steps back with V(q,t), compared with those of steps forward
#   floor        tolerances over seven decades
cat >later <<'END'
bad-rattle: none silent right-sequence allocates refuses-large refuses-negative turns-off
bad-examinee: none joined time-steps
bad-contract: none
bad-slide: none in-turn
bad-tolerance: none floor
bad-system: none forward
bad-energy-momentum: none
bad-solver: none
bad-sizes: none
END
right=' none silent right-sequence in-turn allocates warns-far ' # no claim of these is wrong
fell=0 all=0
# fall METHOD PLUGIN PRINTF: all faults of a method, each as a specification
fall() {
  for fault in $("$SHAKEDOWN" describe "$1" --plugin "$2" | sed -n 's/^  *fault=\([a-z0-9-]*\) .*/\1/p'); do
    case $right in *" $fault "*) continue ;; esac
    all=$((all + 1))
    sed -n "s/^$1: \(.*\)/ \1 /p" later | grep -qF " $fault " && continue
    # shellcheck disable=SC2059 # the format is ours
    spec=$(printf "$3" "$fault")
    ends 1 "$spec falls" try "$spec" --plugin "$2" --budget 100
    fell=$((fell + (got == 1)))
  done
}
fall bad-rattle "$SHAKEDOWN_BAD_RATTLE" 'bad-rattle(fault=%s)'
fall bad-examinee "$SHAKEDOWN_BAD_EXAMINEE" 'bad-examinee(fault=%s)'
fall bad-contract "$SHAKEDOWN_BAD_CONTRACT" 'bad-contract(fault=%s)'
fall bad-order "$SHAKEDOWN_BAD_ORDER" 'bad-order(fault=%s)'
fall bad-slide "$SHAKEDOWN_BAD_SLIDE" 'bad-slide(fault=%s)'
fall bad-sizes "$SHAKEDOWN_BAD_SIZES" 'bad-sizes(fault=%s)'
fall bad-penalty "$SHAKEDOWN_BAD_PENALTY" 'bad-penalty(fault=%s)'
fall bad-tolerance "$SHAKEDOWN_BAD_TOLERANCE" 'bad-tolerance(fault=%s)'
fall bad-system "$SHAKEDOWN_BAD_SYSTEM" 'bad-system(fault=%s)'
fall bad-energy-momentum "$SHAKEDOWN_BAD_ENERGY_MOMENTUM" 'bad-energy-momentum(fault=%s)'
fall bad-gauss-lobatto-spark "$SHAKEDOWN_BAD_GAUSS_LOBATTO_SPARK" 'bad-gauss-lobatto-spark(fault=%s)'
fall bad-generalized-alpha "$SHAKEDOWN_BAD_GENERALIZED_ALPHA" 'bad-generalized-alpha(form=ggl,fault=%s)'
fall bad-ggl-variational "$SHAKEDOWN_BAD_GGL_VARIATIONAL" 'bad-ggl-variational(fault=%s)'
fall bad-symmetric-multistep "$SHAKEDOWN_BAD_SYMMETRIC_MULTISTEP" 'bad-symmetric-multistep(order=8,fault=%s)'
fall bad-velocity-impulse "$SHAKEDOWN_BAD_VELOCITY_IMPULSE" 'bad-velocity-impulse(fault=%s)'
fall bad-xpbd "$SHAKEDOWN_BAD_XPBD" 'bad-xpbd(substeps=2,fault=%s)'
fall bad-solver "$SHAKEDOWN_BAD_SOLVER" 'rattle(solver=bad-solver(fault=%s))'
[ $((20 * fell)) -ge $((17 * all)) ]
ok_if $? "$fell of $all wrong methods fall within try"
tap_done
