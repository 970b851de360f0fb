#!/bin/sh
# shakedown reference: the agreed digits are true digits, for many systems, against values at 60
# digits (digits.py).
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
seed=${SHAKEDOWN_TEST_SEED:-1}
python_with mpmath gmpy2 # without which mpmath takes ten times as long
exec "$python" "$SHAKEDOWN_SOURCE/tests/numbers/digits.py" "$SHAKEDOWN" "$seed"
