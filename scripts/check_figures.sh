#!/bin/sh
# Checks figures in a browser: no text overlaps text, curves, marks or frames, nothing is outside the page, no
# figure is higher than two thirds of a page, and numbers have one style.
#
#   scripts/check_figures.sh [-a] [-c] [-s SHAKEDOWN] FOLDER|STUDY|STORE...
# Checks the SVGs in a folder and its subfolders, and the figures of a store or of a study, which it runs (for
# at most five minutes). With -a, it checks all figures, not a selection; with -c, also the share of the page
# that the axis boxes cover. Without arguments, it checks the figures of all studies that come with the program.
# It prints a line for each fault, and exits with status 1 if there are any.
set -u
here=$(cd "$(dirname "$0")" && pwd)
shakedown=${SHAKEDOWN:-shakedown} cover=no all=
while getopts acs: option; do
  case $option in
  a) all=--all ;;
  c) cover=yes ;;
  s) shakedown=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
if [ $# -eq 0 ]; then
  all=--all
  set -- "$here"/../studies/*.yaml
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# look NAME FILE...: checks a limited number of figures, so that the page stays small
look() {
  {
    printf '<!DOCTYPE html><meta charset="utf-8"><style>body{margin:0}svg{display:block}</style><body data-cover="%s">\n' $cover
    for file; do
      printf '<figure title="%s" style="margin:0">\n' "$(basename "$file" .svg)"
      sed 1d "$file"
      printf '</figure>\n'
    done
    printf '<script>'
    cat "$here/check_figures.js"
    printf '</script>\n'
  } >"$work/page.html"
  timeout 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --host-resolver-rules='MAP * ~NOTFOUND' --force-prefers-reduced-motion --dump-dom \
    "file://$work/page.html" 2>"$work/said" |
    sed -n '/^[^<]/{ s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g; p; }' >"$work/lines"
  grep -q '^looked at' "$work/lines" || echo "the browser did not answer: $(tail -n 1 "$work/said")" >>"$work/lines"
  sed "s|^|$name: |" "$work/lines"
  grep -q ' 0 faults$' "$work/lines" || bad=1
}

bad=0
for what; do
  name=$(basename "$what") folder=$work/figures
  name=${name%.*}
  rm -rf "$folder"
  case $what in
  *.yaml)
    timeout 300 "$shakedown" run "$what" -o "$work/$name.db" -q >"$work/log" 2>&1
    [ $? -ne 124 ] || echo "$name: takes more than five minutes; what there is of it is looked at"
    "$shakedown" plot "$work/$name.db" -o "$folder" --type svg $all >"$work/log" 2>&1
    ;;
  *.db) "$shakedown" plot "$what" -o "$folder" --type svg $all >"$work/log" 2>&1 ;;
  *) folder=$what ;;
  esac
  if ! find "$folder" -name '*.svg' >"$work/list" 2>/dev/null || [ ! -s "$work/list" ]; then
    echo "$name: no figure: $(tail -n 1 "$work/log" 2>/dev/null)"
    continue
  fi
  sort -o "$work/list" "$work/list"
  split -l 60 "$work/list" "$work/part."
  for part in "$work"/part.*; do
    # File names consist of [a-z0-9-].
    # shellcheck disable=SC2046
    look $(cat "$part")
    rm "$part"
  done
done
exit $bad
