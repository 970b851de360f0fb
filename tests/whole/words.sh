#!/bin/sh
# Words: pages, comments and messages use the terms of the field, comments begin with a noun or a
# verb, and links lead to existing headings.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
words() {
  python3 "$SHAKEDOWN_SOURCE/tests/whole/words.py" "$1" 2>&1
}
is_text "$(words "$SHAKEDOWN_SOURCE")" "" "plain words, comments that begin with a noun or a verb, links that lead somewhere"

# Each is found.
mkdir -p tree/engine tree/docs/guides
printf '/* What nobody asks. */\nint x = "/* Where */";\n' >tree/engine/a.c
printf '# One\n\n[two](#two), [one](#one)\n' >tree/docs/guides/b.md
is_text "$(words tree)" "engine/a.c:1: nobody
engine/a.c:1: a comment begins with What
docs/guides/b.md: no heading #two" "a word, a clause and a link are found"
tap_done
