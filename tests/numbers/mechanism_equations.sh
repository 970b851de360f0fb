#!/bin/sh
# The functions of mechanisms of all joints, drives, gears, springs and dampers agree with equations written apart from
# them, and two references with motions in other coordinates, to 30 digits.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
python_with numpy mpmath yaml
export PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1
data=$SHAKEDOWN_SOURCE/tests/data
cp "$data/all-joints.yaml" "$data/serial-joints.yaml" "$data/couplings.yaml" .
"$python" "$SHAKEDOWN_SOURCE/tests/numbers/mechanism_equations.py" all-joints.yaml serial-joints.yaml couplings.yaml \
  "$data/mechanism_motions.csv" "$SHAKEDOWN_SOURCE/results/published" >said 2>&1
ok_if $? "equations and motions of mechanisms"
diag "$(tail -n 1 said)"
is_text "$(wc -l <said)" 7 "three files and two motions"
"$python" "$data/mechanism_motions.py" >motions.csv
holds "the motions are those that the program in tests/data prints" cmp -s motions.csv "$data/mechanism_motions.csv"
tap_done
