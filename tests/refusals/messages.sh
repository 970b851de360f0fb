#!/bin/sh
# Messages for users' mistakes: words that are missing or swapped, files of another kind, folders
# that cannot be used, keys and figures without effect, studies that are not finished.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

# study NAME KEY VALUE...: NAME.yaml, rattle on the pendulum, with these keys in place of the usual ones
study() {
  name=$1
  shift
  problems='["pendulum(angle=0.7,rate=1.1)"]' integrators='[rattle]'
  steps='{largest: 0.1, halvings: 4}' until=4 measures='[order, constraint]' figures='[order]'
  while [ $# -gt 0 ]; do
    eval "$1=\$2"
    shift 2
  done
  cat >"$name.yaml" <<END
study: $name
runs:
  - problems: $problems
    integrators: $integrators
    steps: $steps
    until: $until
    measures: $measures
figures: $figures
END
}

# ---- the command line ----

gives 2 'run: STUDY is missing: a file, or one that comes with shakedown (`shakedown list studies`)' run
gives 2 'simulate: INTEGRATOR is missing (`shakedown list integrators`)' simulate pendulum
gives 2 "\`shakedown simulate 'pendulum' 'rattle' …\`" simulate rattle pendulum --step 0.1 --until 1
gives 2 'there is no problem named' simulate rattle nothing --step 0.1 --until 1
gives 2 "--animate: found 'run.png', expected FILE.gif" \
  simulate pendulum rattle --step 0.1 --until 1 --animate run.png
gives 2 "--plot: found 'run.gif', expected FILE.pdf, FILE.svg or FILE.png" \
  simulate pendulum rattle --step 0.1 --until 1 --plot run.gif
gives 2 "there is no study 'nofile', neither here nor in shakedown" run nofile
: >method.c
gives 2 'use `shakedown plugin build method.c` to make a plug-in from it' list --plugin method.c

# ---- files ----

study small
ends 0 "a study is run" run small.yaml -o small.db
gives 2 'small.db is a store, not a study; use `shakedown show small.db` to see what it contains' run small.db
gives 2 'small.yaml: is not a store' show small.yaml
for command in 'plot small.db -o' 'report small.db -o' 'run small.yaml -o small.db --plot'; do
  # shellcheck disable=SC2086 # words
  gives 2 'name another folder' $command /dev/null/figures
  # shellcheck disable=SC2086
  gives 2 "found the file name 'run.png', expected the name of a folder" $command run.png
done
holds "and nothing of that name is made" [ ! -e run.png ]
# Where a file's lock cannot be made, root's neither.
mkdir small.db-lock
gives 2 'use -o STORE to put the results elsewhere' run small.yaml
rmdir small.db-lock

# ---- studies ----

study bare problems '[pendulum(angle=0.7,rate=1.1)]'
gives 2 'In a YAML list [a, b], a comma inside parentheses splits the specification' run bare.yaml -n
study deep steps '{largest: 0.1, halvings: 60}'
gives 2 'put paths in quotes: file="' simulate 'particles(file=systems/linkage.yaml)' rattle --step 1 --until 1
gives 2 'put paths in quotes' simulate 'particles(file=/tmp/linkage.yaml)' rattle --step 1 --until 1
gives 2 'choose at most' run deep.yaml -n
most=$(sed -n 's/.*at most \([0-9]*\) numbers.*/\1/p' err)
study fewer steps "{largest: 0.1, halvings: $((most - 1))}"
shakedown run fewer.yaml -n >out 2>err
! grep -q "at most" err
ok_if $? "at most $most are taken"
study idle integrators '[projection-adaptive]'
gives 0 'idle.yaml:5: note: `steps` only sets the sample times' run idle.yaml -n
ends 0 "where one integrator takes them" run small.yaml -n
is_text "$(cat err)" '' "nothing is noted"

study undrawn measures '[constraint]' figures '[order, constraint]'
gives 3 'undrawn: no figure `order`: it needs the measure `order`, which no run has' \
  run undrawn.yaml --plot undrawn
gives 3 'no figure `order`' plot undrawn.db -o undrawn
study nothing figures '[outcome-map]'
gives 3 'nothing: no figure `outcome-map`: the records contain no data for it' run nothing.yaml --plot nothing
study drawn figures '[order]'
gives 0 '1 figure' run drawn.yaml --plot drawn

study large problems '[pendulum]' steps '{largest: 5, halvings: 0}' until 10
gives 3 'at step 5: the multiplier solve' run large.yaml
has 'try a smaller step' "... with advice"
gives 3 '; try a smaller step' simulate pendulum rattle --step 5 --until 10

study few steps '{largest: 0.1, halvings: 1}'
ends 3 "a study of two steps decides no order" run few.yaml -o few.db
is_text "$(grep -c '2 points, 4 needed' out)" 1 "and says so once"
has 'undecided order of q, order of p, order of lambda' "of all quantities"

# ---- what is not finished ----

# Which part a cell is in depends on the sources; the first that is not empty has hardly all six.
for part in 1 2 3 4 5 6; do
  rm -f part.db
  shakedown run small.yaml --shard $part/6 -o part.db >out 2>err
  [ "$(shakedown show part.db --cells --format csv 2>err | grep -c ',ok,')" -eq 0 ] || break
done
shakedown show part.db >out 2>err
all=$(shakedown run small.yaml -n 2>err | sed -n 's/ cells, .*//p')
grep -q "^unfinished: [0-9]* of $all cells have run, [0-9]* values are open; \`shakedown run\` continues the run" out
ok_if $? "show says how much there is"
! grep -q '^failed\|^undecided' out
ok_if $? "and nothing of what the rest will say"
is_text "$(sed -n 's/.*, \([0-9]* failed\)$/\1/p' out)" '0 failed' "nothing counts as failed"
! grep -q 'order q.*' out || ! sed -n '/^integrator/,/^$/p' out | grep -q failed
ok_if $? "nor stands so in a table"
ends 0 "the rest is run" run small.yaml -o part.db
ends 0 "then" show part.db
! grep -q unfinished out
ok_if $? "nothing is unfinished"
tap_done
