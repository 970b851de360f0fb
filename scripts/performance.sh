#!/bin/sh
# Writes docs/findings/performance.md anew: runs the benchmarks of the build folder $SHAKEDOWN_BUILD (`build`
# beside this script's folder), the study `performance` and one of 10⁴ cells (benchmarks/large.sh), one after
# the other, which takes some minutes and needs python3. For numbers that mean something nothing else may run
# on the machine.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=${SHAKEDOWN_BUILD:-$top/build}
bench=$build/benchmarks/shakedown-bench
program=$build/shakedown
for file in "$bench" "$program"; do
  [ -x "$file" ] || { echo "performance.sh: no $file: build first" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# lines CASE [N]…: appends what the benchmark prints; a failed measurement ends the script.
lines() {
  "$bench" --seconds 0.02 "$@" >>"$work/lines" || {
    grep failed "$work/lines" >&2
    exit 1
  }
}

# The step of each case with the default solver; then every solver, on systems that all can take.
for case in pendulum double-pendulum chain chain-3d ring branched-alkane water-box dense; do
  lines --solver auto "$case"
done
"$bench" memory >"$work/memory"
mv "$work/lines" "$work/steps"
for case in double-pendulum 'chain-3d 100' ring 'branched-alkane 30' 'water-box 1000' dense; do
  # shellcheck disable=SC2086 # a case and its N
  lines --precision double $case
done
lines --precision quad 'chain-3d' 10
mv "$work/lines" "$work/solvers"
sh "$top/benchmarks/large.sh" "$build" 10000 >"$work/large"

# The study in rounds: what disturbs a machine lasts longer than a run. Of what an error takes the
# least counts, and how far the second least is above it says what the times are worth.
rounds=5
round=1
while [ "$round" -le "$rounds" ]; do
  status=0
  (cd "$work" && "$program" run "$top/studies/performance.yaml" -o "time$round.db" -j 1 --quiet) \
    >"$work/run" 2>&1 || status=$?
  # 3: cells that did not finish, such as a step at which a method finds no multipliers
  [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || { cat "$work/run" >&2; exit 1; }
  "$program" show "$work/time$round.db" --quantity 'cpu-seconds at error' --format csv \
    >>"$work/costs.csv" || [ $? -eq 3 ]
  "$program" show "$work/time$round.db" --quantity 'step at error' --format csv >"$work/steps.csv" || [ $? -eq 3 ]
  round=$((round + 1))
done
# Tables of ms for each problem, sorted by those at 1e-6, the step or tolerance behind them, and below
# them lines of ratios. Where it is a bound, a cost has a reason in its last column.
awk -v spread="$work/spread" "$(cat "$top/scripts/csv.awk")"'
  function is_others(name) { return name ~ /^(ida|cvode|radau5|hem5)(\(|$)/ }
  function cell(at) { return text(at) (at in step ? " (" sprintf("%.2g", step[at]) ")" : "") }
  function text(at) { return at in ms ? " " (at in bound ? "< " : "") sprintf("%.3g", ms[at]) : " –" }
  # Later keys are far above all times.
  function key(at, problem, method) {
    at = problem SUBSEP method SUBSEP
    return (at "1e-6") in ms ? ms[at "1e-6"] : (at "1e-4") in ms ? 1e9 + ms[at "1e-4"] : 1e19
  }
  {
    split_csv($0)
    if ($1 ~ /^study,/ || !match(f[5], /[^ ]*$/))
      next
    if (!(f[2] in known)) { known[f[2]] = 1; problem[++problems] = f[2] }
    if (!((f[2], f[3]) in listed)) { listed[f[2], f[3]] = 1; method[f[2], ++methods[f[2]]] = f[3] }
    at = f[2] SUBSEP f[3] SUBSEP substr(f[5], RSTART)
    if (f[6] == "")
      next
    if (FILENAME ~ /steps/) { step[at] = f[6]; next }
    time = 1000 * f[6]
    if (!(at in ms) || time < ms[at]) { second[at] = ms[at]; ms[at] = time }
    else if (second[at] == "" || time < second[at]) second[at] = time
    if (f[12] != "") bound[at] = 1
  }
  END {
    targets = split("1e-4 1e-6 1e-8", target, " ")
    for (at in second)
      if (second[at] > 0)
        print 100 * (second[at] / ms[at] - 1) >>spread
    for (p = 1; p <= problems; p++) {
      its = problem[p]; count = methods[its]
      for (k = 1; k <= count; k++) {
        order[k] = method[its, k]
        for (j = k; j > 1 && key("", its, order[j]) < key("", its, order[j - 1]); j--) {
          swap = order[j]; order[j] = order[j - 1]; order[j - 1] = swap
        }
      }
      print "**" its "**, ms (step or tolerance)\n\n| method | 1e-4 | 1e-6 | 1e-8 |\n| --- | --- | --- | --- |"
      for (k = 1; k <= count; k++) {
        line = "| `" order[k] "` |"
        for (t = 1; t <= targets; t++)
          line = line cell(its SUBSEP order[k] SUBSEP target[t]) " |"
        print line
      }
      print ""
      for (t = 1; t <= targets; t++) {
        ours = ""
        for (k = 1; k <= count; k++) {
          at = its SUBSEP order[k] SUBSEP target[t]
          if (at in ms && !is_others(order[k]) && (ours == "" || ms[at] < ms[best])) { ours = order[k]; best = at }
        }
        if (ours == "")
          continue
        line = "- " its ", " target[t] ": over `" ours "`," text(best) " ms:"
        for (k = 1; k <= count; k++) {
          at = its SUBSEP order[k] SUBSEP target[t]
          if (at in ms && is_others(order[k])) {
            ratio = (at in bound ? "< " : "") sprintf("%.3g", ms[at] / ms[best])
            line = line (ms[at] < ms[best] ? " **`" order[k] "` " ratio "**," : " `" order[k] "` " ratio ",")
          }
        }
        sub(/[,:]$/, "", line)
        ratios = ratios line "\n"
      }
    }
    printf "%s", ratios
  }' "$work/costs.csv" "$work/steps.csv" >"$work/times"
spread=$(sort -g "$work/spread" | awk '{ part[NR] = $1 } END {
  printf "%.1f %% in half of them, %.0f %% or less in nine of ten", part[int((NR + 1) / 2)], part[int(0.9 * NR + 0.5)] }')

# value of KEY in a line of the benchmark, for awk
field='function dash(x) { return x == "" ? "–" : x }
function field(key,   i, pair) {
  for (i = 1; i <= NF; i++)
    if (split($i, pair, "=") == 2 && pair[1] == key)
      return pair[2]
  return ""
}'

# seconds ERROR PROBLEM METHOD: from the ratios, how many times as long as ours, with "<"
times_of() {
  sed -n "s/^- $2, $1: over .*\`$3\` \(< \)\{0,1\}\([0-9.e+]*\).*/\1\2/p" "$work/times"
}

judge() {
  awk -v what="$1" -v wanted="$2" -v limit="$3" -v measured="$4" 'BEGIN {
    bound = measured ~ /^</
    number = measured
    sub(/^< /, "", number)
    if (measured == "")
      verdict = "not measured"
    else if (bound)
      verdict = "undecided: its coarsest run is more accurate than that"
    else
      verdict = (wanted == "at least" ? number + 0 >= limit : number + 0 <= limit) ? "yes" : "**no**"
    printf "| %s | %s %s | %s | %s |\n", what, wanted, limit, measured == "" ? "–" : measured, verdict
  }'
}

# ratio CASE N KEY: of a line with the default solver in double precision
step_of() {
  awk -v case="$1" -v n="$2" -v key="$3" "$field"'
    field("case") == case && field("n") == n && field("precision") == "double" { print field(key) }
  ' "$work/steps"
}

{
  cat <<'END'
# How fast it is

Made by `scripts/performance.sh`; everything below the next section is measured, verdicts included. Two
questions: what does the general interface, any problem with any solver of multipliers, cost beside
code that is written by hand for one system? And how long does a method take to be this accurate?

## Method

**A step.** `shakedown-bench CASE [N]` (in the build folder, not installed) times steps of RATTLE
beside a reference: the same method in C for that system alone, in flat arrays, without callbacks, with
the linear algebra that the system has: two-ended tridiagonal elimination in chains, Cramer's rule for
water with a molecule to every lane of a vector, a closed formula for the pendulum, one Cholesky factorization a
step where constraints are dense. It is compiled with the options of our own inner loops (`-O3` and the
scheduling of instructions), for the instructions that every processor of the kind has; its sums of q and v are
not compensated, as ours are of q and p. All start from the problem's start
and take the same step; a position solve ends at the same tolerance. Before they are timed, where they are after eight
steps is compared, and afterwards what a reference leaves of the constraints; a reference that does
less than it should fails. Then they are timed in turns, seven times each, over the same steps, and the
minima and medians are printed. Ours also checks that every step is finite, and counts.

    meson setup build && ninja -C build
    build/benchmarks/shakedown-bench chain-3d 1000
    meson test -C build --benchmark

`chain` and `chain-3d` are `chain(links=N,gravity=0,start=random(seed=1))` in two and three
dimensions, h = 0.02, tolerance 1e-10; `water-box` is `water-box(molecules=N,pairs=no)`, 1 fs, 1e-12
nm²; `dense` is 50 random constraints in all of 100 coordinates. The head of `benchmarks/bench.c` says
what the others are.

**Time to error.** The study `performance` runs every method at many steps or tolerances. Errors of q
are the largest at two times, against a reference in quadruple precision; times are processor time of
the integrator alone, the least of three runs; what an error takes is what the study says (`shakedown
show`), the least of five rounds of it. Between two runs of a method (time, error) are interpolated;
nothing is extrapolated. In parentheses is the step, or the tolerance, at which the error takes the fewest
evaluations, interpolated likewise.

```sh
shakedown run performance --dry-run
```

END
  echo '## Machine'
  echo
  awk -F ': ' '/^model name/ { print "- " $2; exit }' /proc/cpuinfo
  "$program" --version | sed -n "s/^./- &/p"
  echo
  echo '## A step beside code written by hand'
  echo
  echo 'ns per constraint and step, minimum of the repeats, default solver (`linear=auto`). Ratios are ours over'
  echo 'the reference; quad: over the same code in quadruple precision.'
  echo
  echo '| case | N | ours | by hand | ratio | of medians | quad | ratio | bytes per constraint |'
  echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
  awk "$field"'
    {
      at = field("case") SUBSEP field("n")
      if (!(at in seen)) { seen[at] = 1; order[++count] = at; name[at] = field("case"); size[at] = field("n") }
      if (field("precision") == "quad") {
        quad[at] = field("ns_per_constraint_step"); quad_ratio[at] = field("ratio")
      } else {
        ours[at] = field("ns_per_constraint_step"); hand[at] = field("floor_ns_per_constraint_step")
        ratio[at] = field("ratio"); bytes[at] = field("bytes_per_constraint")
        medians[at] = sprintf("%.2f", field("median_ns_per_constraint_step") / field("median_floor_ns_per_constraint_step"))
      }
    }
    END {
      for (i = 1; i <= count; i++) {
        at = order[i]
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name[at], size[at], ours[at], hand[at],
          ratio[at], medians[at], at in quad ? sprintf("%.0f", quad[at]) : "–",
          at in quad ? quad_ratio[at] : "–", bytes[at]
      }
    }' "$work/steps"
  echo
  echo 'In all, program and problem included, `chain(links=1000000,dimension=3,…)` held'
  awk "$field"'{ printf "%.2f GB.\n", field("process_bytes") / 1e9 }' "$work/memory"
  echo
  echo '## Solvers'
  echo
  echo 'ns per constraint and step, in double precision and, last, in quadruple. A dash: not taken for a'
  echo 'system of this size. `linearized` does not solve to the tolerance; it is a control.'
  echo
  awk "$field"'
    {
      at = field("case") " " field("n") (field("precision") == "quad" ? ", quad" : "")
      if (!(at in seen)) { seen[at] = 1; column[++columns] = at }
      if (!(field("solver") in known)) { known[field("solver")] = 1; row[++rows] = field("solver") }
      value[field("solver"), at] = field("ns_per_constraint_step")
      hand[at] = field("floor_ns_per_constraint_step")
    }
    END {
      line = "| solver |"; rule = "| --- |"
      for (c = 1; c <= columns; c++) { line = line " " column[c] " |"; rule = rule " --- |" }
      print line; print rule
      for (r = 1; r <= rows; r++) {
        line = "| `" row[r] "` |"
        for (c = 1; c <= columns; c++)
          line = line " " ((row[r], column[c]) in value ? sprintf("%.0f", value[row[r], column[c]]) : "–") " |"
        print line
      }
      line = "| by hand |"
      for (c = 1; c <= columns; c++)
        line = line sprintf(" %.0f |", hand[column[c]])
      print line
    }' "$work/solvers"
  echo
  echo '## Time to error'
  echo
  echo 'ms of processor time, sorted by those at 1e-6. "<": the coarsest run is more accurate already. A'
  echo "dash: no run was. The second least time of an error is above the least by $spread."
  echo
  grep -v '^- ' "$work/times"
  echo 'How many times as long as the best method of ours the solvers take that are not ours, in bold where'
  echo 'they are faster. `projection-adaptive` steps with GSL, on our index-reduced equations.'
  echo
  grep '^- ' "$work/times"
  echo
  echo '## What is aimed at'
  echo
  echo '| | wanted | measured | |'
  echo '| --- | --- | --- | --- |'
  while read -r case n limit; do
    judge "$case, N = $n, over code by hand" 'at most' "$limit" "$(step_of "$case" "$n" ratio)"
  done <<'LIST'
pendulum 1 5
branched-alkane 1000 3.5
dense 50 3
chain 10 4
chain-3d 1000 2.5
water-box 1000 1.2
LIST
  small=$(step_of chain-3d 1000 ns_per_constraint_step)
  large=$(step_of chain-3d 1000000 ns_per_constraint_step)
  judge 'chain-3d, N = 10⁶ over N = 10³, per constraint' 'at most' 1.5 \
    "$(awk -v a="$large" -v b="$small" 'BEGIN { printf "%.2f", a / b }')"
  judge 'memory of a chain of 10⁶ links, GB' 'at most' 1.5 \
    "$(awk "$field"'{ printf "%.2f", field("process_bytes") / 1e9 }' "$work/memory")"
  for error in 1e-6 1e-8; do
    judge "chain of 10, HEM5 (dense) over the best of ours at $error" 'at least' 4 \
      "$(times_of $error chain hem5)"
    judge "chain of 10, IDA (dense) at $error" 'at least' 4 "$(times_of $error chain ida)"
    judge "chain of 100, HEM5 (dense) at $error" 'at least' 50 "$(times_of $error 'chain(links=100)' hem5)"
    judge "chain of 100, IDA (dense) at $error" 'at least' 20 "$(times_of $error 'chain(links=100)' ida)"
  done
  while read -r key limit what; do
    judge "$what" 'at most' "$limit" "$(sed -n "s/^$key=//p" "$work/large")"
  done <<'LIST'
small-overhead 0.5 a cell of 10⁴ beside its integration, ms: planned, run and stored
show-seconds 3 `show` of a store of 10⁴ cells, s
plot-seconds 30 `plot` of it, s
report-seconds 10 `report` of it, s
LIST
  judge 'Andrews, the best of ours over HEM5 at 1e-6' 'at most' 1.5 \
    "$(times_of 1e-6 andrews hem5 | awk '{ sub(/^< /, ""); printf "%.2f", 1 / $1 }')"
  cat <<'END'

## What the numbers do not say

- They are of one machine and one compiler; ratios move less than times, but by some ten per cent from
  run to run.
- The systems of the first table have no forces but gravity. With costly forces the difference between
  ours and code by hand disappears in them.
- Water by hand keeps molecules in the order of the lanes. Ours has states in the order of the coordinates, which any
  method and any measure reads: to gather and scatter them is half of its step.
- Time to error is over a few time scales. It says nothing of energy over long times, for which
  [the tutorial](../tutorial/tutorial.md) and [measures](../reference/measures.md) are; see also [what a digit
  costs](work-precision.md), with counted work in place of time.
- HEM5 decomposes the full matrix of M and G, RADAU5 and IDA take dense Jacobians: a user who gives
  these a sparse structure by hand may get other ratios on the chain of 100.
- The chains of this part fall from the horizontal, at rest: the first swing is an easy motion, for all of
  the methods alike.
END
} >"$work/page"
cp "$work/page" "$top/docs/findings/performance.md"
