#!/bin/sh
# Every command line in the ```sh blocks of README.md and docs/*/*.md is run, with the program under test
# on PATH (tests/kit/documents.sh). Also: the lists in the documents must be what `list` shows, and
# links must lead somewhere.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/documents.sh"

for document in "$SHAKEDOWN_SOURCE/README.md" "$SHAKEDOWN_SOURCE"/docs/*/*.md; do
  case $document in
  */findings/theory.md) ;; # run by tests/whole/claims_of_the_sources.sh, which checks its numbers too
  *) run_document "$document" ;;
  esac
done
# The walk through the documents is not empty.
[ "$ran" -ge 20 ]
ok_if $? "at least 20 commands were run ($ran)"

python3 "$SHAKEDOWN_SOURCE/scripts/helpers.py" --check
ok_if $? "docs/reference/helpers.md names every function of the headers"
stale=$("$SHAKEDOWN_SOURCE/scripts/update_docs.sh" --check "$SHAKEDOWN" 2>&1)
is_text "$stale" "" "the lists in the documents are those of the program"

for document in "$SHAKEDOWN_SOURCE/README.md" "$SHAKEDOWN_SOURCE"/docs/*/*.md; do
  for link in $(grep -o '](\([^)#:]*\)[)#]' "$document" | sed 's/^](//; s/[)#]$//'); do
    [ -e "$(dirname "$document")/$link" ]
    ok_if $? "${document#"$SHAKEDOWN_SOURCE"/} links to $link"
  done
done
tap_done
