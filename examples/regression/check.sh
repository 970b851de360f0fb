#!/bin/sh
# Builds the method and compares it with its baseline. Run this script with `prove ./check.sh`.
set -e
shakedown plugin build my_method.c >&2
exec shakedown check study.yaml --baseline baseline.txt --plugin ./my_method.so --quiet
