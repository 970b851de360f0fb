# A defect of one step, or the largest |g| of a run, against step size. Grey: the largest floor of
# the methods, or rounding. A defect of zero is drawn at the bottom of the panel. There is one block
# of data per method. Columns: step, value, floor.
plot for [m=1:curves] data index block(m) using 1:($3 > 0 ? $3 : NaN) \
       with filledcurves y1=floor_y fillcolor rgb '#e4e4e4' fillstyle solid noborder, \
     for [m=1:curves] data index block(m) using 1:($2 > floor_y ? $2 : floor_y*1.2) \
       with linespoints linestyle m
