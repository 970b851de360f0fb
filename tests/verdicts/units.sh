#!/bin/sh
# Verdicts in other units, and of systems at rest (units.py).
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$SHAKEDOWN_SOURCE/tests/data/fixed-cart.yaml" "$SHAKEDOWN_SOURCE/tests/data/slide-across.yaml" \
  "$SHAKEDOWN_SOURCE/tests/data/small-ball.yaml" "$scratch"
python_with csv # of the standard library
cd "$scratch" && "$python" "$SHAKEDOWN_SOURCE/tests/verdicts/units.py"
