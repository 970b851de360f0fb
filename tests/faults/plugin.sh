#!/bin/sh
# A plug-in that misbehaves in every way it can: each costs its own cell, whose record names the cause; the
# cells beside it have the records that they have without it; nothing is left running.
. "$SHAKEDOWN_SOURCE/tests/faults/faults.sh"
plugin="--plugin $SHAKEDOWN_HOSTILE"
acts='crash abort deaf print leave killed nan memory offspring daemon scribble flood bomb litter descriptors everywhere thread'
make_study hostile "problems: [pendulum], integrators: [$(printf 'hostile(%s)\n' $acts | paste -sd ,)],
  steps: [0.1], until: 1, limits: {seconds: 3, memory: 256MiB}"
# shellcheck disable=SC2086 # words
{
  ends 0 "an undisturbed run" run st.yaml -o whole.db -j 2 $plugin
  records whole.db >want
  ends 3 "a study of misbehaviour is incomplete" run hostile.yaml -o both.db -j 2 $plugin
  ends 0 "the other study beside it is not" run st.yaml -o both.db -j 2 $plugin
}
python3 -c '
import sqlite3
base = sqlite3.connect("both.db", isolation_level=None)
for row in base.execute("SELECT integrator, status, reason, length(output), dropped FROM cells"):
    print(*row, sep="|")
base.execute("PRAGMA foreign_keys=ON")
base.execute("DELETE FROM cells WHERE problem = \"pendulum\"")
base.execute("DELETE FROM studies WHERE name = \"hostile\"")' >all
# 16384 lines of 64 bytes, and ten
while IFS='|' read -r act status reason output; do
  grep -qE "^hostile\((act=)?$act\)\|$status\|.*$reason.*\|$output\$" all
  ok_if $? "$act: $status, $reason" || diag "$(grep "$act)" all)"
done <<'END'
crash|crashed|SEGV|.*
abort|crashed|ABRT|.*
deaf|timed-out|time limit of 3 s|.*
print|ok||65536.983050
leave|exited|exit code 7|.*
killed|crashed|KILL|.*
nan|not-finite||.*
memory|out-of-memory|memory limit of 256 MB|.*
offspring|ok||.*
daemon|ok||.*
scribble|crashed|signal|.*
flood|timed-out|time limit of 3 s|65536.[0-9]*
bomb|crashed|more than 64 processes at once|.*
litter|ok||.*
descriptors|(exited|stopped)||.*
everywhere|crashed|signal|.*
thread|ok||.*
END
# ---- many ----
{
  printf 'study: many\nruns:\n'
  for k in $(seq 100 199); do
    printf -- '- {problems: ["pendulum(rate=1.%s)"], integrators: [hostile], steps: [0.1, 0.05], until: 1,' "$k"
    printf ' measures: [energy], limits: {seconds: 3}}\n'
  done
} >many.yaml
# shellcheck disable=SC2086 # words
ends 0 "two hundred cells of user code by four workers" run many.yaml -o many.db -j 4 $plugin
says '200 run (200 ok' "... none of which another's end disturbs"
# ---- processes without end ----
make_study bomb "problems: [pendulum], integrators: [hostile(bomb)], steps: [0.1], until: 1"
cat >census.py <<'P'
import os, time
most, end = 0, time.time() + 3
while time.time() < end:
    now = 0
    for one in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % one) as file:
                name, rest = file.read().split(") ")
            now += name.endswith("shk-bomb") and rest[0] != "Z"
        except (OSError, ValueError):
            pass
    most = max(most, now)
print(most)
P
python3 census.py >most &
census=$!
sleep 0.3
# shellcheck disable=SC2086 # words
ends 3 "a plug-in that makes processes without end" run bomb.yaml -o bomb.db -j 2 $plugin
wait $census
holds "... never has more than 100 ($(cat most))" [ "$(cat most)" -le 100 ]
is_text "$(pgrep -x shk-bomb)" "" "... and leaves none"

records both.db >got
holds "the others are those of an undisturbed run" cmp want got
for _ in $(seq 30); do
  pgrep -x shk-daemon >left || break # of another run of this test
  sleep 0.1
done
is_text "$(cat left)" "" "no daemon is left"
tap_done
