# Runs the program under test, in a folder of the test's own (scratch.sh), and prints points on its
# output. The last output is in `out` (standard output) and `err` (standard error), in the current folder.
# shellcheck shell=sh
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"

# shakedown ARGUMENT...: tests that limit its time or memory redefine it
shakedown() {
  "$SHAKEDOWN" "$@"
}

# ends STATUS NAME ARGUMENT...: the program ends with that status
ends() {
  status=$1
  name=$2
  shift 2
  shakedown "$@" >out 2>err </dev/null
  got=$?
  is_text "$got" "$status" "$name" || diag "$(cat err; grep '^not' out | head -n 5)"
}

# gives STATUS FRAGMENT ARGUMENT...: the program ends with that status and prints the fragment; an
# empty one matches any output. `both` is `out` and `err`
gives() {
  status=$1
  fragment=$2
  shift 2
  shakedown "$@" >out 2>err </dev/null
  got=$?
  cat out err >both
  [ "$got" -eq "$status" ] && { [ -z "$fragment" ] || grep -qF -e "$fragment" both; }
  ok_if $? "shakedown $*: $status, $fragment" || diag "exit status $got
$(tail -n 10 both)"
}

# has FRAGMENT NAME: `out` contains it
has() {
  grep -qF -e "$1" out
  ok_if $? "$2" || diag "$(head -n 20 out)"
}

# says PATTERN NAME: a line of `out` or `err` matches
says() {
  cat out err | grep -q -e "$1"
  ok_if $? "$2" || diag "$(cat out err)"
}
