# The error against its cost. Hollow marks without a line (small ones, if the style is hollow) are
# at round-off, where more work does not reduce the error. There is one block of data per method.
# Columns: step or tolerance, error, CPU seconds, evaluations, at the floor.
plot for [m=1:curves] data index block(m) using cost:($5 > 0 ? NaN : $2) \
       with linespoints linestyle m, \
     for [m=1:curves] data index block(m) using cost:($5 > 0 ? $2 : NaN) \
       with points linestyle m pointtype hollow(m) pointsize lesser(m)
