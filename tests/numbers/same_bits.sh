#!/bin/sh
# Trajectories of all methods, and of options that change their steps, against those kept in same_bits.csv.
exec python3 "$SHAKEDOWN_SOURCE/tests/numbers/same_bits.py" check "$SHAKEDOWN" \
  "$SHAKEDOWN_SOURCE/tests/numbers/same_bits.csv"
