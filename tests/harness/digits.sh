#!/bin/sh
# shakedown reference: the digits agreed are true, in bulk, against values at 60 digits (digits.py).
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
seed=${SHAKEDOWN_TEST_SEED:-1}
if python3 -c 'import mpmath' 2>/dev/null; then
  exec python3 "$SHAKEDOWN_SOURCE/tests/harness/digits.py" "$SHAKEDOWN" "$seed"
fi
skip "python3-mpmath is not installed"
tap_done
