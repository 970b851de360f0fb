# Defects of one step against the step, a panel each, and the largest |g| of the runs; blocks of
# data: panel by panel, one for each method. Grey: the largest floor of the methods, or rounding. A
# defect of zero is drawn at the bottom of the panel.
# Columns: step, value, floor.
across = width < 12 && across > 2 ? 2 : across; down = (panels + across - 1)/across
tall = across == 1 ? 5.4 : down > 2 ? 3.2 : 4.4; gap = 0.8; titled = 1
load 'templates/style.gp'
load 'templates/ranges.gp'
set logscale xy
set xrange [least/1.15 : largest*1.15]
set yrange [low/10 : high*10]
do for [k=1:panels] {
  set title value('title_'.k)
  set ylabel leftmost(k) ? 'largest value' : ''
  set format y leftmost(k) ? power : ''
  lowest = k + across > panels
  set xlabel lowest ? step : ''
  set format x lowest ? stepped : ''
  plot for [m=1:methods] data index (k - 1)*methods + m-1 using 1:($3 > 0 ? $3 : NaN) \
         with filledcurves y1=low/10 fillcolor rgb '#cccccc' fillstyle solid noborder, \
       for [m=1:methods] data index (k - 1)*methods + m-1 using 1:($2 > low ? $2 : low) \
         with linespoints linestyle m
}
load 'templates/legend.gp'

