# The largest violation of the constraint, or of the hidden constraint, along the run. A block of
# data for each method; methods that are `aside`, at round-off, are not drawn. Columns: time, minimum,
# mean, maximum, size.
load 'templates/exits.gp'
plot for [m=1:curves] data index block(m) using 1:(own(aside, m) ? NaN : $5) \
       with linespoints linestyle m pointnumber 6
