#!/bin/sh
# Ensembles on the command line: planned, run, resumed, shown, exported, merged, compared, checked
# against a baseline, drawn and reported. Members themselves are in tests/verdicts/members.c.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

write_study() {
  make_study ensemble "problems: [double-pendulum], integrators: [rattle, projection], steps: [0.05, 0.025],
    until: 10, measures: [energy, constraint], members: {angle1: $1}" 'figures: [energy]'
}

# ---- run and resume ----
write_study '[2, 2.001, 2.004, 2.003, 2.002]'
ends 0 'a study with members is planned' run ensemble.yaml --dry-run --format csv
is_text "$(grep -c 'double-pendulum over 5 members' out)" 4 'five members are one cell'
ends 0 'and run' run ensemble.yaml -o a.db -j2
says '4 run (4 ok' 'a cell for each method and step'
ends 0 'and not run again' run ensemble.yaml -o a.db -j2
says '0 run' 'what is there stays'
ends 0 'by one worker' run ensemble.yaml -o b.db -j1
ends 0 'the same records come' compare a.db b.db
write_study '[2, 2.001, 2.004, 2.003, 2.002, 2.005]'
ends 0 'with one member more' run ensemble.yaml -o b.db
says '4 run (4 ok' 'all are run again: the key contains the members'
write_study '[2, 2.001, 2.004, 2.003, 2.002]'

# ---- show and export ----
ends 0 'values are shown' show a.db --format csv
is_text "$(grep -c ',"energy max, worst member","\{0,1\}[1-5]: double-pendulum(angle1=2' out)" 2 \
  'the worst member is named'
is_text "$(grep -c ',"energy max, mean of members",[0-9.e-]*,[0-9.e-]*,' out)" 2 \
  'means have a half-width'
ends 0 'records are shown' show a.db --records --format csv
is_text "$(grep -c ',energy-error-max,' out)" 24 'of each cell and each of its five members'
awk -F, '$9 != "work-iterations" { next } / over / { own[++n] = $10; next } { sum[n] += $10 }
  END { for (i = 1; i <= n; i++) bad += own[i] != sum[i] / 5; exit n != 4 || bad }' out
ok_if $? 'work is the mean of theirs'
ends 0 'series are shown' show a.db --series --format csv
mv out whole
sed 's/members: /sweep: /' ensemble.yaml >single.yaml
ends 0 'the members are run by themselves' run single.yaml -o single.db
ends 0 'and their series shown' show single.db --series --format csv
is_text "$(python3 - <<'P'
import csv, collections
key = lambda row: (row["integrator"], row["step"], row["series"], row["time"])
single = collections.defaultdict(list)
for row in csv.DictReader(open("out")):
    single[key(row)].append(row)
rows = [row for row in csv.DictReader(open("whole")) if " over " in row["problem"]]
print(len(rows) > 2000, sum(len(single[key(row)]) != 5 or any(float(row[end]) != take(float(x[end]) for x in single[key(row)])
                            for end, take in (("least", min), ("largest", max))) for row in rows))
P
)" 'True 0' 'each reaches from the least to the largest of all'
ends 0 'JSON' show a.db --format json
python3 -c 'import json,sys; sys.exit(len([1 for row in json.load(open("out"))
  if row["quantity"].endswith(" of members")]) == 0)'
ok_if $? 'has them too'

# ---- merge, baseline, report, figures ----
ends 0 'half of it' run ensemble.yaml -o one.db --shard 1/2
ends 0 'and the other half' run ensemble.yaml -o two.db --shard 2/2
ends 0 'are merged' merge one.db two.db -o whole.db
ends 0 'to the whole' compare a.db whole.db
ends 0 'a baseline is made' baseline ensemble.yaml -o ensemble.baseline --store a.db
holds 'means over members have a band of their own' grep -q 'mean of members.*ensemble' ensemble.baseline
ends 0 'and held' check ensemble.yaml --baseline ensemble.baseline --store b.db
ends 0 'a report is written' report a.db -o report
ends 0 'and figures' plot a.db -o figures --type svg
# The band of all members at the end has a width: rows of an energy have five columns.
awk -F '\t' '$1 + 0 > 9 && NF == 5 && $4 > $2 { wide++ } END { exit wide == 0 }' figures/energy-*.dat
ok_if $? 'with a band over the members'

make_study order 'problems: [double-pendulum], integrators: [rattle], steps: {largest: 0.05, halvings: 3},
  until: 1, measures: [order], members: {angle1: [1, 2]}' 'figures: [{kind: order, down: [q]}]'
ends 0 'orders over members' run order.yaml -o order.db
ends 0 'are drawn' plot order.db -o figures --all --type svg
awk 'NF == 5 && $5 != "NaN" && $2 > $5 && $5 > 0 { bars++ } END { exit bars != 4 }' figures/order-*-q.dat
ok_if $? 'with bars from the best member to the worst'

tap_done
