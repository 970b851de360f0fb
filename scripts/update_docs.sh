#!/bin/sh
# Updates the lists and equations in the documentation from the program's output: the lines between
#
#   <!-- shakedown list KIND --> or <!-- shakedown equations NAME -->   and   <!-- end -->
#
# become a table of `shakedown list KIND`, or the equations that `shakedown describe NAME` prints. Run it
# after adding a method, a problem or a measure.
#
#   scripts/update_docs.sh [--check] [PROGRAM]     PROGRAM defaults to build/shakedown
# With --check, nothing is written, and the exit status is 1 if a list would change.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
check=no
if [ "${1-}" = --check ]; then
  check=yes
  shift
fi
program=${1-$here/../build/shakedown}
"$program" --version >/dev/null
new=$(mktemp)
trap 'rm -f "$new"' EXIT
status=0
for document in "$here"/../docs/*/*.md; do
  awk -v program="$program" '
    /^<!-- shakedown list [a-z]+ -->$/ {
      print
      print ""
      print "| name | meaning |"
      print "| --- | --- |"
      command = "\"" program "\" list " $4 " --format csv"
      command | getline columns
      while ((command | getline row) > 0) {
        name = row
        sub(/,.*/, "", name)
        summary = substr(row, length(name) + 2)
        if (columns ~ /,family$/)
          sub(/,[^,]*$/, "", summary)
        if (summary ~ /^".*"$/) {
          summary = substr(summary, 2, length(summary) - 2)
          gsub(/""/, "\"", summary)
        }
        gsub(/\|/, "\\\\&", summary)
        print "| `" name "` | " summary " |"
      }
      close(command)
      print ""
      inside = 1
    }
    /^<!-- shakedown equations [a-z-]+ -->$/ {
      print
      print ""
      command = "\"" program "\" describe " $4
      within = 0
      while ((command | getline row) > 0) {
        within = row == "equations" || (within && row != "")
        if (within && row != "equations")
          print "  " row
      }
      close(command)
      print ""
      inside = 1
    }
    /^<!-- end -->$/ { inside = 0 }
    !inside { print }
  ' "$document" >"$new"
  if ! cmp -s "$new" "$document"; then
    if [ $check = yes ]; then
      echo "$(basename "$document") is out of date: run scripts/update_docs.sh"
      status=1
    else
      cat "$new" >"$document"
      echo "updated $(basename "$document")"
    fi
  fi
done
exit $status
