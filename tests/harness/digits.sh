#!/bin/sh
# shakedown reference: the digits agreed are true, in bulk, against values at 60 digits (digits.py).
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
seed=${SHAKEDOWN_TEST_SEED:-1}
# Packages are installed for the system's Python, which need not be the first on the path. With gmpy2
# mpmath takes a tenth of the time.
for modules in mpmath,gmpy2 mpmath; do
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $modules" 2>/dev/null; then
      exec "$python" "$SHAKEDOWN_SOURCE/tests/harness/digits.py" "$SHAKEDOWN" "$seed"
    fi
  done
done
skip "python3-mpmath is not installed"
tap_done
