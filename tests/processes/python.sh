#!/bin/sh
# Python: to the certificate of a method of one's own, with the time that this takes (wheel.sh
# installs the package); the examples of docs/guides/in-python.md in their order; the tests of
# tests/processes/python; types.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
python_with numpy pandas sympy

# point NAME COMMAND...: passes when the command does
point() {
  name=$1
  shift
  "$@" >log 2>&1
  ok_if $? "$name" || diag "$(tail -n 40 log)"
}

# ---- to a certificate ----
began=$(date +%s)
cp -r "$SHAKEDOWN_SOURCE/python" package
export PYTHONPATH="$top/package"
awk -v folder="$top" -f "$SHAKEDOWN_SOURCE/tests/kit/docs_commands.awk" \
  "$SHAKEDOWN_SOURCE/docs/guides/in-python.md" >commands
holds "docs/guides/in-python.md has a method" [ -s my_rattle.py ]
# All other blocks in their order.
awk '/^```python$/ { inside = 1; first = 1; next } /^```$/ { inside = 0 }
  inside && first { first = 0; file = /^# [a-z_]*\.py$/ }
  inside && !file' "$SHAKEDOWN_SOURCE/docs/guides/in-python.md" >examples.py
sed '/^assert certificate.held$/q' examples.py >first.py
point "a method of a dozen lines is certified" "$python" first.py
holds "... with a row for each claim" grep -q 'order of q  *2  *held' log
diag "to a certificate: $(($(date +%s) - began)) s"
holds "RATTLE takes at most 15 lines" [ "$(sed -n '/def step/,$p' my_rattle.py | wc -l)" -le 15 ]

# ---- the rest of the page, in a notebook where there is one ----
tour=$SHAKEDOWN_SOURCE/examples/python/tour.ipynb
python3 "$SHAKEDOWN_SOURCE/scripts/notebook.py" "$tour" --check
ok_if $? "the notebook is the page (scripts/notebook.py examples/python/tour.ipynb)"
holds "the examples say what they are to show" [ "$(grep -c assert examples.py)" -ge 6 ]
if "$python" -c 'import nbclient, ipykernel' 2>/dev/null; then
  cat >play.py <<'P'
import sys
import nbclient
import nbformat
notebook = nbformat.read(sys.argv[1], 4)
notebook.cells = [cell for cell in notebook.cells if "shakedown.certify(" not in cell.source]
nbclient.NotebookClient(notebook, timeout=300).execute()
P
  point "the notebook runs" "$python" play.py "$tour"
else
  sed '/^certificate = /,/^assert certificate.held$/d' examples.py >rest.py
  point "the other examples of the page run" "$python" rest.py
fi

# ---- a file is a plug-in of the program ----
make_study plug 'problems: [sprung-pendulum], integrators: [my-rattle], steps: {largest: 0.1, halvings: 4},
  until: 1, measures: [order]'
export SHAKEDOWN_PYTHON="$python"
point "a study with a method in a file" "$SHAKEDOWN" run plug.yaml --plugin my_rattle.py --quiet
point "... and once more, in the sandbox" "$SHAKEDOWN" run plug.yaml --plugin my_rattle.py --quiet \
  --sandbox -o again.db
"$SHAKEDOWN" show plug.db --cells --format csv | grep -q 'my-rattle.*,ok,'
ok_if $? "its store needs no Python"
echo 'def f(:' >wrong.py
echo 'x = 1' >empty.py
echo 'raise SystemExit(3)' >leaves.py
for file in wrong:SyntaxError empty:Integrator leaves:SystemExit; do
  "$SHAKEDOWN" run plug.yaml --plugin "${file%%:*}.py" >log 2>&1
  [ $? -eq 2 ] && grep -q "${file#*:}" log
  ok_if $? "${file%%:*}.py is refused: $(tail -n 1 log)"
done
SHAKEDOWN_PYTHON=/no/python "$SHAKEDOWN" run plug.yaml --plugin empty.py >log 2>&1
holds "a Python that is not there is named" grep -q '/no/python' log

# ---- tests and types ----
if "$python" -c 'import pytest' 2>/dev/null; then
  PYTHONPATH=$PYTHONPATH:$top "$python" -B -m pytest -q -p no:cacheprovider -rA --tb=short \
    "$SHAKEDOWN_SOURCE/tests/processes/python" >tests.log 2>&1
  ok_if $? "tests/processes/python"
  diag "$(sed -n '/^10,000/p; /^E  /p; /^=.*in /p; /^FAILED/p; /^ERROR/p' tests.log)"
  passed=$(grep -c '^PASSED' tests.log)
  holds "$passed tests passed" [ "$passed" -ge 50 ]
else
  skip "no pytest"
fi
if "$python" -c 'import mypy' 2>/dev/null; then
  point "mypy finds nothing wrong with the types" "$python" -m mypy \
    --config-file "$SHAKEDOWN_SOURCE/pyproject.toml" --cache-dir="$top/mypy" package/shakedown
else
  skip "no mypy"
fi
left=$(pgrep -f "$top" || true)
is_text "$left" "" "no process is left behind"
tap_done
