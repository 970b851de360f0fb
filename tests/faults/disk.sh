#!/bin/sh
# The disk and what is on it: a run that is killed in the middle of any change of a file, a disk that is full,
# a limit on the size of files, and stores that cannot be written. What was recorded stays, the cause is
# named, and when it is gone the same command leaves the records of an undisturbed run.
. "$SHAKEDOWN_SOURCE/tests/faults/faults.sh"

faulty FAULT_ROLE=run FAULT_COUNT="$top/count" -- whole.db
is_text $? 0 "an undisturbed run: $(cat err)"
records whole.db >want
read -r changes _ <count
holds "changes files $changes times" [ "$changes" -gt 50 ]
# How many changes a run makes depends on how its workers take turns: the last quarter may not be reached.
most=$((changes * 3 / 4))

# disturb FAULT: at all of the first moments, then at some more and more apart; counts in `tried`, in `ended`
# what ended as it should (as_it_should), and in `recovered`
disturb() {
  tried=0 ended=0 recovered=0 at=1
  while [ $at -lt $most ]; do
    faulty FAULT_ROLE=run "$1=$at" -- full.db
    status=$?
    tried=$((tried + 1))
    if as_it_should; then
      ended=$((ended + 1))
    else
      diag "change $at: status $status: $(cat err)"
    fi
    if recovers full.db; then
      recovered=$((recovered + 1))
    else
      diag "change $at"
    fi
    [ $at -lt 24 ] && at=$((at + 1)) || at=$((at + at / 6))
  done
}
as_it_should() {
  [ $status -eq 137 ]
}
disturb FAULT_KILL 2>killed
is_text $ended $tried "$tried runs are killed in the middle of a change of a file"
is_text $recovered $tried "and the same command brings each to its end, nothing lost"
as_it_should() {
  [ $status -ge 2 ] && [ $status -le 3 ] && grep -q 'full.db: the disk is full' err
}
disturb FAULT_FULL
is_text $ended $tried "$tried runs find the disk full, and say so"
is_text $recovered $tried "and go on where they stopped when there is space again"

# The kernel's own limit, which needs no library: a signal by default, and an error of its own.
prlimit --fsize=65536 "$SHAKEDOWN" run st.yaml -o limit.db --quiet >out 2>err </dev/null
is_text $? 3 "a limit on the size of files"
grep -q 'limit.db.*ulimit -f' err
ok_if $? "... is named: $(cat err)"
holds "and the run goes on without it" recovers limit.db

# Permissions mean nothing to root: then it is another user who tries, with a copy of the program, since the
# build folder may be root's alone.
as=
[ "$(id -u)" != 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
cp "$SHAKEDOWN" program
mkdir locked
cp whole.db locked/plain.db
chmod 444 locked/plain.db
chmod 555 locked
# shellcheck disable=SC2086 # words
shakedown() {
  $as "$top/program" "$@"
}
gives 2 'locked/plain.db: cannot be written' run st.yaml -o locked/plain.db
gives 0 '' show locked/plain.db
chmod 777 locked
gives 2 'read-only' run st.yaml -o locked/plain.db
is_text "$(ls locked)" plain.db "and no lock is left beside it"
holds "which is as it was" cmp -s whole.db locked/plain.db
tap_done
