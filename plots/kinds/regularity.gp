# The smallest singular value, with its sign: the mean over intervals on top of the band, with marks
# at the crossings. If `signed` is 0, the largest multiplier is drawn instead.
# Data blocks: one per method, followed by the crossings of each method.
# Columns: time, minimum, mean, maximum, size. Columns of the crossings: time, value.
load 'templates/exits.gp'
plot for [m=1:curves*signed] data index block(m) using 1:2:4 \
       with filledcurves linestyle m fillstyle transparent solid 0.25 noborder, \
     for [m=1:curves] data index block(m) using 1:(signed ? $3 : $5) \
       with lines linestyle m @stroke, \
     for [m=1:curves*signed] data index words(of)*signed + block(m) using 1:2 \
       with points linestyle m
