#!/bin/sh
# Sizes: each room stays below its ceiling in docs/size.csv, in lines and in characters, no line is
# longer than 100 columns and no function than 60 lines. Ceilings fall with the code, and rise only
# with a reason beside them.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
size() {
  python3 "$SHAKEDOWN_SOURCE/tests/kit/size.py" "$@" 2>&1
}
is_text "$(size "$SHAKEDOWN_SOURCE" "$SHAKEDOWN_SOURCE/tests/data/too_long.txt")" "" \
  "every room is below its ceiling, but for what is known nothing is too long"

# Each kind of excess is found: a room of ten lines, with a comment and blanks that do not count.
mkdir -p tree/docs tree/engine
printf 'room,ceiling,reason\nengine,10,"a, b"\n' >tree/docs/size.csv
lines() {
  yes "$2" | head -n "$1"
}
{ printf '/* a\n\n * comment */\n// another\n\n'; lines 10 'int x = "/*";'; } >tree/engine/a.c
is_text "$(size tree)" "" "ten lines of at most ten"
echo 'int y;' >tree/engine/b.h
is_text "$(size tree)" "engine: 11 lines, 136 characters: at most 10 lines, 360 characters" \
  "a line too many"
lines 4 "  int y$(printf '%089d' 0);" >tree/engine/a.c
is_text "$(size tree)" "engine: 5 lines, 386 characters: at most 10 lines, 360 characters" \
  "characters too many"
printf '%s\n' "// $(printf '%098d' 0)" "// $(printf 'é%096d' 0)" >tree/engine/a.c
is_text "$(size tree)" "engine/a.c:1: 101 columns, at most 100" "a line of 101 columns, in letters"
{ echo 'void f(void)'; echo '{'; lines 61 ''; echo '}'; } >tree/engine/a.c
is_text "$(size tree)" "engine/a.c:2: a function of 61 lines, at most 60" "a function of 61 lines"
echo engine/a.c >known
is_text "$(size tree known)" "" "... which may be known"
rm tree/engine/*
is_text "$(size tree)" "engine: 0 lines, 0 characters: at most 10 lines, 360 characters" \
  "a room without code"
tap_done
