# H - H(0) along the run, or another quantity that is drawn in the same way, with one block of data
# per method. A few methods with errors of similar size share a linear axis, in units of `scale`. If
# `banded`, the mean of the envelope is drawn on the band between its extremes; otherwise the
# largest size is drawn. Methods that are `aside`, at round-off, are not drawn. Thin lines show the
# fitted drift with the band of its half-width, or |slope| t on a logarithmic axis. The lists mean,
# slope and half contain a number for each method, which is NaN if there is no drift. Columns: time,
# minimum, mean, maximum, size.
load 'templates/exits.gp'
drift(m, t) = log_y ? abs(own(slope, m)*t) : scale*(own(mean, m) + own(slope, m)*(t - until/2))
edge(m, t) = scale*own(half, m)*(log_y ? t : abs(t - until/2))
middle(m, mean, size) = own(aside, m) ? NaN : above(banded ? scale*mean : size)
up(y) = log_y && y <= 0 ? floor_y : scale*y
plot for [m=1:curves*banded] data index block(m) using 1:(up($2)):(up($4)) \
       with filledcurves linestyle m fillstyle transparent solid 0.15 noborder, \
     for [m=1:curves] '+' using 1:(drift(m, $1) - edge(m, $1)):(drift(m, $1) + edge(m, $1)) \
       with filledcurves linestyle m, \
     for [m=1:curves] data index block(m) every ::1 using 1:(middle(m, $3, $5)) \
       with linespoints linestyle m pointnumber 6, \
     for [m=1:curves] data index block(m) every ::0::1 using 1:(middle(m, $3, $5)) \
       with lines linestyle m, \
     for [m=1:curves] drift(m, x) with lines linestyle m linewidth 0.8 dashtype 1
