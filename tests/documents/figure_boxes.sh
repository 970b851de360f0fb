#!/bin/sh
# Overlaps in figures, as a browser sets them, and the share of the page that the boxes of axes cover:
# figures of every kind with names and numbers as long as studies have them, grids and single panels
# as papers have them, and those of the study `quick`.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
for program in gnuplot chromium; do
  if ! command -v $program >/dev/null; then
    skip_without $program "$program is not installed"
    tap_done
  fi
done
check() {
  "$SHAKEDOWN_SOURCE/scripts/check_figures.sh" -s "$SHAKEDOWN" "$@" >lines 2>&1
}

# ---- the check sees what it should ----
mkdir bad
cat >bad/bad.svg <<'SVG'
<?xml version="1.0" encoding="utf-8" standalone="no"?>
<svg viewBox="0 0 300 700" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" font-size="10">
<defs><circle id="disc" r="1"/></defs>
<text x="20" y="20">first</text><text x="30" y="22">second</text>
<text x="20" y="60">struck</text><path fill="none" stroke="black" d="M0,56 L100,56"/>
<text x="20" y="100">marked</text><use xlink:href="#disc" transform="translate(30,97) scale(3)"/>
<text x="280" y="140">beyond the edge</text>
<text x="20" y="180">1.90e-05</text>
<text x="20" y="220">below</text><path fill="none" stroke="black" d="M0,223 L100,223"/>
<g transform="translate(100,300) rotate(-60)"><text>turned by sixty</text></g>
<text x="95" y="245">it</text>
<path stroke='black'  d='M20.0,400.0 L20.0,500.0 L220.0,500.0 L220.0,400.0 L20.0,400.0 Z  '/>
</svg>
SVG
check bad
is_text "$?" 1 "faults end with 1"
while read -r line; do
  holds "$line" grep -qxF "bad: bad: $line" lines
done <<'LINES'
185 mm high, more than two thirds of a page
"first" over "second"
a line through "struck"
a mark on "marked"
"beyond the edge" leaves the page
"1.90e-05" is not written as the others
LINES
is_text "$(tail -n 1 lines)" "bad: looked at 1 figures, 9 texts: 6 faults" "and nothing that is none"
check -c bad
holds "with -c also what boxes of axes cover" grep -qxF "bad: bad: boxes cover 9.5 %, less than 60 %" lines

# ---- every kind ----
"$SHAKEDOWN" run "$SHAKEDOWN_SOURCE/tests/data/every_figure.yaml" -o every.db -q >log 2>&1
"$SHAKEDOWN" plot every.db -o every --all --type svg >>log 2>&1
missing=
for kind in $(sed -n 's/^SHK_FIGURE_KIND([a-z_]*, "\([a-z-]*\)".*/\1/p' \
  "$SHAKEDOWN_SOURCE/harness/study/figure_kinds.def"); do
  [ -n "$(find every -name "$kind*.svg" | head -n 1)" ] || missing="$missing $kind"
done
is_text "$missing" "" "a study has a figure of every kind"
holds "no text stands on another, on a line or a mark, or leaves the page, in any of them" check every
grep -v 'looked at' lines | head -n 20 | while read -r line; do diag "$line"; done
grep -q "^title = 'A four-bar linkage" every/motion-*.gp && ! grep -q "^title = 'four-bar" every/motion-*.gp
ok_if $? "the study's label stands in place of the problem's name"
holds "and of the method's" grep -q "Penalty, stiffness ch.*Penalty, stiffness chosen by" every/constraint-four-bar-double-caption.txt
holds "a legend that is left to the caption is not drawn" grep -q "legend = 'caption'" every/caption-pendulum-double.gp

# ---- as papers have them ----
"$SHAKEDOWN" run "$SHAKEDOWN_SOURCE/tests/data/paper_figures.yaml" -o paper.db -q >log 2>&1
"$SHAKEDOWN" plot paper.db -o paper --all --type svg >>log 2>&1
is_text "$(find paper -name '*.svg' | wc -l)" 10 "figures of a paper are drawn"
holds "boxes cover 60 % of the page of a panel and 65 % of a grid, without overlaps" check -c paper
grep -v 'looked at' lines | head -n 20 | while read -r line; do diag "$line"; done
# size FIGURE: width and height in mm
size() {
  sed -n 's/.*viewBox="0 0 \([0-9]*\) \([0-9]*\)".*/\1 \2/p' "paper/$1.svg" |
    awk '{ printf "%.0f %.0f", $1 / 3.78, $2 / 3.78 }'
}
for figure in one-sprung-pendulum-q energy-sprung-pendulum-until-200-double work-sprung-pendulum-time-double; do
  size $figure | awk '{ small = $1 == 86 && $2 <= 65 } END { exit !small }'
  ok_if $? "$figure is $(size $figure) mm: 86 wide and at most 65 high"
done
is_text "$(size three-q | cut -d ' ' -f 1)" 178 "a grid of three problems has the width that the study gives"

# ---- the first study that people run ----
"$SHAKEDOWN" run quick -o quick.db -q >log 2>&1
size=$(wc -c <quick.db)
holds "its store takes $size bytes of 12 million" [ "$size" -lt 12000000 ]
holds "and in none of quick" check quick.db
grep -v 'looked at' lines | head -n 20 | while read -r line; do diag "$line"; done

# ---- the gallery ----
mkdir gallery
"$SHAKEDOWN_SOURCE/scripts/gallery.sh" "$SHAKEDOWN" gallery >log 2>&1
ok_if $? "the studies of the gallery are drawn" || diag "$(cat log)"
missing=
for kind in $(sed -n 's/^SHK_FIGURE_KIND([a-z_]*, "\([a-z-]*\)".*/\1/p' \
  "$SHAKEDOWN_SOURCE/harness/study/figure_kinds.def"); do
  [ -e "gallery/gallery-$kind.svg" ] && [ -e "$SHAKEDOWN_SOURCE/docs/figures/gallery-$kind.svg" ] &&
    grep -q "^| .$kind. |" "$SHAKEDOWN_SOURCE/docs/guides/paper-figures.md" || missing="$missing $kind"
done
is_text "$missing" "" "it has a figure of every kind, also in the documents, where the table of kinds has a row"
holds "without overlaps" check gallery
grep -v 'looked at' lines | head -n 20 | while read -r line; do diag "$line"; done
tap_done
