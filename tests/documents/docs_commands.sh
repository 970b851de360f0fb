#!/bin/sh
# Runs every command line in the ```sh blocks of README.md and docs/*/*.md, with the program under
# test on PATH (tests/kit/documents.sh). Lists in the documents must be those of `list`, and links
# must lead to files. The pages of the tutorial, from the first command to a method of one's own,
# its figure in a paper and its check in CI, are followed in one folder, empty at first.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/documents.sh"

newcomer='README docs/tutorial/tutorial docs/guides/writing-an-integrator docs/guides/certify
  docs/guides/paper-figures docs/guides/ci'
for page in $newcomer; do
  run_document "$SHAKEDOWN_SOURCE/$page.md" newcomer
done
for document in "$SHAKEDOWN_SOURCE"/docs/*/*.md; do
  page=${document#"$SHAKEDOWN_SOURCE"/}
  case " $(echo $newcomer) " in *" ${page%.md} "*) continue ;; esac
  case $document in
  */findings/theory.md) ;; # run by tests/verdicts/claims_of_the_sources.sh, which checks its numbers too
  */guides/mechanisms.md) # its end is run by tests/numbers/mujoco_models.sh, with MuJoCo
    sed '/^## From MuJoCo/,$d' "$document" >mechanisms.md
    run_document mechanisms.md
    ;;
  */guides/acceptance.md) ;; # run by tests/processes/acceptance.sh, with Python
  *) run_document "$document" ;;
  esac
done
# The walk through the documents is not empty.
holds "at least 20 commands were run ($ran)" [ "$ran" -ge 20 ]

# The answers of the exercises are what the program finds.
learn=$SHAKEDOWN_SOURCE/docs/tutorial/learn.md
sed -n '/^# drift.yaml/,/^```/p' "$learn" | sed '$d' >drift.yaml
"$SHAKEDOWN" run drift.yaml -o exercise.db -q >out 2>&1
is_text "$("$SHAKEDOWN" show exercise.db --quantity 'energy class' --format csv | python3 -c 'import csv, sys
for row in csv.DictReader(sys.stdin): print(row["integrator"], row["value"])')" \
  "$(sed -n '/^| | energy/,/^$/s/^| `\([a-z-]*\)` | \([a-z]*\) |.*/\1 \2/p' "$learn")" "the classes of the second exercise"

python3 "$SHAKEDOWN_SOURCE/scripts/helpers.py" >helpers.md && grep -qF '`shk_bind_solver`' helpers.md
ok_if $? "the page of helpers names the functions of the headers"
stale=$("$SHAKEDOWN_SOURCE/scripts/update_docs.sh" --check "$SHAKEDOWN" 2>&1)
is_text "$stale" "" "the lists in the documents are those of the program"

for document in "$SHAKEDOWN_SOURCE/README.md" "$SHAKEDOWN_SOURCE"/docs/*.md "$SHAKEDOWN_SOURCE"/docs/*/*.md; do
  for link in $(grep -o '](\([^)#:]*\)[)#]' "$document" | sed 's/^](//; s/[)#]$//'); do
    [ -e "$(dirname "$document")/$link" ]
    ok_if $? "${document#"$SHAKEDOWN_SOURCE"/} links to $link"
  done
done
tap_done
