# Runs the program under test and prints points on what it answers. Source it after tap.sh. What the
# program prints last is left in `out` (standard output) and `err`, in the folder of the moment.
# shellcheck shell=sh

# shakedown ARGUMENT...: a test that limits its time or memory defines it anew
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
  is_text "$got" "$status" "$name"
  [ "$got" -eq "$status" ] || diag "$(cat err; grep '^not' out | head -n 5)"
}

# gives STATUS FRAGMENT ARGUMENT...: the program ends with that status and prints the fragment, or
# whatever it likes where that is empty; `both` is `out` and `err`
gives() {
  status=$1
  fragment=$2
  shift 2
  shakedown "$@" >out 2>err </dev/null
  got=$?
  cat out err >both
  [ "$got" -eq "$status" ] && { [ -z "$fragment" ] || grep -qF -e "$fragment" both; }
  verdict=$?
  ok_if $verdict "shakedown $*: $status, $fragment"
  if [ $verdict -ne 0 ]; then
    diag "exit status $got"
    diag "$(tail -n 10 both)"
  fi
}

# has FRAGMENT NAME...: `out` has it
has() {
  grep -qF -e "$1" out
  verdict=$?
  shift
  ok_if $verdict "$@"
  [ $verdict -eq 0 ] || diag "$(head -n 20 out)"
}

# says PATTERN NAME: a line of `out` or `err` matches
says() {
  cat out err | grep -q -e "$1"
  verdict=$?
  ok_if $verdict "$2"
  [ $verdict -eq 0 ] || diag "$(cat out err)"
}
