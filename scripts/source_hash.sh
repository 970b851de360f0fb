#!/bin/sh
# Writes a header with the hash of the numeric sources, which is part of every record's key: of all
# that a numeric object can depend on, which is every room up to the engine. The table of quantities
# and what reads it say what numbers mean, not what they are, and stay out.
# usage: source_hash.sh SOURCE_ROOT HEADER DEPFILE
set -eu
root=$1 header=$2 depfile=$3
files=$(cd "$root" &&
  find include/shakedown foundation mechanics integrators problems measures engine -name '*.[ch]' \
    -o -name '*.def' | grep -vE '^measures/quantit(ies\.def|y\.[ch])$' | LC_ALL=C sort)
# Names count as well as contents.
hash=$(cd "$root" && echo "$files" | xargs sha256sum | sha256sum | cut -d ' ' -f 1)
printf '#define SHK_SOURCE_HASH "%s"\n' "$hash" >"$header"
{
  printf '%s:' "$header"
  for file in $files; do printf ' %s/%s' "$root" "$file"; done
  printf '\n'
} >"$depfile"
