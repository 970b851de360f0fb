#!/bin/sh
# What docs/claims-of-the-sources.md says of its study: verdicts on what `run claims-of-the-sources` finds.
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
if ! "$SHAKEDOWN" run claims-of-the-sources >out 2>err; then
  tail -n 20 err >&2
  echo 'Bail out! the study does not run'
  exit 1
fi
"$SHAKEDOWN" show claims-of-the-sources.db --values --format csv >findings.csv &&
  "$SHAKEDOWN" show claims-of-the-sources.db --records --format csv >records.csv &&
  python3 "$SHAKEDOWN_SOURCE/tests/whole/claims_of_the_sources.py" findings.csv records.csv
