#!/bin/sh
# The manual page of the program: shakedown.1.in with the synopsis and the list of commands from what
# each command's --help prints. overview.sh PROGRAM COMMAND...
set -eu
program=$1
shift
for command; do
  "$program" "$command" --help
done | awk -f "$(dirname "$0")/overview.awk" "$(dirname "$0")/shakedown.1.in" -
