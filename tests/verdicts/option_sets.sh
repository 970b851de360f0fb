#!/bin/sh
# Methods with options other than the defaults, in studies/option-sets.yaml: each is a valid
# specification, the study of their certificates can be run, and every choice of solver,
# factorization and base is in one of them; a few are certified here.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

python3 - "$SHAKEDOWN_SOURCE/studies/option-sets.yaml" >specifications <<'P'
import sys, yaml
with open(sys.argv[1]) as file:
    print('\n'.join(m for run in yaml.safe_load(file)['runs'] for m in run['integrators']))
P
set --
while read -r spec; do
  set -- "$@" "$spec"
done <specifications
"$SHAKEDOWN" certify --brief --study "$@" >options.yaml
ok_if $? "the study of all option sets"
"$SHAKEDOWN" run options.yaml --dry-run --format csv >cells
ok_if $? "can be run like any other"
missing=
while read -r spec; do
  grep -qF "'$spec'" options.yaml || grep -qF "      - $spec" options.yaml || missing="$missing $spec"
done <specifications
is_text "$missing" "" "and has every one of them, as it is written"

# choices OPTION INTEGRATOR: those that `describe` knows; the default and GSL's are left out
choices() {
  "$SHAKEDOWN" describe "$2" | sed -n "s/^  $1=\([a-z0-9-]*\) .*/\1/p" |
    grep -v -e '^auto$' -e '^gsl-' -e '^verlet$' -e '^suzuki4$'
}
for pair in 'solver rattle' 'linear rattle' 'flow rattle' 'scheme composition' 'base projection' \
  'onto projection' 'lagrangian variational' 'control adaptive'; do
  missing=
  for choice in $(choices ${pair}); do
    grep -q "$(echo "$pair" | cut -d' ' -f1)=${choice}[,()]" specifications ||
      case $choice in
      both | rk4 | midpoint | doubling | program) ;; # defaults, and what asks for a program
      *) missing="$missing $choice" ;;
      esac
  done
  is_text "$missing" "" "every choice of $pair"
done

ends 0 "stabilization that matters gets its certificate" \
  certify --brief --seed 1 -q 'baumgarte(alpha=20,beta=20)' --claim 'order of q' --claim 'order of p' -o options.db
# The scatter of large blocks: a certificate of linear=block has a chain of twelve links.
ends 0 "linear=block gets its certificate" \
  certify --brief --seed 1 -q 'rattle(linear=block)' --format csv -o options.db
holds "on a chain of twelve links, too" [ "$(grep -c 'chain(links=12.*,held$' out)" -ge 8 ]
# Steppers of GSL have double only: what is made of them is certified in it, not refused in quad.
# Double does not resolve every defect of a step, so that a claim about one may stay open.
ends 3 "what works in double only gets its certificate in double" \
  certify --brief --seed 1 -q 'projection(base=gsl-rk2)' --format csv -o options.db
[ "$(grep -c ',order of .*,double,.*,held$' out)" -ge 20 ] && ! grep -q ',quad,' out
ok_if $? "which has its orders"
# The verdicts of all methods and option sets are in a table. Two that stand for the kinds of steps:
python3 "$SHAKEDOWN_SOURCE/tests/verdicts/verdicts.py" "$SHAKEDOWN_SOURCE/tests/data/verdicts.csv" \
  'rattle(solver=lincs)' 'shake(momentum=central)' >verdicts
ok_if $? "verdicts are those of the table"
grep -v '^ok ' verdicts | sed 's/^not ok/# not/' | grep '^#'
# The inverse that CCMA keeps belongs to the problem, not to the state at which it was first asked for.
ends 0 "what a solver keeps for all steps makes no step depend on others" \
  certify -q --seed 830205895 'rattle(solver=ccma)' --claim stateless
# Loose solves end after other iterations in quad than in double, and keep no constraint exactly.
ends 0 "loose tolerances are no fault" certify --brief -q --seed 1 'rattle(tolerance=1e-6)' \
  'projection(tolerance=1e-6)' --claim 'double as quad' --claim 'keeps constraint' -o options.db
# Soft springs leave the sphere, beyond which this potential is undefined.
ends 0 "a method that leaves the constraint, as it says, may leave what is defined" \
  certify --brief --seed 1 -q 'penalty(stiffness=100,damping=10)' --values -o options.db
says 'the method claims not to keep the constraint, and away from it' "and that is said"
# QR drops redundant rows: its multipliers are others of the same force, which is what is compared.
make_study redundant "problems: ['duplicate(double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4))'],
  integrators: [rattle(linear=qr), rattle(linear=svd), 'bad-rattle(fault=other-sign,linear=qr)'], until: 1.7, steps: [0.1, 0.05, 0.025, 0.0125,
  0.00625], precision: quad, measures: [order]"
"$SHAKEDOWN" run redundant.yaml --plugin "$SHAKEDOWN_BAD_RATTLE" -q --format csv >orders
verdict() { grep "linear=$1)\"*,quad,order of $2," orders | grep "$3" |
  sed -E 's/.*,(held|undecided|falsified|failed|refused),.*/\1/'; }
# verdicts LINEAR METHOD: of q and of the multipliers
verdicts() { for block in q lambda mu lambda-mean; do verdict "$1" "$block" "$2"; done | paste -s -d ' ' -; }
is_text "$(verdicts qr ',rattle')" "held held held held" "other multipliers of redundant rows are not wrong"
is_text "$(verdicts svd ',rattle')" "held held held held" "... the shortest are right"
is_text "$(verdicts qr bad-rattle)" "held falsified falsified falsified" "... those of another force are wrong"
# At a turning point the momentum is as small as it likes: corrections relative to it stay.
ends 0 "symmetric projection goes through turning points" \
  simulate sprung-pendulum 'projection(symmetric=yes,base=midpoint)' --step 0.04734375 --until 606 \
  --every 5000
tap_done
