# The smallest singular value, with its sign, as the band and the mean over intervals, with marks at
# its zero crossings; or, if `signed` is 0, the largest multiplier. Blocks of data: one per method,
# then the crossings of each. Columns: time, minimum, mean, maximum, size; for crossings: time,
# value.
load 'templates/exits.gp'
plot for [m=1:curves*signed] data index block(m) using 1:2:4 \
       with filledcurves linestyle m fillstyle transparent solid 0.15 noborder, \
     for [m=1:curves] data index block(m) using 1:(signed ? $3 : $5) \
       with lines linestyle m, \
     for [m=1:curves*signed] data index words(of)*signed + block(m) using 1:2 \
       with points linestyle m
