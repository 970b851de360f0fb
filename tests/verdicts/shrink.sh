#!/bin/sh
# python3 -m shakedown.shrink: two wrong methods fall on small systems in place of the random ones, in files with
# which certify says the same; what a right method claims is not shrunk; files that it cannot read are refused.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
export SHAKEDOWN
python_with yaml
# shrinks METHOD PROBLEM CLAIM FILE: the claim falls on the file, for this method and not for RATTLE
shrinks() {
  PYTHONPATH=$SHAKEDOWN_SOURCE/python "$python" -B -m shakedown.shrink "$1" "$2" --claim "$3" --plugin "$SHAKEDOWN_BAD_RATTLE" \
    -o small >out 2>err
  is_text "$? $(cat err)" "0 " "$1 is shrunk on $2"
  (cd small && "$SHAKEDOWN" certify "$1" rattle --with study.yaml --claim "$3" --plugin "$SHAKEDOWN_BAD_RATTLE" \
    --format csv -q) >rows
  is_text "$(grep -c "^$1,$3,.*$4.*,falsified" rows) $(grep -c '^rattle,.*,falsified' rows)" "2 0" \
    "... and the claim falls on the file, for it alone"
}
shrinks 'bad-rattle(fault=unweighted)' 'random-system(seed=3)' 'order of q' particles
is_text "$(grep -c '^  - {name' small/system.yaml) $(grep -c between small/system.yaml)" "2 1" "two points and a rod are left"
shrinks 'bad-rattle(fault=last-row)' 'random-mechanism(bodies=2,seed=7)' 'keeps constraint' mechanism
is_text "$(grep -c '^  - {name: b' small/system.yaml) $(grep -c 'type:' small/system.yaml)" "1 0" "a body without joints is left"
holds "with one step: $(sed -n 2p out)" grep -q 'to bodies 1, steps 1' out
PYTHONPATH=$SHAKEDOWN_SOURCE/python "$python" -B -m shakedown.shrink rattle 'random-system(seed=3)' --claim 'order of q' \
  --control '' >out 2>err
is_text "$? $(cat err)" "1 shrink: 'order of q' of rattle does not fail on random-system(seed=3) when it is read from a file" "what holds is not shrunk"
printf 'bodies: [\n' >broken.yaml
PYTHONPATH=$SHAKEDOWN_SOURCE/python "$python" -B -m shakedown.shrink rattle broken.yaml --claim 'order of q' 2>err
is_text "$? $(wc -l <err)" "1 1" "a broken file is refused: $(cat err)"
# ---- systems as files ----
"$SHAKEDOWN" describe 'random-system(seed=4,shape=ring)' --yaml >ring.yaml
"$SHAKEDOWN" simulate 'particles(file="ring.yaml")' rattle --step 0.01 --until 0.1 --every 10 | tail -1 >file
"$SHAKEDOWN" simulate 'random-system(seed=4,shape=ring)' rattle --step 0.01 --until 0.1 --every 10 | tail -1 >itself
difference=$(paste -d, file itself | awk -F, '{ for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (d < 0) d = -d; if (d > most) most = d } print most }')
holds "the file of a random system moves as it does: $difference" awk -v d="$difference" 'BEGIN { exit !(d < 1e-11) }'
"$SHAKEDOWN" describe 'random-mechanism(seed=4)' --yaml >bodies.yaml
is_text "$("$SHAKEDOWN" simulate 'mechanism(file="bodies.yaml")' rattle --step 0.01 --until 0.1 --every 10)" \
  "$("$SHAKEDOWN" simulate 'random-mechanism(seed=4)' rattle --step 0.01 --until 0.1 --every 10)" \
  "that of a random mechanism to the bit"
for problem in pendulum 'random-system(sways=yes)'; do
  "$SHAKEDOWN" describe "$problem" --yaml 2>err
  is_text "$? $(grep -c 'cannot be written as a file' err)" "2 1" "$problem has no such file"
done
"$SHAKEDOWN" describe 'random-mechanism(bodies=1,loops=1)' --yaml 2>err
is_text "$? $(grep -c 'cannot close 1 loops' err)" "2 1" "one body closes no loop"
tap_done
