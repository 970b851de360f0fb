#!/bin/sh
# scripts/mutate.py: mutants of known fate, one falsified by its certificate, one killed by a test,
# one equivalent to the original; the log, the place at which it resumes, and a tree that is
# unchanged afterwards, also after an interruption.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
mkdir temporary
export TMPDIR="$top/temporary"
mutate() {
  timeout 600 python3 "$SHAKEDOWN_SOURCE/scripts/mutate.py" --build "$SHAKEDOWN_BUILD" --log log.csv "$@" >out 2>err </dev/null
}
fates() {
  awk -F, 'NR > 1' log.csv | grep -oE ',(falsified|not demonstrated|test|same object code|does not compile|survives|failure),' |
    tr -d , | paste -sd ' '
}
tree() {
  (cd "$SHAKEDOWN_SOURCE" && cat integrators/*.c integrators/kit/*.c mechanics/*/*.c && ls scripts) | cksum
}
before=$(tree)

known() {
  mutate "$@" \
    --change integrators/shake_rattle.c 'flow_options, true);' 'flow_options, 1);' \
    --change integrators/shake_rattle.c 'flow_options, true);' 'flow_option, true);' \
    --change integrators/shake_rattle.c 'SHK_TRY(shk_momentum_stage(w->solver, to, from, h, h / 2, w->G1, w->dp));' ';' \
    --change integrators/shake_rattle.c '*w->work +=' '*w->work -='
}
known --count 2
is_text "$?" 0 "two mutants: $(tail -n 1 err)"
is_text "$(fates)" "same object code does not compile" "one without effect, one that does not compile"
known
is_text "$(fates)" "same object code does not compile falsified test" \
  "the same log goes on: momenta not constrained are falsified, the work's sign is a test's to see"
diag "$(cat out err)"
grep -q ',test,constraint_work-64,' log.csv
ok_if $? "the test is named"
known
is_text "$(wc -l <log.csv)" 5 "nothing is left to do"

# Interrupted while a mutant is tried.
python3 "$SHAKEDOWN_SOURCE/scripts/mutate.py" --build "$SHAKEDOWN_BUILD" --log other.csv --seed 7 >out 2>err </dev/null &
interrupted=$!
for _ in $(seq 600); do
  [ -z "$(find temporary -name short.yaml)" ] || break
  sleep 0.1
done
[ -n "$(find temporary -name short.yaml)" ]
ok_if $? "there is a copy while it runs"
kill -TERM "$interrupted"
wait "$interrupted"
is_text "$(ls temporary)" "" "none after an interruption"
is_text "$(tree)" "$before" "the tree is as it was"

is_text "$(python3 "$SHAKEDOWN_SOURCE/scripts/mutate.py" --page "$SHAKEDOWN_SOURCE/docs/findings/mutation.csv")" \
  "$(cat "$SHAKEDOWN_SOURCE/docs/findings/mutation.md")" "docs/findings/mutation.md is what its log says"
tap_done
