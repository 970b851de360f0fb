#!/bin/sh
# Writes a header with the hash of the numeric sources, which is part of every record's key.
# usage: source_hash.sh HEADER SOURCE...
set -eu
header=$1
shift
hash=$(cat "$@" | sha256sum | cut -d ' ' -f 1)
printf '#define SHK_SOURCE_HASH "%s"\n' "$hash" > "$header"
