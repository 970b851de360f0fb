#!/bin/sh
# A wheel of the source tree, made without a network, and installed into a new virtual environment:
# it has the program, the library, the libraries that both need except the C library, headers and
# studies, and runs by itself.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
python_with numpy pandas venv ensurepip mesonpy build

mkdir source && (cd "$SHAKEDOWN_SOURCE" && tar -c --exclude=./build* --exclude=./.git .) | tar -x -C source
"$python" -m build --wheel --no-isolation -o wheels source >log 2>&1
ok_if $? "python3 -m build --wheel"
diag "$(tail -n 3 log)"
megabytes=$(du -m wheels/*.whl | cut -f 1)
holds "the wheel has $megabytes MB" [ "$megabytes" -le 25 ]
"$python" -m venv --system-site-packages env &&
  env/bin/pip install --no-index --no-deps --quiet wheels/*.whl >log 2>&1
ok_if $? "pip installs it: $(cat log)"
rm -r source
unset SHAKEDOWN SHAKEDOWN_LIBRARY LD_LIBRARY_PATH PYTHONPATH
for file in bin/shakedown share/shakedown/lib/libshakedown.so.0; do
  is_text "$(ldd "env/$file" | awk -v env="$top/env" '$2 == "=>" && index($3, env) != 1 { print $1 }' |
    grep -vE '^lib(c|m|dl|pthread|rt|gcc_s)\.so')" "" "$file needs nothing outside it but the C library"
done
env/bin/shakedown --version | grep -q '^libraries'
ok_if $? "the program runs"
env/bin/shakedown plugin new integrator mine >log && env/bin/shakedown plugin build mine.c >log 2>&1 &&
  env/bin/shakedown plugin check mine.so --quick >log
ok_if $? "a plug-in is begun, built and checked"
env/bin/python -c 'import shakedown as s; print(s.Problem("pendulum(angle=0.7)").n, "coordinates")' >log 2>&1
ok_if $? "Python finds the library: $(tail -n 1 log)"
if env/bin/python -c 'import pytest' 2>/dev/null; then
  env/bin/python -m pytest --help 2>&1 | grep -q shakedown-figures
  ok_if $? "pytest has the plug-in"
fi
cp "$SHAKEDOWN_SOURCE/examples/acceptance/rattle_unprojected.py" .
env/bin/shakedown try rattle_unprojected.py --budget 200 >log 2>&1
is_text $? 1 "a method in Python is tried by the interpreter of the environment: $(tail -n 1 log)"
env/bin/shakedown run order-calibration --dry-run >log 2>&1
ok_if $? "studies come with it: $(tail -n 1 log)"
tap_done
