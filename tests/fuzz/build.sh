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
compile() {
  "$clang" -std=gnu17 -g -O1 -D_GNU_SOURCE -ffp-contract=off "-I$top" "-I$top/include" "-I$build" "-I$build/include" \
    -fsanitize=address,undefined -fno-sanitize-recover=undefined "$@"
}
if [ "$what" != objects ]; then
  compile -DSHK_LIBFUZZER -fsanitize=fuzzer "$what" "$@" -o "$output"
  exit
fi
sources='foundation/specifications/cell foundation/files/file
  foundation/nearest foundation/number foundation/utf8
  foundation/processes/process foundation/specifications/spec
  foundation/specifications/values foundation/files/yaml problems/kit/particles_reader
  problems/kit/particles_terms
  results/record/cell_text harness/study/decimal results/record/record
  harness/study/study_read harness/study/study_choices harness/study/study_classes
  harness/study/study_where harness/study/study_figures
  harness/study/study_names harness/study/study_numbers harness/study/study_pairs
  harness/study/study_runs results/record/record_bytes results/record/stream results/record/frame
  harness/check/baseline harness/check/baseline_read
  mechanics/outside/line_protocol integrators/outside/external'
rm -rf "$output" "$output.objects"
mkdir -p "$output.objects"
for one in $sources; do
  # What is compiled per precision is met in double.
  compile -fsanitize=fuzzer-no-link -DSHK_PRECISION=64 -c "$top/$one.c" \
    -o "$output.objects/$(echo "$one" | tr / _).o"
done
ar rc "$output" "$output.objects"/*.o
rm -rf "$output.objects"
