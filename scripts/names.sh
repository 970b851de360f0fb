#!/bin/sh
# Writes a header with a name for each precision of every external function and object that the sources
# define: a #define to its name in the precision of the compilation. A definition begins a line, and its
# name matches the pattern. The header is not written if nothing changes, so that nothing is compiled
# again.
# usage: names.sh HEADER PATTERN SOURCE...
set -eu
header=$1 pattern=$2
shift 2
{
  printf '/* Made by scripts/names.sh: names of each precision. */\n#pragma once\n'
  sed -nE "/^SHK_PROVIDE_PROBLEM\\($/ { n; s/^ +/SHK_PROVIDE(/; }
    s/^SHK_PROVIDE(_PROBLEM)?\\((\w+),.*/shk_provision_\2/p
    /^(static|typedef|extern)\>|^[^a-zA-Z]/d
    s/^([a-zA-Z][^={(]*[ *])?($pattern)( =|\[|\\().*/\2/p" "$@" |
    LC_ALL=C sort -u | sed 's/.*/#define & SHK_NAME(&)/'
} >"$header.new"
grep -q '^#define' "$header.new"
if cmp -s "$header.new" "$header"; then
  rm "$header.new"
else
  mv "$header.new" "$header"
fi
