# The error against its cost, a panel for each of `costs`: CPU time (1) and counted work (2); a
# block of data for each method. Small open marks without a line are at round-off, where more work
# does not reduce the error.
# Columns: step or tolerance, error, CPU seconds, evaluations, at the floor.
down = width < 11 ? words(costs) : 1; across = words(costs)/down; gap = 1.4
tall = words(costs) == 1 ? 5.4 : down == 2 ? 3.9 : 4.4; decades = 1
load 'templates/style.gp'
array cost[2] = ['CPU time (s)', 'evaluations of force and Jacobian']
set logscale xy
set format x power
do for [k=1:words(costs)] {
  c = at(costs, k)
  x_column = c + 2
  load 'templates/ranges.gp'
  high = low < 1 && high > 10 ? 10 : high           # a relative error beyond 10 has no meaning
  set xrange [least/1.5 : largest*1.5]
  set yrange [low/3 : high*3]
  set xlabel cost[c]
  set ylabel leftmost(k) ? error : ''
  set format y leftmost(k) ? power : ''
  plot for [m=1:methods] data index m-1 using c+2:($5 > 0 ? NaN : $2) \
         with linespoints linestyle m, \
       for [m=1:methods] data index m-1 using c+2:($5 > 0 ? $2 : NaN) \
         with points linestyle m pointtype mark(m)-1 pointsize 0.6*size(m)
}
load 'templates/legend.gp'

