#!/bin/sh
# Writes a header that gives every external function and object in the sources a separate name for each
# precision. The header #defines each name as its name in the precision of the compilation. A definition must
# start at the beginning of a line, and its name must match the pattern. If nothing changes, the header is not
# written, which avoids recompilation.
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
