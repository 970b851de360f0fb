# A quantity against an option of the problem: error of q, Newton iterations a step, or CPU time per
# step and constraint. A block of data for each method. Columns: value of the option, the quantity.
plot for [m=1:curves] data index block(m) using 1:2 with linespoints linestyle m
