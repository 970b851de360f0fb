#!/bin/sh
# Outcomes of singular studies, decided against the exact solution: strategies that are known to be
# right and known to be wrong, with every step of theirs reported as good; what the records say of
# them; the figures.
set -u
. "$SHAKEDOWN_SOURCE/tests/tap.sh"
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
export NO_COLOR=1
plugin=${SHAKEDOWN_BAD_STRATEGIES:?}

# study NAME: runs NAME.yaml into NAME.db and leaves the findings in NAME.csv
study() {
  "$SHAKEDOWN" run "$1.yaml" -o "$1.db" -j 2 --plugin "$plugin" >"$1.out" 2>"$1.err" </dev/null
  status=$?
  "$SHAKEDOWN" show "$1.db" --plugin "$plugin" --format csv >"$1.csv"
  return $status
}

# outcome NAME PROBLEM INTEGRATOR STEP: the word
outcome() {
  awk -F, -v problem="$2" -v integrator="$3" -v quantity="outcome at step $4" \
    '$2 == problem && $3 == integrator && $5 == quantity { print $6 }' "$1.csv"
}

cat >wrong.yaml <<'EOF'
study: wrong
runs:
  - problems: [lemniscate]
    integrators:
      - rattle
      - bad-strategy
      - bad-strategy(fault=turns-off)
    steps: [0.008, 0.007]
    until: 2.8
    measures: [error, constraint, energy]
    outcomes: {error: 0.02, branch: 0.5, growth: 10}
  - problems: [four-bar]
    integrators:
      - rattle
      - bad-strategy
      - bad-strategy(fault=clamps)
    steps: [0.01]
    until: 10
    measures: [error, constraint, energy]
    outcomes: {error: 0.02, branch: 0.5, growth: 10}
figures: [outcome-map]
EOF
study wrong
[ $? -eq 1 ]
ok_if $? "the strategy that clamps pivots is also caught claiming to keep the constraint"

for its in rattle bad-strategy; do
  is_text "$(outcome wrong lemniscate $its 0.007)" "right branch" "$its steps over the crossing"
  is_text "$(outcome wrong lemniscate $its 0.008)" "not converged" "$its meets it and says so"
  is_text "$(outcome wrong four-bar $its 0.01)" "right branch" "$its passes the four-bar's lines"
done
is_text "$(outcome wrong lemniscate 'bad-strategy(fault=turns-off)' 0.007)" "other branch" \
  "the other branch is seen"
is_text "$(outcome wrong four-bar 'bad-strategy(fault=clamps)' 0.01)" "silently wrong" \
  "clamped pivots are seen"

# Nothing else gives them away.
"$SHAKEDOWN" show wrong.db --plugin "$plugin" --records --format csv >records.csv
is_text "$(awk -F, '$3 ~ /turns-off/ && $5 == "0.007" { print $8 }' records.csv | sort -u)" ok \
  "the strategy that turns off reports success"
is_text "$(awk -F, '$3 ~ /clamps/ { print $8 }' records.csv | sort -u)" ok \
  "and so does the one that clamps"
awk -F, '$3 ~ /turns-off/ && $5 == "0.007" && ($9 == "constraint-max" || $9 == "hidden-max") &&
  $10 + 0 > 1e-12 { exit 1 }' records.csv
ok_if $? "who turned off is on the constraint, and on the hidden one"
awk -F, '$9 == "energy-error-max" && $5 == "0.007" { size[$3] = $10 + 0 }
  END { exit !(size["bad-strategy(fault=turns-off)"] < 2 * size["rattle"]) }' records.csv
ok_if $? "and its energy is as good as RATTLE's"

# ---- redundant constraints ----
cat >redundant.yaml <<'EOF'
study: redundant
runs:
  - problems: [beads-on-line(redundant=yes)]
    integrators:
      - rattle
      - rattle(linear=qr)
      - rattle(linear=svd)
    steps: [0.02]
    until: 4
    measures: [error]
    outcomes: {error: 0.01, branch: 0.5, growth: 10}
EOF
study redundant
ok_if $? "a strategy that stops is an outcome and no failure of the study"
problem=$(awk -F, 'NR == 2 { print $2 }' redundant.csv)
is_text "$(outcome redundant "$problem" rattle 0.02)" stopped \
  "a plain factorization stops at redundant constraints"
is_text "$(outcome redundant "$problem" 'rattle(linear=qr)' 0.02)" "right branch" "qr takes them"
is_text "$(outcome redundant "$problem" 'rattle(linear=svd)' 0.02)" "right branch" "svd takes them"
grep -q '^    stopped at step 0.02: right until t = 0, then singular: ' redundant.out
ok_if $? "the reason is told"

# ---- approach ----
cat >approach.yaml <<'EOF'
study: approach
runs:
  - problems: [near-parallel]
    integrators:
      - rattle
      - rattle(linear=tikhonov)
    sweep: {epsilon: [1e-2, 1e-4, 1e-5, 1e-9]}
    steps: [0.02]
    until: 3
    measures: [error, work, regularity]
    outcomes: {error: 0.01, branch: 0.5, growth: 10}
figures: [outcome-map, parameter, regularity]
EOF
study approach
words=
for epsilon in 0.01 1e-4 1e-5 1e-9; do
  for its in rattle 'rattle(linear=tikhonov)'; do
    words="$words $(outcome approach "near-parallel(epsilon=$epsilon)" "$its" 0.02 | cut -c1)"
  done
done
is_text "$words" " r r r s r s s s" \
  "near to singular: the factorization stops, the regularization is wrong long before"

"$SHAKEDOWN" plot wrong.db -o one --type svg --plugin "$plugin" >/dev/null
"$SHAKEDOWN" plot approach.db -o one --type svg >/dev/null
"$SHAKEDOWN" plot wrong.db -o two --type svg --plugin "$plugin" >/dev/null
"$SHAKEDOWN" plot approach.db -o two --type svg >/dev/null
is_text "$(cd one && ls ./*.svg | tr '\n' ' ')" "$(
  printf './%s ' outcome-map-four-bar-double.svg outcome-map-lemniscate-double.svg \
    outcome-map-near-parallel-double-step-0-02.svg parameter-near-parallel-double-step-0-02.svg \
    regularity-near-parallel-epsilon-0-01-double.svg \
    regularity-near-parallel-epsilon-1e-4-double.svg \
    regularity-near-parallel-epsilon-1e-5-double.svg \
    regularity-near-parallel-epsilon-1e-9-double.svg
)" "a map for each problem, one of the sweep, and the curves against its option"
diff -r one two >/dev/null
ok_if $? "the same figures twice"
map=one/outcome-map-near-parallel-double-step-0-02
for text in 'epsilon' '1e-9' 'rattle(linear=tikhonov)' 'silently wrong' 'right branch' stopped; do
  grep -qF "$text" "$map.svg"
  ok_if $? "the map says $text"
done
is_text "$(awk -F'\t' 'NF >= 7 && $3 ~ /^[RSW]$/ { count[$3]++ }
  END { print count["R"], count["S"], count["W"] }' $map.dat)" "4 1 3" "each cell is in the map once"

tap_done
