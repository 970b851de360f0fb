# A producer of flat TAP for tests that are shell scripts; the shell's counterpart of tap.h. Source
# it, print points with ok_if or skip, and end with `tap_done`.
#
# Meson runs the scripts with these in the environment:
#   SHAKEDOWN         the program under test
#   SHAKEDOWN_SOURCE  the top of the source tree
#   SHAKEDOWN_BUILD   the top of the build folder
# shellcheck shell=sh

set -u
tap_points=0
tap_failed=0

# ok_if STATUS NAME: passes when STATUS is 0, and returns it
ok_if() {
  tap_points=$((tap_points + 1))
  tap_word=ok
  [ "$1" -eq 0 ] || tap_failed=$((tap_failed + 1)) tap_word='not ok'
  printf '%s %d - %s\n' "$tap_word" "$tap_points" "$2"
  return "$1"
}

# holds NAME COMMAND...: passes when the command succeeds
holds() {
  tap_name=$1
  shift
  "$@"
  ok_if $? "$tap_name"
}

# is_text GOT WANT NAME
is_text() {
  [ "$1" = "$2" ]
  ok_if $? "$3" || diag " got: $1
want: $2"
}

# diag TEXT...: a comment
diag() {
  printf '%s\n' "$*" | sed 's/^/# /'
}

# skip WHY...
skip() {
  tap_points=$((tap_points + 1))
  printf 'ok %d # SKIP %s\n' "$tap_points" "$*"
}

# without WHAT: true if a package or a part of the build is missing on purpose: the release does not
# have it, or the build was configured without it.
without() {
  case " ${SHAKEDOWN_WITHOUT-} " in *" $1 "*) ;; *) return 1 ;; esac
}

# skip_without WHAT WHY...: prints a skipped point because it is missing
skip_without() {
  kind=
  ! without "$1" || kind='by design: '
  shift
  skip "$kind$*"
}

# python_with PACKAGE...: sets `python` to one that has these packages, which are installed for the
# system's, that may not be the first in PATH, or by scripts/python_packages.sh; ends the test as skipped if there is none
python_with() {
  for python in python3 /usr/bin/python3 "${SHAKEDOWN%/*}/python/bin/python3"; do
    "$python" -c "import $(echo "$*" | tr ' ' ',')" 2>/dev/null && return
  done
  skip "no Python with $*"
  tap_done
}

# Prints the plan and ends the script: status 0 if at least one point was printed and none failed.
tap_done() {
  printf '1..%d\n' "$tap_points"
  [ "$tap_failed" -eq 0 ] && [ "$tap_points" -gt 0 ]
  exit
}
