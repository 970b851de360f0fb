# The error of q and, below, the Newton iterations a step against an option of the problem; if there
# are costs, CPU time per step and constraint in their place. A block of data for each method.
# Columns: value of the option; error of q, iterations a step; or nanoseconds.
down = 2 - costs; across = 1; tall = costs ? 5.4 : 4.6
load 'templates/style.gp'
load 'templates/ranges.gp'
stats data using (row($1) ? $1 : NaN) name 'V' nooutput
if (V_min > 0) {
  set logscale x
  set xrange [least/1.5 : largest*1.5]
}
set logscale y
set format y power
set format x ''
set ylabel costs ? 'ns per step and constraint' : error
set yrange [low/(4 - 2*costs) : high*(4 - 2*costs)]
if (costs && high < 20*low) {
  set format y number
  do for [d=0:5] { set ytics add (10.0**d, 2*10.0**d, 5*10.0**d) }
}
if (!costs) { plot for [m=1:methods] data index m-1 using 1:2 with linespoints linestyle m }
set format x V_min > 0 ? stepped : number
set xlabel option
if (!costs) {
  set format y number
  set ylabel 'Newton iterations a step'
  set yrange [*:*]
}
plot for [m=1:methods] data index m-1 using 1:(column(3 - costs)) with linespoints linestyle m, \
     for [i=costs:0] 1 with lines linewidth 1 linecolor rgb grey
load 'templates/legend.gp'
