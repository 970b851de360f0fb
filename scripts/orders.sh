#!/bin/sh
# Writes the last section of docs/findings/certificates.md and docs/figures/order-calibration.svg from the
# study `order-calibration`. The program named as argument (default: build/shakedown) runs it in two
# minutes; a store of it may be given as second argument instead.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1-$here/../build/shakedown}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
store=${2-$work/orders.db}
[ $# -gt 1 ] || "$program" run order-calibration -q -o "$store" >"$work/said"
coverage=$here/order_coverage.py
"$coverage" "$store" rows >"$work/orders"

gnuplot <<PLOT
set terminal svg size 620,420 font "Helvetica,13" enhanced
set output "$here/../docs/figures/order-calibration.svg"
set logscale xy
set format xy "10^{%T}"
set xlabel "printed half-width"
set ylabel "distance from the proven order"
set key left top
set xrange [1e-13:1]
set yrange [1e-16:10]
set style fill transparent solid 0.25 noborder
plot x with filledcurves y1=1e-16 linecolor rgb "#0072b2" title "within the half-width", \
  "$work/orders" using (\$3):(abs(\$2-\$1)<1e-16 ? 1.2e-16 : abs(\$2-\$1)) with points pointtype 7 pointsize 0.35 linecolor rgb "#202020" title "orders"
PLOT

page=$here/../docs/findings/certificates.md
certificates=$(sed '/^<!-- by scripts\/orders.sh -->$/,$d' "$page")
exec >"$page"
printf '%s\n\n' "$certificates"
cat <<'HEAD'
<!-- by scripts/orders.sh -->
## Uncertainty of orders

The proven order should lie within the half-width printed with a measured order. The study
`order-calibration` counts how often it does. It measures methods of proven order, with options and
starts not used in choosing the estimate, on seven problems in quadruple precision with six steps
each. The estimate is defined in [measures](../reference/measures.md#orders) and does not use the
claim. An undetermined order counts as a miss. The last column is the median half-width.
`scripts/orders.sh` writes this section.

```sh
shakedown run order-calibration --dry-run
```

HEAD
echo '| proven order | measured | within | share | half-width |'
echo '| --- | --- | --- | --- | --- |'
"$coverage" "$store" by order
printf '\n| problem | measured | within | share | half-width |\n| --- | --- | --- | --- | --- |\n'
"$coverage" "$store" by problem
cat <<'TAIL'

![Distance from the proven order against the half-width](../figures/order-calibration.svg)

Points in the blue region are orders within their half-width. The pairwise orders of two bodies on a
sphere are still far from the limit at these steps: their half-widths are wider and cover the proven
order, or the order is undetermined.

The estimate assumes an expansion of the error in powers of the step. It fails where the force has a
kink, the method chooses the step, or an iteration ends by a tolerance above round-off. There the
uncertainty grows with the part that the extrapolation does not explain, and the order may be
undetermined.
TAIL
