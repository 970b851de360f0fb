# H - H(0) along the run, a block of data for each method. A few methods of similar size have a
# linear axis, in units of `scale`: the mean of the envelope on the band between its extremes.
# Otherwise the largest size is drawn on a logarithmic axis. Thin lines: the fitted drift, with the
# band of its half-width; on the logarithmic axis |slope| t. mean, slope and half have a number for
# each method, NaN if there is no drift. Columns: time, minimum, mean, maximum, size.
load 'templates/exits.gp'
drift(m, t) = log_y ? abs(own(slope, m)*t) : scale*(own(mean, m) + own(slope, m)*(t - until/2))
edge(m, t) = scale*own(half, m)*(log_y ? t : abs(t - until/2))
plot for [m=1:curves*!log_y] data index block(m) using 1:(scale*$2):(scale*$4) \
       with filledcurves linestyle m fillstyle transparent solid 0.15 noborder, \
     for [m=1:curves] '+' using 1:(drift(m, $1) - edge(m, $1)):(drift(m, $1) + edge(m, $1)) \
       with filledcurves linestyle m, \
     for [m=1:curves] data index block(m) every ::1 using 1:(log_y ? $5 : scale*$3) \
       with linespoints linestyle m pointnumber 6, \
     for [m=1:curves] data index block(m) every ::0::1 using 1:(log_y ? $5 : scale*$3) \
       with lines linestyle m, \
     for [m=1:curves] drift(m, x) with lines linestyle m linewidth 0.8 dashtype 1
