#!/bin/sh
# Methods against independent computations of 60 and 45 digits (tests/data/*_maps.py), row by row. SHAKE
# and RATTLE: positions and momenta to 2e-12 in double and 1e-29 in quad after 100 steps. A solved
# multiplier carries some eps/h² of round-off; h is 1/80. With constraints on momenta, of two and three
# degrees of freedom, after 5 steps of 1/20: to 1e-13 and 1e-31, a thousand roundings of a unit; and so
# the methods of multibody codes and game engines, and of high order, the former under forces Q(t,q,p) and
# with constraints g(q,t), too.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"

# values NAME SCRIPT ARGUMENT...: what the script computes
values() {
  "$python" -B "$SHAKEDOWN_SOURCE/tests/data/$2" ${3+"$3"} >"$1.csv" 2>err
  ok_if $? "$1: computed"
}

# compare VALUES PAIRS PRECISION STATE-TOLERANCE MULTIPLIER-TOLERANCE
compare() {
  values=$1 pairs=$2
  shift 2
  python3 "$SHAKEDOWN_SOURCE/tests/kit/check_rows.py" "$SHAKEDOWN" "$values.csv" "$@" >rows 2>err
  ok_if $? "every run of precision $1 ended well"
  [ -s err ] && diag "$(tail -n 5 err)"
  count=0
  while read -r verdict states multipliers name; do
    count=$((count + 1))
    holds "$name" [ "$verdict" = pass ]
    diag "largest difference: $states in q and p, $multipliers in lambda"
  done <rows
  is_text $count "$pairs" "$values: methods on problems, precision $1"
}

python_with mpmath
values classical later_maps.py classical
compare classical 16 double 2e-12 5e-11
compare classical 16 quad 1e-29 5e-29
values coisotropic coisotropic_maps.py
compare coisotropic 8 double 1e-13 1e-13
compare coisotropic 8 quad 1e-31 1e-31
values later later_maps.py
compare later 34 double 1e-13 1e-10
compare later 34 quad 1e-31 1e-28
values forced later_maps.py forced
compare forced 16 double 1e-13 1e-10
compare forced 16 quad 1e-31 1e-28
values moving later_maps.py moving
compare moving 16 double 1e-13 1e-10
compare moving 16 quad 1e-31 1e-28
tap_done
