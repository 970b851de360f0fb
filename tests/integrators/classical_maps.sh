#!/bin/sh
# SHAKE and RATTLE against an independent computation of 60 digits (tests/data/classical_maps.py), row
# by row: positions and momenta to 2e-12 in double and 1e-29 in quad after 100 steps. A solved
# multiplier carries some eps/h² of round-off; h is 1/80.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"

compare() {
  python3 "$SHAKEDOWN_SOURCE/tests/kit/check_rows.py" "$SHAKEDOWN" "$@" >"$scratch/rows" 2>"$scratch/err"
  ok_if $? "every run of precision $1 ended well"
  [ -s "$scratch/err" ] && diag "$(tail -n 5 "$scratch/err")"
  count=0
  while read -r verdict states multipliers name; do
    count=$((count + 1))
    [ "$verdict" = pass ]
    ok_if $? "$name"
    diag "largest difference: $states in q and p, $multipliers in lambda"
  done <"$scratch/rows"
  is_text $count 16 "four methods on four problems, precision $1"
}

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
compare double 2e-12 5e-11
compare quad 1e-29 5e-29
# The committed values are what their script computes.
python3 "$SHAKEDOWN_SOURCE/tests/data/classical_maps.py" | cmp - \
  "$SHAKEDOWN_SOURCE/tests/data/classical_maps.csv" >"$scratch/err" 2>&1
ok_if $? "tests/data/classical_maps.csv is what its script writes"
tap_done
