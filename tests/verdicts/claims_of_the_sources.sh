#!/bin/sh
# docs/findings/theory.md: runs its commands and checks its verdicts against the findings of its study.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/documents.sh"
run_document "$SHAKEDOWN_SOURCE/docs/findings/theory.md"
cd "$folder" || exit 1
# `show` ends with 3, as the page says: some claims of the study's methods stay open.
"$SHAKEDOWN" show claims-of-the-sources.db --values --format csv >findings.csv
"$SHAKEDOWN" show claims-of-the-sources.db --records --format csv >records.csv
python3 "$SHAKEDOWN_SOURCE/tests/verdicts/claims_of_the_sources.py" findings.csv records.csv "$tap_points"
