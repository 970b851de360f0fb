#!/bin/sh
# Writes the table of docs/findings/certificates.md with the program named by $SHAKEDOWN (or `shakedown`
# in PATH), and keeps the section of that page that orders.sh writes. With a file of
# `shakedown certify --format csv` as an argument, takes the results from it instead of measuring.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
program=${SHAKEDOWN:-shakedown}
csv=${1:-}
if [ -z "$csv" ]; then
  csv=$(mktemp)
  trap 'rm -f "$csv"' EXIT
  status=0
  "$program" certify --format csv --seed 1 >"$csv" || status=$?
  [ "$status" -ne 2 ] || exit 2
fi
page=$top/docs/findings/certificates.md
orders=$(sed -n '/^<!-- by scripts\/orders.sh -->$/,$p' "$page")
{
  cat <<'END'
# Certificates of the built-in integrators

Look up the claims of a built-in integrator with its default options, and the number of problems on
which each holds. To repeat one entry:

```sh
shakedown certify rattle --brief --claim symmetric
```

An entry is the claimed value, then in parentheses the number of problems on which it held.
**Bold**: falsified. A question mark: no problem decided. A dash: not claimed. [How certificates are
made](../reference/certificates.md) defines claims and verdicts, and lists [the problems that
decide](../reference/certificates.md#how-structure-is-measured) *symplectic* for each kind of
constraint; other [options](../guides/certify.md#options) have certificates of their own. The table
is written by `scripts/certificates.sh` from `shakedown certify --format csv`.

END
  awk "$(cat "$top/scripts/csv.awk")"'
    BEGIN {
      columns = split("order of q,order of p,local order of q,local order of p,modified Hamiltonian,symplectic,presymplectic,symmetric,reversible," \
        "keeps constraint,keeps hidden constraint,keeps momenta,energy bounded,permutation equivariant,affine equivariant,formulation independent,compensated,fibre identity", claim, ",")
    }
    NR > 1 {
      split_csv($0)
      if (!(f[1] in known)) { known[f[1]] = 1; name[++count] = f[1] }
      stated[f[1], f[2]] = f[3]
      tally[f[1], f[2], f[8]]++
    }
    END {
      line = "| integrator |"; rule = "| --- |"
      for (k = 1; k <= columns; k++) {
        line = line " " claim[k] " |"; rule = rule " --- |"
      }
      print line; print rule
      for (i = 1; i <= count; i++) {
        line = "| `" name[i] "` |"
        for (k = 1; k <= columns; k++) {
          at = name[i] SUBSEP claim[k]
          held = tally[at, "held"] + 0; wrong = tally[at, "falsified"] + 0
          if (!(at in stated) || stated[at] == "-") entry = "–"
          else if (wrong) entry = "**" stated[at] " (" held " of " held + wrong ")**"
          else if (held) entry = stated[at] " (" held ")"
          else entry = stated[at] " ?"
          line = line " " entry " |"
        }
        print line
      }
    }' "$csv"
  printf '\n%s\n' "$orders"
} >"$page"
