#!/bin/sh
# A reader under libFuzzer, beginning with the committed corpus: for six seconds, with the same seed each
# time, so that a run says something of the change that is tested; or for SHAKEDOWN_FUZZ_SECONDS with a
# seed of its own. What crashes it is left in the folder that is told; copy it to tests/fuzz/crashes/NAME,
# where every later run of the tests reads it first.
# Leaks are looked for afterwards, in each input that found something new: the stacks that tell a
# library's from ours make everything eight times as slow.
#
# usage: run.sh PROGRAM NAME
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
program=$1
name=$2
scratch=$(mktemp -d) || exit 1
mkdir "$scratch/new"
set -- "$scratch/new" "$SHAKEDOWN_SOURCE/tests/fuzz/corpus/$name"
[ "$name" != study ] || set -- "$@" "$SHAKEDOWN_SOURCE/studies"
[ "$name" != particles ] || set -- "$@" "$SHAKEDOWN_SOURCE/studies/systems"
[ ! -d "$SHAKEDOWN_SOURCE/tests/fuzz/crashes/$name" ] ||
  set -- "$@" "$SHAKEDOWN_SOURCE/tests/fuzz/crashes/$name"
seed=1
[ -z "${SHAKEDOWN_FUZZ_SECONDS-}" ] || seed=0 # of the clock
ASAN_OPTIONS=detect_leaks=0 "$program" -seed="$seed" -max_total_time="${SHAKEDOWN_FUZZ_SECONDS:-6}" \
  -timeout=10 -rss_limit_mb=2048 -max_len=4096 -artifact_prefix="$scratch/" -print_final_stats=1 "$@" >"$scratch/log" 2>&1
status=$?
ok_if $status "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log") inputs are read"
if [ $status -eq 0 ]; then
  ASAN_OPTIONS=fast_unwind_on_malloc=0 "$program" -runs=0 -timeout=10 -max_len=4096 \
    -artifact_prefix="$scratch/" "$@" >"$scratch/log" 2>&1
  status=$?
  ok_if $status "$name: and freed"
fi
if [ $status -ne 0 ]; then
  diag "$(grep -v '^#' "$scratch/log" | head -n 60)"
  diag "the input is in $scratch"
else
  rm -rf "$scratch"
fi
tap_done
