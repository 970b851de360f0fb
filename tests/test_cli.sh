#!/bin/sh
# The command line: what every command answers to good and to bad input, with which exit status, and
# that the numbers it prints are the right ones (tests/data/classical_maps.csv) and the same whether
# a source is built in or loaded as a plug-in.
set -u
. "$SHAKEDOWN_SOURCE/tests/tap.sh"
top=$(mktemp -d) || exit 1
# A folder may have been made unwritable below.
trap 'chmod -R u+w "$top"; rm -rf "$top"' EXIT
cd "$top" || exit 1
export NO_COLOR=1
unset CC

# gives STATUS FRAGMENT ARGUMENT...: the program ends with that status, and what it prints (standard
# output and standard error) has the fragment
gives() {
  status=$1
  fragment=$2
  shift 2
  "$SHAKEDOWN" "$@" >out 2>err </dev/null
  got=$?
  cat out err >both
  if [ $got -eq "$status" ] && grep -qF -e "$fragment" both; then
    ok_if 0 "$*: $status, $fragment"
  else
    ok_if 1 "$*: $status, $fragment"
    diag "exit status $got"
    diag "$(head -n 10 both)"
  fi
}

# refuses FRAGMENT ARGUMENT...: exit status 2, nothing on standard output
refuses() {
  gives 2 "$@"
  [ ! -s out ]
  ok_if $? "... and prints no results"
}

# ---- the program and its help ----
gives 0 'shakedown run quick'
gives 0 'shakedown plot quick.db'
gives 0 'exit status: 0 all held, 1 something measured fell short, 2 bad input, 3 incomplete' --help
gives 0 'shakedown 0' --version
refuses "there is no command 'simulat'; did you mean simulate?" simulat
refuses "there is no command 'zzz'" zzz
for command in list describe simulate diagnose run show plot reference study plugin worker; do
  gives 0 "usage: shakedown $command" "$command" --help
  grep -q -e '--plugin FILE' out
  ok_if $? "$command --help tells of --plugin"
  refuses "$command has no option --helq; did you mean --help?" "$command" --helq
  refuses 'no such plug-in' "$command" x y --plugin ./none.so ||
    true
done
