# A quantity against an option. A block of data for each method; those without the option are levels,
# with a point at either end of the axis. Columns: value of the option, the quantity.
plot for [m=1:curves] data index block(m) using 1:2 with linespoints linestyle m
