#!/bin/sh
# The 12 examples of docs/README.md, each role in C, in Python and as a program: the commands there find no
# fault, and a study of each role has the same verdicts through the three doors.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
python_with numpy pandas sympy
unset CC CXX
PATH=$(dirname "$SHAKEDOWN"):$PATH
export SHAKEDOWN_PYTHON="$python" PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1 PATH
mkdir bin
ln -s "$(command -v "$python")" bin/python3
PATH=$top/bin:$PATH
ln -s "$SHAKEDOWN_SOURCE/examples" examples

# ---- the commands of the table ----
grep '^| \*\*' "$SHAKEDOWN_SOURCE/docs/README.md" | grep -o '`[^`]*`' | tr -d '`' >commands
is_text "$(wc -l <commands)" 12 "the table has 12 commands"
while read -r command; do
  sh -c "$command" >out 2>err </dev/null
  status=$?
  [ $status -eq 0 ] || [ $status -eq 3 ]
  ok_if $? "$command: $status"
  grep -q ' held, 0 falsified, .* 0 failed$\|derivatives' out
  ok_if $? "... and finds no fault" || diag "$(tail -n 12 out err)"
done <commands

# ---- the pages show what is in the files ----
"$python" - "$SHAKEDOWN_SOURCE" <<'P'
import pathlib, re, sys
tree, count = pathlib.Path(sys.argv[1]), 0
for page in ("in-c", "in-python", "as-a-program"):
    text = (tree / "docs/guides" / (page + ".md")).read_text()
    for name, lines in re.findall(r"^```(?:c|python)\n(?:/\* |# )(examples/\S+)[^\n]*\n(.*?)^```$", text, re.S | re.M):
        count += 1
        if lines not in (tree / name).read_text():
            sys.exit("%s.md: this is not in %s:\n%s" % (page, name, lines))
sys.exit(count < 10)
P
ok_if $? "excerpts in the pages are in the examples"

# ---- the same verdicts ----
for file in rattle bead sweep verlet; do
  gives 0 "$file" plugin build "examples/plugins/$file.c" -o $file.so
done
# verdicts NAME RUN PLUGIN...: those of the study of this run, in verdicts-NAME: the integrator, the quantity,
# the claim and the verdict
verdicts() {
  name=$1
  make_study "$name" "$2, precision: double"
  shift 2
  gives 0 ' 0 falsified' run "$name.yaml" --allow-external --quiet "$@"
  shakedown show "$name.db" --values --format csv | "$python" -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["verdict"]:
        claim = "" if row["expected"].startswith("at most") else row["expected"]  # a multiple of round-off
        print(row["integrator"], row["quantity"], claim, row["verdict"], sep="|")
' | sort >"verdicts-$name"
}
# same NAME INTEGRATOR...: they have the same verdicts there, and at least `held` of them are held
same() {
  verdicts=verdicts-$1
  role=$2
  least=$3
  shift 3
  : >first
  for integrator; do
    grep -F "$integrator|" "$verdicts" | cut -d'|' -f2- >one
    [ -s first ] || cp one first
    cmp -s first one && [ "$(grep -c '|held$' one)" -ge "$least" ]
    ok_if $? "$role: the verdicts on $integrator" || diag "$(diff first one; cat one)"
  done
}
verdicts methods 'problems: ["double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4)"], integrators: [rattle-c,
  rattle-py, external(command="python3 examples/external/rattle.py")], steps: {largest: 0.1, halvings: 4},
  until: 0.9, measures: [order, constraint, symplecticity, symmetry]' --plugin ./rattle.so \
  --plugin examples/python/rattle.py
same methods method 9 rattle-c rattle-py 'external("python3 examples/external/rattle.py")'
verdicts solvers 'problems: [alkane], integrators: [rattle(solver=sweep-c), rattle(solver=sweep-py),
  rattle(solver=program(command="python3 examples/external/sweep.py"))], steps: {largest: 0.004, halvings: 4},
  until: 0.04, measures: [order, constraint, newtons-multipliers, convergence]' --plugin ./sweep.so \
  --plugin examples/python/sweep.py
same solvers solver 6 'rattle(solver=sweep-c)' 'rattle(solver=sweep-py)' \
  'rattle(solver=program("python3 examples/external/sweep.py"))'
verdicts engines 'problems: ["chain(links=3,start=zigzag)"], integrators: [verlet-c, verlet-py,
  engine(command="python3 examples/engines/verlet.py")], steps: {largest: 0.02, halvings: 4}, until: 0.4,
  measures: [order, constraint]' --plugin ./verlet.so --plugin examples/python/verlet.py
same engines engine 4 verlet-c verlet-py 'engine("python3 examples/engines/verlet.py")'
for door in c python program; do
  problem=bead plugin=./bead.so
  case $door in
  python) plugin=examples/python/bead.py ;;
  program) problem='program(command="python3 examples/external/bead.py")' ;;
  esac
  verdicts bead-$door "problems: ['$problem'], integrators: [rattle, shake, spark],
    steps: {largest: 0.1, halvings: 4}, until: 1, measures: [order, constraint, symmetry]" \
    --plugin $plugin
  cmp verdicts-bead-c verdicts-bead-$door && [ "$(grep -c '|held$' verdicts-bead-$door)" -ge 20 ]
  ok_if $? "problem: the verdicts on methods, $door" || diag "$(diff verdicts-bead-c verdicts-bead-$door)"
done
# A door through which another method comes is seen.
sed 's/h \/ 2 \* f.H_q(q, t=t)/h * f.H_q(q, t=t)/' examples/python/rattle.py >rattle.py
make_study wrong 'problems: [sprung-pendulum], integrators: [rattle-py], steps: {largest: 0.1, halvings: 4}, until: 1'
gives 1 'falsified order of q' run wrong.yaml --plugin rattle.py --quiet
tap_done
