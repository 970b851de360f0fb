#!/bin/sh
# Methods of multibody codes and game engines, and of high order, against independent computations of
# 45 digits (tests/data/later_maps.py), row by row after 1, 2 and 5 steps of 1/20.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/python.sh"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# compare PRECISION STATE-TOLERANCE MULTIPLIER-TOLERANCE
compare() {
  python3 "$SHAKEDOWN_SOURCE/tests/kit/check_rows.py" "$SHAKEDOWN" later_maps.csv "$@" >"$scratch/rows" 2>"$scratch/err"
  ok_if $? "every run of precision $1 ended well"
  [ -s "$scratch/err" ] && diag "$(tail -n 5 "$scratch/err")"
  while read -r verdict states multipliers name; do
    [ "$verdict" = pass ]
    ok_if $? "$name"
    diag "largest difference: $states in q and p, $multipliers in lambda"
  done <"$scratch/rows"
}
compare double 1e-13 1e-10
compare quad 1e-31 1e-28
python_with mpmath
"$python" "$SHAKEDOWN_SOURCE/tests/data/later_maps.py" |
  cmp - "$SHAKEDOWN_SOURCE/tests/data/later_maps.csv" >"$scratch/err" 2>&1
ok_if $? "tests/data/later_maps.csv is what its script writes"
tap_done
