#!/bin/sh
# The functions of the problems in C agree with equations written apart from them.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
python_with numpy pandas mpmath
PYTHONPATH=$SHAKEDOWN_SOURCE/python "$python" -B "$SHAKEDOWN_SOURCE/tests/numbers/equations.py" >said 2>err
ok_if $? "equations of the problems"
diag "$(tail -n 1 err)"
is_text "$(wc -l <said)" 43 "all but jay, water-box and those that are read, drawn or refused"
tap_done
