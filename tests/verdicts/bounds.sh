#!/bin/sh
# One table of bounds: the program, and the same program with one bound changed
# ($SHAKEDOWN_ALTERED), decide alike in a run, a certificate, a check and a comparison.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

make_study kept 'problems: [double-pendulum], integrators: [rattle], until: 1, steps: [0.1, 0.05],
  measures: [constraint]'
# with PROGRAM: that which is run from here on.
with() {
  SHAKEDOWN=$1
  export SHAKEDOWN
}
original=$SHAKEDOWN
ends 0 "a constraint is kept" run kept.yaml -q -o kept.db
ends 0 "its baseline" baseline kept.yaml -o kept.baseline
ends 0 "holds" check kept.yaml --baseline kept.baseline -q
ends 0 "and is as the store" compare kept.baseline kept.db
ends 0 "so says a certificate" certify rattle --with kept.yaml --claim 'keeps constraint' -q
with "$SHAKEDOWN_ALTERED"
ends 1 "the bound changed: a run falsifies it" run kept.yaml -q -o kept.db
holds "with a reason: $(grep -m 1 floor out)" grep -q 'falsified' out
ends 1 "a check fails" check kept.yaml --baseline kept.baseline -q
ends 1 "a comparison, too" compare kept.baseline kept.db
ends 1 "and a certificate" certify rattle --with kept.yaml --claim 'keeps constraint' -q
with "$original"
ends 0 "with the bound as it was all hold again" check kept.yaml --baseline kept.baseline -q
tap_done
