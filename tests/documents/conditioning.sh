#!/bin/sh
# The figure of conditioning: round-off of multipliers goes like eps/(h²σ²); records with other
# multipliers are noticed.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
draw="python3 $SHAKEDOWN_SOURCE/scripts/conditioning.py conditioning.db figure.svg"
"$SHAKEDOWN" run conditioning --quiet >/dev/null && $draw >rows && grep -q '</svg>' figure.svg
ok_if $? "round-off of the multipliers is eps/(h²σ²) to a factor, and drawn"
holds "thirty positions have a row" [ "$(grep -c '^| `' rows)" -eq 30 ]
python3 -c "
import sqlite3
with sqlite3.connect('conditioning.db') as base:
    base.execute('''UPDATE blobs SET data = zeroblob(length(data)) WHERE bits = 64 AND name = 'lambda' ''')"
! $draw >rows
ok_if $? "multipliers that are off are seen"
tap_done
