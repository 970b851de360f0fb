# The step sizes that methods choose, in units of `scale`: the mean of the envelope on the band
# between its extremes, and marks where steps were rejected. Blocks of data: one per method, then
# the rejections of each. Columns: time, minimum, mean, maximum, size; for rejections: time, step
# size, number.
load 'templates/exits.gp'
plot for [m=1:curves] data index block(m) using 1:(scale*$2):(scale*$4) \
       with filledcurves linestyle m fillstyle transparent solid 0.15 noborder, \
     for [m=1:curves] data index block(m) using 1:(scale*$3) with lines linestyle m, \
     for [m=1:curves] data index words(of) + block(m) using 1:(scale*$2) with points linestyle m
