# The error against its cost. Hollow marks without a line are at round-off, where more work does not
# reduce the error. For methods with a hollow style, these marks are smaller. There is one data
# block per method.
# Columns: step or tolerance, error, CPU seconds, evaluations, at the floor.
plot for [m=1:curves] data index block(m) using cost:($5 > 0 ? NaN : $2) \
       with linespoints linestyle m, \
     for [m=1:curves] data index block(m) using cost:($5 > 0 ? $2 : NaN) \
       with points linestyle m pointtype hollow(m) pointsize lesser(m)
