# A producer of flat TAP for tests that are shell scripts; the shell's counterpart of tap.h. Source
# it, print points with ok_if or skip, and end with `tap_done`.
#
# Meson runs the scripts with these in the environment:
#   SHAKEDOWN         the program under test
#   SHAKEDOWN_SOURCE  the top of the source tree
#   SHAKEDOWN_BUILD   the top of the build folder
# shellcheck shell=sh

tap_points=0
tap_failed=0

# ok_if STATUS NAME...: passes when STATUS is 0
ok_if() {
  tap_points=$((tap_points + 1))
  if [ "$1" -eq 0 ]; then
    shift
    printf 'ok %d - %s\n' "$tap_points" "$*"
  else
    tap_failed=$((tap_failed + 1))
    shift
    printf 'not ok %d - %s\n' "$tap_points" "$*"
  fi
}

# is_text GOT WANT NAME...
is_text() {
  got=$1
  want=$2
  shift 2
  if [ "$got" = "$want" ]; then
    ok_if 0 "$@"
  else
    ok_if 1 "$@"
    diag " got: $got"
    diag "want: $want"
  fi
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

# Prints the plan and ends the script: status 0 if at least one point was printed and none failed.
tap_done() {
  printf '1..%d\n' "$tap_points"
  [ "$tap_failed" -eq 0 ] && [ "$tap_points" -gt 0 ]
  exit
}
