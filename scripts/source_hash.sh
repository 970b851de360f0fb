#!/bin/sh
# Writes a header with the hash of the numeric sources, which is part of every record's key. The hash covers all
# files on which a numeric object can depend, that is, every directory up to the engine. The tables of measures
# and counters, and the code that reads them, define the meaning of numbers but not their values, so only their
# names are hashed. Parts that are missing from a build change the results of cells, so these are hashed as
# well.
# usage: source_hash.sh SOURCE_ROOT HEADER DEPFILE [WITHOUT...]
set -eu
root=$1 header=$2 depfile=$3
shift 3
files=$(cd "$root" &&
  find include/shakedown foundation mechanics integrators problems measures engine -name '*.[ch]' \
    -o -name '*.def' | grep -vE '^measures/((quantities|run|structure)\.def|quantity\.[ch])$|/counters\.def$' |
  LC_ALL=C sort)
tables='include/shakedown/counters.def measures/run.def measures/structure.def'
# The hash covers file names as well as contents.
hash=$(cd "$root" && {
  echo "$files" | xargs sha256sum
  [ $# -eq 0 ] || echo "without $*"
  # shellcheck disable=SC2086 # several words
  sed -nE 's/^(RUN_MEASURE\([a-z_]*|COUNTER\([A-Z_]*, *[a-z_]*|STRUCTURE\([^"]*"[^"]*").*/\1/p' $tables
} | sha256sum | cut -d ' ' -f 1)
printf '#define SHK_SOURCE_HASH "%s"\n' "$hash" >"$header"
escaped=$(printf '%s' "$root" | sed 's/[ #]/\\&/g')
{
  printf '%s:' "$header"
  for file in $files $tables; do printf ' %s/%s' "$escaped" "$file"; done
  printf '\n'
} >"$depfile"
