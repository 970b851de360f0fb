#!/bin/sh
# Draws the figures in docs/guides/gallery.md again, from the studies on that page, and writes the images to
# docs/figures.
#
#   scripts/gallery.sh [PROGRAM [FOLDER]]     PROGRAM defaults to build/shakedown, and FOLDER to docs/figures
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "${1-$here/build/shakedown}")
folder=$(realpath "${2-$here/docs/figures}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
awk '/^```yaml/ { on = 1; next } /^```/ { on = 0 } on && /^study: / { file = $2 ".yaml" } on { print >file }' \
  "$here/docs/guides/gallery.md"
for study in *.yaml; do
  name=${study%.yaml}
  # In some studies, failed cells are results, so exit status 3 is accepted like 0 and 1.
  "$program" run "$study" --quiet >log 2>&1 || [ $? -ne 2 ] || { cat log >&2 && exit 1; }
  "$program" plot "$name.db" -o "$name" --type svg >log 2>&1 || { cat log >&2 && exit 1; }
  set -- "$name"/*.svg
  [ $# -eq 1 ] || { echo "$name: found $# figures, expected one" >&2 && exit 1; }
  cp "$1" "$folder/gallery-$name.svg"
done
