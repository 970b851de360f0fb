#!/bin/sh
# Prints "soname path" for the given shared libraries and for those that they need, except for libraries that
# every Linux system provides. A wheel must contain the printed libraries (meson.build).
#
#   scripts/wheel_libraries.sh NAME...
set -eu
for name; do
  file=$(realpath "$(cc -print-file-name="lib$name.so")")
  objdump -p "$file" | awk -v file="$file" '$1 == "SONAME" { print $2, file }'
  ldd "$file" | awk '$2 == "=>" { print $1, $3 }'
done | sort -u -k1,1 |
  grep -vE '^(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|ld-linux[^ ]*)\.so' |
  while read -r soname path; do echo "$soname $(realpath "$path")"; done
