#!/bin/sh
# python3 -m shakedown.archive: all references and equations as files, with the same bytes each
# time; equations that agree with the functions in C to 1e-15; LaTeX that compiles; refusals.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/python.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
python_with numpy pandas sympy pytest
archive() {
  PYTHONPATH=$SHAKEDOWN_SOURCE/python${PYTHONPATH+:$PYTHONPATH} "$python" -B -m shakedown.archive "$@"
}
# refuses FRAGMENT ARGUMENT...: with status 2
refuses() {
  said=$1
  shift
  archive "$@" >out 2>err
  [ $? -eq 2 ] && grep -qF -e "$said" err
  ok_if $? "archive $*: $said"
}

# ---- the whole, twice, with what Python orders by chance in two orders ----
PYTHONHASHSEED=1 archive -o whole 2>err &
PYTHONHASHSEED=2 archive -o again 2>>err
second=$?
wait $!
[ $? -eq 0 ] && [ $second -eq 0 ]
ok_if $? "all references and equations are written"
diag "$(tail -n 3 err)"
diff -r whole again >differ
ok_if $? "rebuilt, they are the same to the byte"
diag "$(head -n 5 differ)"
(cd whole && sha256sum -c --quiet SHA256SUMS) 2>err
ok_if $? "its checksums are right"
archive -o few driven-pendulum andrews 2>err
cmp -s few/problems/driven-pendulum.py whole/problems/driven-pendulum.py &&
  cmp -s few/references/andrews.csv whole/references/andrews.csv && [ ! -e few/problems/pendulum.py ]
ok_if $? "a part of it has the same files"
ARCHIVE=$top/whole PUBLISHED=$SHAKEDOWN_SOURCE/results/published PYTHONPATH=$SHAKEDOWN_SOURCE/python \
  "$python" -B -m pytest -q -p no:cacheprovider -rA --tb=short "$SHAKEDOWN_SOURCE/tests/client/archive" \
  >tests.log 2>&1
ok_if $? "tests/client/archive"
diag "$(sed -n '/^E  /p; /^=.*in /p; /^FAILED/p; /^ERROR/p' tests.log)"
[ "$(grep -c '^PASSED' tests.log)" -ge 45 ]
ok_if $? "... all of them"

# ---- LaTeX ----
if command -v pdflatex >/dev/null; then
  {
    printf '%s\n' '\documentclass{article}' '\usepackage{amsmath}' '\allowdisplaybreaks' '\begin{document}'
    printf '\\input{%s}\n' whole/problems/*.tex
    printf '%s\n' '\end{document}'
  } >all.tex
  pdflatex -interaction=nonstopmode -halt-on-error all.tex >tex.log 2>&1
  ok_if $? "the equations in LaTeX compile"
  diag "$(grep -A2 '^!' tex.log)"
else
  skip "no LaTeX"
fi

# ---- what is refused ----
refuses 'whole is not empty' -o whole
refuses "equation of 'pendulun'; there are: alkane" -o none pendulun
refuses 'required: -o' pendulum
refuses 'nowhere' -o none --published nowhere
tap_done
