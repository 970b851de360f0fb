# CPU time per step and constraint against the number of constraints, a block of data for each
# method. A cost in proportion to the size is a level line.
# Columns: constraints, nanoseconds per step and constraint.
down = 1; across = 1; tall = 5.4; x_column = 1; y_column = 2; decades = 1
load 'templates/style.gp'
load 'templates/ranges.gp'
set logscale xy
set format xy power
set xrange [least/1.5 : largest*1.5]
set yrange [low/2 : high*2]
set xlabel say('constraints {/:Italic m}', 'constraints $m$')
set ylabel 'ns per step and constraint'
plot for [m=1:methods] data index m-1 using 1:2 with linespoints linestyle m
load 'templates/legend.gp'
