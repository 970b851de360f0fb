#!/bin/sh
# GROMACS through its adapter: problems on which its SHAKE, SETTLE and LINCS agree with ours, its
# refusals, its behaviour when a solve does not converge, and wrong adapters.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/engines.sh"
if ! command -v gmx_d >/dev/null; then
  skip_without gromacs "no gmx_d"
  tap_done
fi
MD='python3 gromacs.py md' VV='python3 gromacs.py md-vv'

# Velocities are solved for to 2 tolerance l²/h.
for one in 'pendulum 0.05 5' 'dimers 0.005 0.5' 'butane 0.002 0.4'; do
  # shellcheck disable=SC2086
  set -- $one
  agree "$1" "$2" "$3" "$MD shake" 'shake(momentum=central)' 10
  agree "$1" "$2" "$3" "$VV shake" rattle 10
done
agree decane 0.002 0.4 "$VV shake" rattle 9
agree tethered-water 0.002 0.2 "$VV settle" rattle 11
agree hanging-chain 0.02 2 "$VV lincs 4 1" 'rattle(solver=lincs(order=4,corrections=1))' 12
# In triangles its order counts twice, as its manual has it.
agree tethered-water 0.002 0.2 "$VV lincs 4 1" 'rattle(solver=lincs(order=8,corrections=1))' 12

# stops STATUS FRAGMENT COMMAND STEP SYSTEM [MORE]
stops() {
  gives "$1" "$2" simulate "$(system "$5")" "engine(command=\"$3\"${6-})" --allow-external --step "$4" \
    --until "$4"
}
stops 3 'SHAKE leaves velocities' "$VV shake" -0.05 pendulum
stops 3 'has no tolerance' "$MD lincs" 0.05 pendulum ,tolerance=1e-6
stops 2 'equal triangles' "$MD settle" 0.005 dimers
stops 3 'has not converged' "$MD shake" 0.05 hanging-chain ,tolerance=1e-18

# wrong SED FRAGMENT WORDS SYSTEM STEP UNTIL: an adapter that was spoilt is seen
wrong() {
  sed "$1" gromacs.py >spoilt.py
  cmp -s gromacs.py spoilt.py && diag "nothing was spoilt"
  gives 3 "$2" simulate "$(system "$4")" "$(engine "python3 spoilt.py $3")" --allow-external --step "$5" --until "$6"
}
wrong 's/, "GMX_DISABLE_MODULAR_SIMULATOR": "1"//' 'does not begin at the start that it was given' \
  'md-vv shake' dimers 0.005 0.5
wrong 's/"continuation": "yes"/"continuation": "no"/' 'does not begin at the start that it was given' 'md shake' \
  pendulum 0.05 1
tap_done
