#!/bin/sh
# The manual page of a command, from what its --help prints: page.sh PROGRAM COMMAND VERSION
set -eu
here=$(dirname "$0")
date=$(sed -n 's/^\.Dd //p' "$here/shakedown.1.in")
"$1" "$2" --help | awk -v command="$2" -v version="$3" -v date="$date" -f "$here/page.awk"
