#!/bin/sh
# Vector instructions: every set that this processor can run gives the same trajectories, to the bit,
# where molecules fill lanes, where the last lanes are filled up, where some need a solve of their own
# or have none, and along chains; the set in use is said, and one that is not there is an error.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cp -R "$SHAKEDOWN_SOURCE/studies/systems" .

sets=$("$SHAKEDOWN" --version | sed -n 's/^vectors .*(of \(.*\))$/\1/p' | tr -d ,)
echo "$sets" | grep -qw portable
ok_if $? "the sets of this processor: $sets"
if [ "$(uname -m)" = x86_64 ] && grep -qw avx2 /proc/cpuinfo; then
  echo "$sets" | grep -qw avx2
  ok_if $? 'AVX2 is among them, which the processor has'
fi
is_text "$("$SHAKEDOWN" --version | awk '/^vectors/ { print $2 }')" "${sets##* }" 'the widest is taken'
SHAKEDOWN_VECTORS=avx9 "$SHAKEDOWN" --version >out 2>err
[ $? -eq 2 ] && grep -q "SHAKEDOWN_VECTORS: expected one of $(echo "$sets" | sed 's/ /, /g') .*\"avx9\"" err
ok_if $? 'a set that is not there'

# compare PROBLEM METHOD STEP: forty steps of it, or where it stops
compare() {
  for set in $sets; do
    SHAKEDOWN_VECTORS=$set "$SHAKEDOWN" simulate "$1" "$2" --step "$3" --every 10 \
      --until "$(awk "BEGIN { print 40 * $3 }")" >"$set" 2>&1
    echo "status $?" >>"$set"
    [ "$set" = portable ] && continue
    cmp portable "$set" >difference 2>&1 && [ "$(wc -l <"$set")" -ge 3 ]
    ok_if $? "$1, $2, step $3: $set as portable, $(tail -n 1 "$set")"
    [ ! -s difference ] || diag "$(cat difference)"
  done
}
while read -r step problem method; do
  compare "$problem" "$method" "$step"
done <<LIST
0.001 water-box(molecules=27,pairs=no) rattle
0.001 water-box(molecules=27,cutoff=0.4) rattle
0.001 water-box(molecules=27,pairs=no) rattle(tolerance=1e-6)
0.001 water-box(molecules=27,pairs=no) shake
0.006 water-box(molecules=27,pairs=no,temperature=600) rattle
0.008 water-box(molecules=27,pairs=no,temperature=600) rattle
0.04 water-box(molecules=27,pairs=no) rattle
0.01 chain(links=10) rattle
0.01 chain(links=101) rattle
0.01 chain(links=101,dimension=3) rattle
0.01 chain(links=40,dimension=3,start=random(seed=1)) shake
0.05 chain(links=40,dimension=3,start=random(seed=1)) rattle
0.001 particles(file="systems/dodecanol.yaml",project=yes) rattle
0.001 alkane rattle
0.01 drawn rattle
0.01 car-axis rattle
0.01 near-parallel rattle(linear=lu)
LIST
tap_done
