#!/bin/sh
# RATTLE in C, Python and Octave, of which nothing is falsified; and the store read in five lines of R and of
# Octave, as in docs/reference/store.md. Their states are compared in integrators/external and client/python.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
python_with numpy pandas
for needed in octave-cli Rscript; do
  command -v "$needed" >/dev/null || {
    skip "no $needed"
    tap_done
  }
done
export SHAKEDOWN_PYTHON="$python" PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1
cp "$SHAKEDOWN_SOURCE"/examples/external/rattle.* "$SHAKEDOWN_SOURCE/examples/plugins/rattle.c" .
awk -v folder="$top" -f "$SHAKEDOWN_SOURCE/tests/kit/docs_commands.awk" \
  "$SHAKEDOWN_SOURCE/docs/guides/in-python.md" >commands
cat >rattle_py.py <<'P'
from my_rattle import MyRattle

class RattlePy(MyRattle):
    order_lambda = order_mu = 1
    order_lambda_state = 2
    presymplectic = keeps_momenta = energy_bounded = True
P
gives 0 '' plugin build rattle.c
make_study three 'problems: ["double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4)"],
  integrators: [rattle-c, rattle-py, external(command="octave-cli --no-gui rattle.m")],
  steps: {largest: 0.1, halvings: 3}, until: 0.2, measures: [order, constraint]'
gives 0 ' 0 falsified' run three.yaml --plugin ./rattle.so --plugin rattle_py.py --allow-external
# ---- a store in five lines ----
# block LANGUAGE: the lines of docs/reference/store.md in it
block() {
  awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```$/ { inside = 0 } inside' \
    "$SHAKEDOWN_SOURCE/docs/reference/store.md"
}
mv three.db rattle.db
gives 0 ',held,' show rattle.db --format csv
expected=$(grep -c ',held,' out)
block r >read.R
block octave >read.m
for file in read.R read.m; do
  lines=$(grep -c . $file)
  [ "$lines" -ge 3 ] && [ "$lines" -le 5 ]
  ok_if $? "$file has $lines lines"
done
got=$(Rscript --vanilla read.R 2>err | tail -n 1 | tr -dc 0-9)
is_text "$got" "$expected" "R reads what is held"
diag "$(cat err)"
got=$(PATH="$(dirname "$SHAKEDOWN"):$PATH" octave-cli --no-gui read.m 2>err | tail -n 1 | tr -dc 0-9)
is_text "$got" "$expected" "so does Octave"
block python >read.py
echo 'print(q.shape == (rows, columns) and rows > 2 and bool(numpy.isfinite(q).all()))' >>read.py
is_text "$("$python" read.py 2>err)" True "Python reads states"
diag "$(cat err)"
# Julia does not run here: its text names tables and columns that are there.
block julia >read.jl
"$python" - <<'P'
import re
import sqlite3
text = open("read.jl").read()
query = re.search(r'"(SELECT .*?)"', text)[1]
assert sqlite3.connect("rattle.db").execute(query).fetchall()
P
ok_if $? "the query of the text in Julia is one of this schema"
tap_done
