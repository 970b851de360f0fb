#!/bin/sh
# One meaning of the exit status of try, certify, run, show and check: 1 if something is falsified, 3
# if a claim that the author made, and that was asked for, is not decided, with the list and the
# command that decides it, 0 if all are held.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

# write_study NAME STEPS MEASURES: of RATTLE, on a problem that decides its orders
write_study() {
  cat >"$1.yaml" <<Y
study: $1
runs:
  - problems: [sprung-pendulum]
    integrators: [rattle]
    steps: $2
    until: 1
    precision: quad
$3
Y
}
few='{largest: 0.1, halvings: 1}'
enough='{largest: 0.1, halvings: 5}'
order='    measures: [order]'

# ---- run, show, check ----
write_study decided "$enough" "$order"
ends 0 "all claims that the study names are held" run decided.yaml -q -o decided.db
write_study open "$few" "$order"
ends 3 "two steps decide no order" run open.yaml -q -o open.db
has '7 claims are not decided:' "... which is told"
has '  rattle: order of q, order of p, order of lambda' "... with the claims"
has '  shakedown certify rattle' "... and the command that decides them"
ends 3 "show says the same" show open.db
ends 3 "with other formats too" run open.yaml -q -o open.db --format csv
grep -q 'not decided' err && ! grep -q 'not decided' out
ok_if $? "... on standard error"
write_study unasked "$few" ''
ends 0 "claims for which no measure is named do not count" run unasked.yaml -q -o unasked.db
write_study other "$few" '    measures: [constraint]'
ends 0 "nor do those of other measures" run other.yaml -q -o other.db
cat open.yaml >both.yaml
sed -i 's/study: open/study: both/' both.yaml
sed '1,2d' decided.yaml >>both.yaml
sed -i 's/until: 1$/until: 2/' both.yaml
ends 0 "one problem that decides is enough" run both.yaml -q -o both.db
ends 3 "a baseline is written, and says so" baseline open.yaml -q --store open.db -o open.txt
ends 3 "its values hold, and claims are not decided" check open.yaml -q --store open.db \
  --baseline open.txt
has '# 7 claims are not decided:' "... in a comment of TAP"
sed 's/| status | finished/| status | crashed/' open.txt >moved.txt
ends 1 "a value that left its band is graver" check open.yaml -q --store open.db --baseline moved.txt

# ---- certify ----
make_study short "problems: ['pendulum(angle=0.7,rate=1.1)'], integrators: [\$method], until: 1,
  steps: [0.1, 0.05], measures: [constraint], precision: [finest]"
ends 2 "certify of no integrator" certify --with short.yaml
holds "... says what --all would run" grep -qE 'or use --all to run [0-9]+ integrators in [0-9]+ cells' err
ends 0 "certify: held" certify rattle --with short.yaml -q --claim 'keeps constraint'
ends 3 "a claim that no problem decides" certify rattle --with short.yaml -q \
  --claim 'keeps constraint' --claim 'keeps momenta'
has '1 claim is not decided:' "... is told"
ends 0 "what is assumed of every method need not be shown" certify rattle --with short.yaml -q \
  --claim 'keeps constraint' --claim 'permutation equivariant'
bad="--plugin $SHAKEDOWN_BAD_RATTLE"
# shellcheck disable=SC2086 # words
ends 3 "a method without claims" certify 'bad-rattle(fault=silent)' --with short.yaml -q $bad
# shellcheck disable=SC2086
ends 1 "a claim that falls" certify 'bad-rattle(fault=unconstrained)' --with short.yaml -q $bad
ends 0 "with TAP" certify rattle --with short.yaml -q --claim 'keeps constraint' --format tap
ends 3 "... and a claim that is open" certify rattle --with short.yaml -q --format tap \
  --claim 'keeps constraint' --claim symplectic
holds "... is skipped, not failed" grep -q '^ok [0-9]* - rattle: symplectic yes # SKIP not demonstrated' out
ends 3 "a driven solver without order in the step" certify 'step-halving' --with short.yaml -q
has 'not decided' "... leaves its orders open"

# ---- try ----
# From the 2000th step of a run on, a step takes its time: the question about the energy is cut off,
# however fast or busy the machine is.
cp "$SHAKEDOWN_SOURCE/tests/right/dense.h" .
awk 'NR == 1 { print "#define _POSIX_C_SOURCE 200809L\n#include <time.h>" }
  { print }
  /^static struct shk_status step\(/ { inside = 1 }
  inside && /^\{/ {
    print "  static int taken = 0;"
    print "  if (++taken > 2000)"
    print "    nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);"
    inside = 0
  }' "$SHAKEDOWN_SOURCE/tests/right/dense_rattle.c" >slow.c
ends 3 "a list that the clock cuts off" try slow.c --budget 15
has ' questions had been answered' "... is told"
has 'energy bounded' "... with the claims that were not reached"
has 'the time ran out before all questions about it were answered' "... and why"
holds "... and the command that decides them" grep -q '^  shakedown certify dense-rattle --plugin' out
tap_done
