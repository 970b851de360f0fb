#!/bin/sh
# Builds readers under libFuzzer, AddressSanitizer and UBSan. What reads is compiled anew, with clang,
# so that the fuzzer sees which way each input takes; everything else is linked as it is.
#
# usage: build.sh CLANG OUTPUT SOURCE-TREE BUILD-TREE objects
#        build.sh CLANG OUTPUT SOURCE-TREE BUILD-TREE HARNESS ARCHIVE LIBRARY...
# The first makes the archive of what is compiled anew, the second a fuzzer.
set -eu
clang=$1
output=$2
top=$3
build=$4
what=$5
shift 5
flags="-std=gnu17 -g -O1 -D_GNU_SOURCE -ffp-contract=off -I$top -I$top/include -I$build
  -fsanitize=address,undefined -fno-sanitize-recover=undefined"
if [ "$what" != objects ]; then
  # shellcheck disable=SC2086
  exec "$clang" $flags -DSHK_LIBFUZZER -fsanitize=fuzzer "$what" "$@" -o "$output"
fi
sources='foundation/cell foundation/folder foundation/linear_heads foundation/nearest
  foundation/number foundation/process foundation/program foundation/spec foundation/values
  foundation/yaml problems/particles_file harness/cell_text harness/decimal harness/record
  harness/study harness/study_figures harness/study_lists harness/study_numbers
  harness/study_pairs harness/study_runs harness/wire harness/wire_text results/baseline
  results/baseline_read integrators/conversation integrators/external'
rm -rf "$output" "$output.objects"
mkdir -p "$output.objects"
for one in $sources; do
  # What is compiled per precision is met in double.
  # shellcheck disable=SC2086
  "$clang" $flags -fsanitize=fuzzer-no-link -DSHK_PRECISION=64 -c "$top/$one.c" \
    -o "$output.objects/$(echo "$one" | tr / _).o"
done
ar rc "$output" "$output.objects"/*.o
rm -rf "$output.objects"
