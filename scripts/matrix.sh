#!/bin/sh
# Prints a page with the integrators that apply to each problem, from studies/matrix.yaml. The build
# writes it to build/docs/matrix.md: `ninja -C build docs`.
#
# usage: matrix.sh PROGRAM
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# 1 and 3: some cells fail, as the page says.
"$program" run matrix -q -o "$folder/matrix.db" >"$folder/said" || [ $? -ne 2 ]
"$program" show "$folder/matrix.db" --records --format csv >"$folder/records.csv" || [ $? -ne 2 ]
cat <<'HEAD'
# What runs on what

Look up which integrators apply to which problems, from the study `matrix`: default options,
double precision, a sixteenth of the coarsest natural step (tolerance 1e-6 for adaptive methods), one time scale.

- **+** runs; **r** is refused, **!** failed at this step; the reasons are below.
- A blank was not tried: problems with redundant constraints need `linear=qr` or `svd`, in the last columns; `bricard` is not
  tried with `projection`, which computes the rank at points off the constraint, where it is full.
- Left out: `external` and `engine`, which need a program, and `particles` and `mechanism` with a file. `water-box` is a small one.

```sh
shakedown run matrix --dry-run
```

HEAD
awk "$(cat "$(dirname "$0")/csv.awk")"'
  NR > 1 {
    split_csv($0)
    if (!(f[2] in problems)) { problems[f[2]] = 1; problem[++rows] = f[2] }
    if (!(f[3] in integrators)) { integrators[f[3]] = 1; integrator[++columns] = f[3] }
    status[f[2], f[3]] = f[8]
  }
  END {
    for (k = 1; k <= columns; k++)
      printf "%d `%s`%s", k, integrator[k], k < columns ? (k % 6 == 0 ? ",\n" : ", ") : "\n\n"
    line = "| problem |"; rule = "| --- |"
    for (k = 1; k <= columns; k++) { line = line " " k " |"; rule = rule " - |" }
    print line; print rule
    for (i = 1; i <= rows; i++) {
      line = "| `" problem[i] "` |"
      for (k = 1; k <= columns; k++) {
        s = status[problem[i], integrator[k]]
        line = line " " (s == "ok" ? "+" : s == "refused" ? "r" : s == "" ? "" : "**!**") " |"
      }
      print line
    }
  }' "$folder/records.csv"
awk '
  /^(refused|failed) status of / {
    kind = $1; line = $0
    name = $4; at = $6; sub(/,$/, "", at)
    sub(/^[^:]*: /, "", line)
    if (kind == "failed") { sub(/^1 of 1 cells did not finish; /, "", line); failed[++bad] = "- `" name "` on `" at "`: " line; next }
    more = $0 ~ /, and [0-9]+ more: / ? " and others" : ""
    if (match(line, / does not apply: [^ ]* has /)) {
      reason = substr(line, RSTART + RLENGTH)
      if (!(reason in by)) order[++count] = reason
      if (!((reason, "on", at) in seen)) on[reason] = on[reason] (on[reason] == "" ? "" : ", ") "`" at "`"
      if (!((reason, "by", name) in seen)) by[reason] = by[reason] (by[reason] == "" ? "" : ", ") "`" name "`"
      seen[reason, "on", at] = seen[reason, "by", name] = 1
    } else
      other[++rest] = "- `" name "` on `" at "`" more ": " line
  }
  END {
    if (count + rest > 0) print "\nRefused:\n"
    for (i = 1; i <= count; i++)
      print "- " order[i] " (" on[order[i]] "): " by[order[i]]
    for (i = 1; i <= rest; i++) print other[i]
    if (bad > 0) print "\nFailed at this step:\n"
    for (i = 1; i <= bad; i++) print failed[i]
  }' "$folder/said"
