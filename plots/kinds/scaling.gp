# CPU time per step and constraint against the number of constraints, a block of data for each
# method. A cost in proportion to the size is a level line.
# Columns: constraints, nanoseconds per step and constraint.
down = 1; across = 1; tall = 5.4
load 'templates/style.gp'
set logscale xy
set format xy power
set xrange [from(1):to(1)]
set yrange [from(2):to(2)]
set xlabel say('constraints {/:Italic m}', 'constraints $m$')
set ylabel 'ns per step and constraint'
plot for [m=1:methods] data index m-1 using 1:2 with linespoints linestyle m
load 'templates/legend.gp'
