#!/bin/sh
# Writes docs/findings/performance.md: runs the benchmarks of the build folder $SHAKEDOWN_BUILD (`build`
# beside this script's folder), the study `performance` and one of 10⁴ cells (benchmarks/large.sh), one after
# the other, which takes some minutes and needs python3. The machine must be idle otherwise.
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

# lines CASE [N]…: appends the benchmark's output; a failed measurement ends the script.
lines() {
  "$bench" --seconds 0.02 "$@" >>"$work/lines" || {
    grep failed "$work/lines" >&2
    exit 1
  }
}

# The step of each case with the default solver; then every solver, on systems that all can take.
for case in pendulum chain chain-3d branched-alkane water-box; do
  lines --solver auto "$case"
done
"$bench" memory >"$work/memory"
mv "$work/lines" "$work/steps"
for case in pendulum 'chain-3d 100' 'branched-alkane 30' 'water-box 1000'; do
  # shellcheck disable=SC2086 # a case and its N
  lines --precision double $case
done
lines --precision quad 'chain-3d' 10
mv "$work/lines" "$work/solvers"
sh "$top/benchmarks/large.sh" "$build" 10000 >"$work/large"

# The study in rounds, since disturbances of a machine last longer than a run. The least time to an
# error counts; its distance from the second least is the uncertainty of the times.
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
# Tables of ms for each problem, sorted by those at 1e-6, with the step or tolerance, and below them
# lines of ratios. A cost that is a bound has a reason in its last column.
awk -v spread="$work/spread" "$(cat "$top/scripts/csv.awk")"'
  function is_others(name) { return name ~ /^(ida|cvode|radau5|hem5)(\(|$)/ }
  function cell(at) { return text(at) (at in step ? " (" sprintf("%.2g", step[at]) ")" : "") }
  function text(at) { return at in ms ? " " (at in bound ? "< " : "") sprintf("%.3g", ms[at]) : " –" }
  # Key of sorting: ms at 1e-6; methods without them follow with larger keys.
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

# times_of ERROR PROBLEM METHOD: from the ratios, its time over that of our best method, with "<"
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
# Performance

Compare the cost of a step with code written by hand for one system, and the time of each method to a
given error with the solvers IDA, CVODE, RADAU5 and HEM5. To time a system on your machine:

    meson setup build && ninja -C build
    build/benchmarks/shakedown-bench chain-3d 1000
    meson test -C build --benchmark

`scripts/performance.sh` measures all tables and verdicts below and writes this page.

## Method

**A step.** `shakedown-bench CASE [N]` (in the build folder, not installed) times steps of RATTLE
beside a reference: the same method in C for that system alone, in flat arrays, without callbacks,
with the linear algebra of that system. This is two-ended tridiagonal elimination in chains,
Cramer's rule for water with one molecule per SIMD lane, and a closed formula for the pendulum. The reference is compiled with the options of
our own inner loops (`-O3` and instruction scheduling) for the baseline instruction set of the
processor family. Its sums of q and v are not compensated; ours of q and p are. Both start from the
problem's start, take the same step and end position solves at the same tolerance. Their states
after eight steps are compared before the timing, and the constraint residuals of the reference
after it; a reference that does less than it should fails. They are timed alternately, seven times
each, over the same steps; minima and medians are printed. Ours also checks that every step is
finite, and counts.

`chain` and `chain-3d` are `chain(links=N,gravity=0,start=random(seed=1))` in two and three
dimensions, h = 0.02, tolerance 1e-10; `water-box` is `water-box(molecules=N,pairs=no)`, 1 fs, 1e-12
nm². `benchmarks/bench.c` describes the other cases.

**Time to error.** The study `performance` runs every method at many steps or tolerances. The error
is the largest of q at two times, against a reference in quadruple precision; the time is processor
time of the integrator alone, the least of three runs. The time to an error is interpolated in
(time, error) between two runs of a method (`shakedown show`), never extrapolated, and is the least
of five rounds of the study. In parentheses stands the step or tolerance at which the error takes
the fewest evaluations, interpolated likewise.

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
  echo 'ns per constraint and step, minimum of the repeats, default solver (`linear=auto`). A ratio is ours over the'
  echo 'reference, in quad over the same code in quadruple precision.'
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
  echo 'Memory of the whole process with `chain(links=1000000,dimension=3,…)`:'
  awk "$field"'{ printf "%.2f GB.\n", field("process_bytes") / 1e9 }' "$work/memory"
  echo
  echo '## Solvers'
  echo
  echo 'ns per constraint and step, in double precision and, last, in quadruple. A dash: not run for a system of this'
  echo 'size. `linearized` does not solve to the tolerance; it is a control.'
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
  echo 'ms of processor time, sorted by the column 1e-6. "<": the coarsest run is more accurate. A dash: no run is as'
  echo "accurate. The second least time to an error exceeds the least by $spread."
  echo
  grep -v '^- ' "$work/times"
  echo 'Time of IDA, CVODE, RADAU5 and HEM5 relative to the best of our methods, in bold where they are faster.'
  echo '`projection-adaptive` steps with GSL on our index-reduced equations.'
  echo
  grep '^- ' "$work/times"
  echo
  echo '## Targets'
  echo
  echo '| quantity | target | measured | met |'
  echo '| --- | --- | --- | --- |'
  while read -r case n limit; do
    judge "$case, N = $n, over code by hand" 'at most' "$limit" "$(step_of "$case" "$n" ratio)"
  done <<'LIST'
pendulum 1 5
branched-alkane 1000 3.5
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
small-overhead 0.5 overhead of a cell of 10⁴ beyond its integration, ms: planning, running, storing
show-seconds 3 `show` of a store of 10⁴ cells, s
plot-seconds 30 `plot` of it, s
report-seconds 10 `report` of it, s
LIST
  judge 'Andrews, the best of ours over HEM5 at 1e-6' 'at most' 1.5 \
    "$(times_of 1e-6 andrews hem5 | awk '{ sub(/^< /, ""); printf "%.2f", 1 / $1 }')"
  cat <<'END'

## Limits of these numbers

- They are of one machine and one compiler. Ratios vary less than times, by some ten per cent from
  run to run.
- The systems of the first table have no forces but gravity. Costly forces hide the difference
  between ours and code by hand.
- Water by hand keeps molecules in the order of the SIMD lanes. Ours keeps states in the order of
  the coordinates, which any method and any measure reads; gathering and scattering them is half of
  its step.
- Time to error is over a few time scales and says nothing of energy over long times: see [the
  tutorial](../tutorial/tutorial.md), [measures](../reference/measures.md), and [work and
  precision](work-precision.md) with counted work in place of time.
- HEM5 decomposes the full matrix of M and G, RADAU5 and IDA take dense Jacobians. A sparse
  structure given by hand may change their ratios on the chain of 100.
- The chains of this part fall from the horizontal, at rest. The first swing is an easy motion for
  all methods.
END
} >"$work/page"
cp "$work/page" "$top/docs/findings/performance.md"
