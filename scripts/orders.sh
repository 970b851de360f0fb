#!/bin/sh
# Writes docs/findings/orders.md and docs/figures/order-calibration.svg anew from the study
# `order-calibration`, run by the program named as argument (build/shakedown unless given) in two
# minutes; or, with a store of it as second argument, from that.
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

exec >"$here/../docs/findings/orders.md"
cat <<'HEAD'
# How far printed orders can be relied on

Made by `scripts/orders.sh` from the study `order-calibration`: methods whose order is proven, with options
and from starts that had no part in choosing the estimate, on seven problems in quadruple precision,
six steps each. How an order is measured is told in [measures](../reference/measures.md#orders); the claim has no
part in it. Counted is how often the proven order lies within the printed half-width; an
order that is undetermined counts as a miss. The last column is the half-width that half of the orders
have at most.

```sh
shakedown run order-calibration --dry-run
```

HEAD
echo '| proven order | measured | within | part | half-width |'
echo '| --- | --- | --- | --- | --- |'
"$coverage" "$store" by order
printf '\n| problem | measured | within | part | half-width |\n| --- | --- | --- | --- | --- |\n'
"$coverage" "$store" by problem
cat <<'TAIL'

![half-widths against what they should cover](../figures/order-calibration.svg)

Points in the blue are orders within their half-width. The two bodies on a sphere are there because
their pairwise orders are still far from the limit at these steps; their half-widths are wider, and
cover, or the order is undetermined.

What is not covered by the estimate: errors that have no expansion in powers of the step, because
the force has a kink, the step is chosen by the method, or an iteration ends by a tolerance above
round-off. There the uncertainty grows with what the extrapolation does not explain, and the order
may be undetermined.
TAIL
