# The largest violation of the constraint, or of the hidden constraint, along the run. There is one
# block of data per method. Methods that are `aside`, at round-off, are not drawn but named in the
# strip.
# Columns: time, minimum, mean, maximum, size.
load 'templates/exits.gp'
plot for [m=1:curves] data index block(m) every ::1 using 1:(own(aside, m) ? NaN : above($5)) \
       with linespoints linestyle m pointnumber 6, \
     for [m=1:curves] data index block(m) every ::0::1 using 1:(own(aside, m) ? NaN : above($5)) with lines linestyle m
