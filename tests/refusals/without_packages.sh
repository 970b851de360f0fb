#!/bin/sh
# The Python package without packages of others: parts that need none work, and the others report
# the package that is missing in one sentence.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
bare() {
  PYTHONPATH=$SHAKEDOWN_SOURCE/python python3 -S -B "$@" >out 2>err
}
bare -m shakedown list
is_text "$? $(wc -l <err)" "0 0" "python3 -m shakedown is the program"
bare -c 'import shakedown; shakedown.run'
holds "a name that needs one says so" grep -q "^ModuleNotFoundError: No module named 'numpy'" err
bare -c 'from shakedown import molecules'
is_text "$? $(wc -l <err)" "0 0" "what needs none is imported"
tap_done
