#!/bin/sh
# A study in parts: they are disjoint, make up the whole, and merge to its records; `submit` writes a
# script that does the same. Differences of stores are in tests/files/merge.c.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

make_study mine 'problems: [sprung-pendulum, pendulum], integrators: [rattle, shake], steps: {largest: 0.05,
  halvings: 4}, until: 2, measures: [order, error, energy]'
cells=23

# ---- parts ----
"$SHAKEDOWN" run mine.yaml --dry-run --format csv | tail -n +2 | sort >whole.csv
is_text "$(wc -l <whole.csv)" $cells "the study has $cells cells"
for part in 1 2 3; do
  "$SHAKEDOWN" run mine.yaml --shard $part/3 --dry-run --format csv | tail -n +2 >part-$part.csv
done
[ -s part-1.csv ] && [ -s part-2.csv ] && [ -s part-3.csv ]
ok_if $? "no part is empty"
sort part-1.csv part-2.csv part-3.csv | cmp -s - whole.csv
ok_if $? "every cell is in one part and no other"

ends 0 "the whole" run mine.yaml --quiet
for part in 1 2 3; do
  ends 0 "part $part" run mine.yaml --shard $part/3
  says "^$(wc -l <part-$part.csv) cells: 0 already stored, $(wc -l <part-$part.csv) run" \
    "runs its cells and no others"
done
ends 0 "part 2 again" run mine.yaml --shard 2/3
says "^$(wc -l <part-2.csv) cells: $(wc -l <part-2.csv) already stored, 0 run" "runs nothing"
for wrong in 0/3 4/3 1 /3 1/ 1/3x 1/0 -1/3 1/999999999999 a/b ''; do
  ends 2 "no part: '$wrong'" run mine.yaml --shard "$wrong"
done

# ---- merging ----
ends 0 "merge" merge mine.1-of-3.db mine.2-of-3.db mine.3-of-3.db -o all.db
says "^3 stores: $cells records added, 0 already present" "all parts are added"
ends 0 "the parts against the whole" merge mine.db -o all.db
says "^1 store: 0 records added, $cells already present, 0 replaced .* 0 from other .* 0 conflicts" \
  "every record is the same"
"$SHAKEDOWN" show mine.db --format csv >show-whole.csv
"$SHAKEDOWN" show all.db --format csv >show-all.csv
grep -v -e '-seconds' show-whole.csv >a.csv
grep -v -e '-seconds' show-all.csv >b.csv
[ -s a.csv ] && cmp -s a.csv b.csv
ok_if $? "and so is what they say"
ends 0 "run with the merged store" run mine.yaml -o all.db
says "^$cells cells: $cells already stored, 0 run" "has nothing left to run"
ends 2 "a store that is not there" merge mine.db missing.db -o new.db
holds "makes no store" [ ! -e new.db ]
ends 2 "a store into itself" merge all.db mine.db -o all.db
ends 2 "without -o" merge mine.db
ends 2 "something that is no store" merge mine.yaml -o new.db

# ---- submit: the scripts do what Slurm would do with them ----
ends 2 "too many tasks" submit mine.yaml --shards 1001
mkdir "it's here" bin
cp mine.yaml "it's here"
cd "it's here" || exit 1
ends 0 "scripts" submit mine.yaml --shards 2 -j 2 -o all.db --dry-run
for task in 1 2; do
  (cd / && SLURM_ARRAY_TASK_ID=$task sh "$top/it's here/mine.slurm/submit.sh" part >/dev/null)
  is_text $? 0 "task $task"
done
(cd / && sh "$top/it's here/mine.slurm/submit.sh" merge >/dev/null)
is_text $? 0 "the merging job"
ends 0 "its store" merge ../mine.db -o all.db
says "^1 store: 0 records added, $cells already present" "is whole"

# sbatch, as far as submit sees it
PATH=$top/bin:$PATH
export PATH
answer() {
  printf '#!/bin/sh\necho "$@" >>%s\n%s\n' "$top/asked" "$1" >"$top/bin/sbatch"
  chmod +x "$top/bin/sbatch"
}
answer 'echo "12;cluster"'
ends 0 "submit" submit mine.yaml
says '^job 12;cluster runs 23 cells in 8 parts' "tells the job"
is_text "$(cat "$top/asked")" "--parsable --output=part-%a.log --array=1-8 --cpus-per-task=1 submit.sh part
--dependency=afterok:12 --kill-on-invalid-dep=yes submit.sh merge" "what sbatch is asked"
answer 'case $* in *merge*) exit 1 ;; *) echo 7 ;; esac'
ends 3 "the merging job is refused" submit mine.yaml
answer 'echo "no such partition" >&2; exit 1'
ends 2 "sbatch refuses" submit mine.yaml
tap_done
