#!/bin/sh
# Rate of false alarms of certificates on random systems (docs/reference/certificates.md): for each seed,
# runs the random part of the certificates' study on methods with proven claims.
#
#   scripts/false_alarms.sh FIRST LAST [METHOD…]      program: $SHAKEDOWN, or `shakedown` in PATH
#
# Prints the falsified claims, and at the end the number of certificates, one for each method and seed,
# and the number of those with a falsified claim.
set -eu
program=${SHAKEDOWN:-shakedown}
first=$1 last=$2
shift 2
[ $# -gt 0 ] || set -- rattle shake symplectic-euler-rattle symplectic-euler-shake composition \
  'composition(scheme=suzuki-umeno8)' spark variational projection shake-minimal-displacement
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
examinations=0 alarms=0 claims=0
for seed in $(seq "$first" "$last"); do
  rm -f "$folder"/*
  "$program" certify "$@" --study --seed "$seed" >"$folder/whole.yaml"
  awk '
    /^runs:/ { print; runs = 1; next }
    !runs { print; next }
    /^  - problems:/ { held = $0; next }
    held != "" { keep = /random-(system|mechanism)\(|transformed\(/; if (keep) print held; held = "" }
    keep { print }' "$folder/whole.yaml" >"$folder/study.yaml"
  "$program" run "$folder/study.yaml" -q -j 1 -o "$folder/drawn.db" >"$folder/said" 2>&1 || true
  "$program" show "$folder/drawn.db" --format csv >"$folder/findings.csv" || [ $? -ne 2 ]
  grep -E ',(falsified|failed),' "$folder/findings.csv" || true
  for method; do
    examinations=$((examinations + 1))
    claims=$((claims + $(grep -F ",$method," "$folder/findings.csv" | grep -c ',held,' || true)))
    if grep -F ",$method," "$folder/findings.csv" | grep -q ',falsified,'; then
      alarms=$((alarms + 1))
    fi
  done
  echo "seed $seed: $examinations examinations, $claims findings held, $alarms alarms"
done
