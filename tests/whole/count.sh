#!/bin/sh
# tap.c and count.awk together: a scratch Meson project runs tap_probe in every mode, and the counts
# from its log must be right. Argument: the path of tap_probe.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
case $1 in /*) probe=$1 ;; *) probe=$PWD/$1 ;; esac
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# count CI MODE...: runs the probe in these modes; sets $last (the last line) and $code
count() {
  ci=$1
  shift
  rm -rf "$scratch/p"
  mkdir "$scratch/p"
  {
    echo "project('probe', meson_version: '>= 1.0.1')"
    echo "probe = find_program('$probe')"
    for mode; do
      echo "test('$mode', probe, args: ['$mode'], protocol: 'tap')"
    done
  } >"$scratch/p/meson.build"
  # Meson logs its environment: lines of that must not be counted.
  export CONFUSING='
test:         intruder
----------------------------------- stdout -----------------------------------
not ok 1 - intruder
1..1'
  status=0
  {
    meson setup "$scratch/p/b" "$scratch/p" >"$scratch/setup" 2>&1 &&
      meson test -C "$scratch/p/b" --no-rebuild >"$scratch/out" 2>&1
  } || status=$?
  unset CONFUSING
  awk -v ci="$ci" -v status="$status" -f "$SHAKEDOWN_SOURCE/tests/kit/count.awk" \
    "$scratch/p/b/meson-logs/testlog.txt" >"$scratch/count"
  code=$?
  last=$(tail -n 1 "$scratch/count")
}

# expect CI MODES LAST CODE
expect() {
  # shellcheck disable=SC2086 # one word a mode
  count "$1" $2
  is_text "$last (exit $code)" "$3 (exit $4)" "ci=$1: $2"
}

expect false "pass" "1 passed, 0 failed" 0
expect true "pass name" "2 passed, 1 failed" 1
expect false "pass skip" "2 passed, 0 failed" 0
expect true "pass skip" "2 passed, 1 failed" 1
SHAKEDOWN_WITHOUT="cheese the-moon"
export SHAKEDOWN_WITHOUT
expect true "pass without" "2 passed, 0 failed" 0
is_text "$(grep -c '^1 skipped by design$' "$scratch/count")" 1 "what is skipped by design is counted"
SHAKEDOWN_WITHOUT="the-moons moon"
expect true "pass without" "2 passed, 1 failed" 1
unset SHAKEDOWN_WITHOUT
expect false "pass crash" "2 passed, 1 failed" 1
expect false "no-plan" "1 passed, 1 failed" 1
expect false "leave-early" "1 passed, 1 failed" 1
expect false "lie pass" "2 passed, 1 failed" 1
expect false "nothing pass" "1 passed, 1 failed" 1
expect false "near" "3 passed, 4 failed" 1
expect false "text" "4 passed, 4 failed" 1
expect false "pass seed crash name lie near" "9 passed, 7 failed" 1

# The program itself.
"$probe" pass >/dev/null
ok_if $? "exit status 0 when all points pass"
"$probe" name >/dev/null
is_text $? 1 "exit status 1 when one fails"
"$probe" nothing >/dev/null
is_text $? 1 "exit status 1 when nothing was tested"
is_text "$("$probe" name | sed -n 2p)" "not ok 2 - two lines / SKIP not a directive" \
  "a name stays one line without directive"
is_text "$(SHAKEDOWN_TEST_SEED=7 "$probe" seed | grep -c '^# seed 7')" 1 "the seed is printed"
is_text "$(SHAKEDOWN_TEST_SEED=8 "$probe" seed | grep -c '^# seed was 8')" 1 \
  "the seed comes from the environment and is repeated after a failure"

# No log at all.
awk -v ci=false -v status=1 -f "$SHAKEDOWN_SOURCE/tests/kit/count.awk" /dev/null >"$scratch/count"
code=$?
is_text "$(tail -n 1 "$scratch/count") (exit $code)" "0 passed, 1 failed (exit 1)" "an empty log"

# A run that was cut short: the log announces two programs and holds one.
count false pass pass-too
awk '/2\/2/ { exit } { print }' "$scratch/p/b/meson-logs/testlog.txt" >"$scratch/cut"
awk -v ci=false -v status=0 -f "$SHAKEDOWN_SOURCE/tests/kit/count.awk" "$scratch/cut" >"$scratch/count"
is_text "$(tail -n 1 "$scratch/count")" "1 passed, 1 failed" "a log that was cut short"
tap_done
