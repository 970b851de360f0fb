#!/bin/sh
# For `prove ./check.sh`: builds the method and compares it with its baseline.
set -e
shakedown plugin build my_method.c >&2
exec shakedown check study.yaml --baseline baseline.txt --plugin ./my_method.so --quiet
