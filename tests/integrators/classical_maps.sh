#!/bin/sh
# SHAKE and RATTLE against independent computations of 60 digits (tests/data/*_maps.py), row by row:
# positions and momenta to 2e-12 in double and 1e-29 in quad after 100 steps. A solved multiplier
# carries some eps/h² of round-off; h is 1/80. With constraints on momenta, of two and three degrees
# of freedom, after 5 steps of 1/20: to 1e-13 and 1e-31, a thousand roundings of a unit.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"

# compare VALUES PAIRS PRECISION STATE-TOLERANCE MULTIPLIER-TOLERANCE
compare() {
  values=$1 pairs=$2
  shift 2
  python3 "$SHAKEDOWN_SOURCE/tests/kit/check_rows.py" "$SHAKEDOWN" "$values.csv" "$@" >"$scratch/rows" 2>"$scratch/err"
  ok_if $? "every run of precision $1 ended well"
  [ -s "$scratch/err" ] && diag "$(tail -n 5 "$scratch/err")"
  count=0
  while read -r verdict states multipliers name; do
    count=$((count + 1))
    [ "$verdict" = pass ]
    ok_if $? "$name"
    diag "largest difference: $states in q and p, $multipliers in lambda"
  done <"$scratch/rows"
  is_text $count "$pairs" "$values: methods on problems, precision $1"
}

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
compare classical_maps 16 double 2e-12 5e-11
compare classical_maps 16 quad 1e-29 5e-29
compare coisotropic_maps 8 double 1e-13 1e-13
compare coisotropic_maps 8 quad 1e-31 1e-31
# The committed values are what their scripts compute.
for values in classical_maps coisotropic_maps; do
  python3 "$SHAKEDOWN_SOURCE/tests/data/$values.py" | cmp - \
    "$SHAKEDOWN_SOURCE/tests/data/$values.csv" >"$scratch/err" 2>&1
  ok_if $? "tests/data/$values.csv is what its script writes"
done
tap_done
