#!/bin/sh
# Prints "soname path" for each of the named shared libraries and for the libraries that they need, except
# those that every Linux system provides. A wheel must contain these libraries (see meson.build).
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
