# The error of q and, below, the Newton iterations a step against an option of the problem, a block
# of data for each method. Columns: value of the option, error of q, iterations a step.
down = 2; across = 1; tall = 4.6; x_column = 1; y_column = 2
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
set ylabel error
set yrange [low/4 : high*4]
plot for [m=1:methods] data index m-1 using 1:2 with linespoints linestyle m
set format y number
set format x V_min > 0 && !short ? power : number
set xlabel option
set ylabel 'Newton iterations a step'
set yrange [*:*]
plot for [m=1:methods] data index m-1 using 1:3 with linespoints linestyle m, \
     1 with lines linewidth 1 linecolor rgb grey
load 'templates/legend.gp'
