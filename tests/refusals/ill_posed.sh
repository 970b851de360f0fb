#!/bin/sh
# Problems without a solution, or without a unique one, are refused by every integrator, each with
# the reason; an inconsistent start is refused with its residuals and an offer. Every integrator
# that supports constraints on momenta stops where their solution ends.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"

"$SHAKEDOWN" list integrators --format csv | tail -n +2 | cut -d, -f1 >integrators
holds "there are more than twenty integrators to ask" [ "$(wc -l <integrators)" -gt 20 ]

# simulate PROBLEM INTEGRATOR [OPTION…]: with a tolerance where it has no fixed step; leaves the exit
# status in $status, and err
simulate() {
  problem=$1 integrator=$2
  shift 2
  case $integrator in external | engine) integrator="$integrator(command=\"/bin/false\")" ;; esac
  "$SHAKEDOWN" simulate "$problem" "$integrator" --step 0.01 --allow-external "$@" \
    >rows 2>err </dev/null
  status=$?
  if [ $status -eq 2 ] && grep -q 'tolerance' err; then
    "$SHAKEDOWN" simulate "$problem" "$integrator" --step 0.01 --tolerance 1e-8 "$@" \
      >rows 2>err </dev/null
    status=$?
  fi
}

# refused PROBLEM REASON…: by all of them, with no row, each reason told
refused() {
  problem=$1
  shift
  wrong=
  while read -r its; do
    simulate "$problem" "$its" --until 0.1
    ok=yes
    [ $status -eq 2 ] && [ ! -s rows ] || ok=
    for reason in "$@"; do
      grep -qF "$reason" err || ok=
    done
    [ -n "$ok" ] || wrong="$wrong $its"
  done <integrators
  is_text "$wrong" "" "$problem is refused by all of them: $*"
}

refused index-five 'nondegeneracy fails' 'index 5' 'on q2, then on q1, then on p1, then on p2'
refused gauge 'the multiplier is undetermined' 'infinitely many solutions'
refused energy-surface 'nondegeneracy fails' 'infinitely many solutions'
refused non-coisotropic 'coisotropy fails: max|{g_i,g_j}| = 1'
refused knife-edge 'is nonholonomic' "Frobenius' test"
"$SHAKEDOWN" diagnose gauge >rows
is_text "$(sed -n '/^integrators/,$p' rows | grep -c '^  ')" 1 "diagnose says so once, of all of them"

# ---- an inconsistent start ----
simulate pendulum rattle --until 0.1 --q 0.8,0.3 --p 0.1,0.6
is_text "$status" 2 "an inconsistent start is refused"
holds "with both residuals and the offer to project it" grep -qF 'max|g| = 0.135, max|G H_p| = 0.26; --project' err
simulate pendulum rattle --until 0.1 --q 0.8,0.3 --p 0.1,0.6 --project
is_text "$status" 0 "which then runs"

# ---- the end of a solution ----
# t* = 1.0500307543592827, from the equations in a time in which they are regular, at 25 digits.
beyond=''
asked=0
while read -r its; do
  simulate 'harmonic-sphere(radius2=1)' "$its" --until 2 --q 0.3,0.1 --p 0.9,0.3 --project
  [ $status -eq 2 ] && grep -q 'constraints that depend on momenta\|no exact solution' err && continue
  [ "$its" = external ] && continue # takes them, but the program is none
  asked=$((asked + 1))
  last=$(tail -n 1 rows | cut -d, -f1)
  [ $status -eq 3 ] && awk -v t="$last" 'BEGIN { exit !(t < 1.0500307543592827) }' ||
    beyond="$beyond $its"
done <integrators
is_text "$beyond" "" "whoever takes the harmonic sphere stops before its solution ends"
holds "$asked of them do" [ $asked -ge 5 ]

tap_done
