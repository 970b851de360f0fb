# The step sizes that methods choose, in units of `scale`: the mean of the envelope on top of the
# band between its extremes, with marks where steps were rejected.
# Data blocks: one per method, followed by the rejections of each method.
# Columns: time, minimum, mean, maximum, size. Columns of the rejections: time, step size, number.
load 'templates/exits.gp'
plot for [m=1:curves] data index block(m) using 1:(scale*$2):(scale*$4) \
       with filledcurves linestyle m fillstyle transparent solid 0.15 noborder, \
     for [m=1:curves] data index block(m) using 1:(scale*$3) with lines linestyle m, \
     for [m=1:curves] data index words(of) + block(m) using 1:(scale*$2) with points linestyle m
