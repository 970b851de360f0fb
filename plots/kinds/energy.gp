# H - H(0), or another quantity drawn in the same way, along the run. There is one data block per
# method. If there are only a few methods with values of similar size, the axis is linear, in units
# of `scale`. If `banded`, the mean of the envelope is drawn on top of the band between its
# extremes; otherwise the largest size is drawn. Methods at round-off (`aside`) are not drawn.
# Dashed black lines show the fitted drift, with the band of its half-width; on a logarithmic axis,
# they show |slope| t. `mean`, `slope` and `half` contain one number per method, which is NaN if there is
# no drift.
# Columns: time, minimum, mean, maximum, size.
load 'templates/exits.gp'
drift(m, t) = log_y ? abs(own(slope, m)*t) : scale*(own(mean, m) + own(slope, m)*(t - until/2))
edge(m, t) = scale*own(half, m)*(log_y ? t : abs(t - until/2))
middle(m, mean, size) = own(aside, m) ? NaN : above(banded ? scale*mean : size)
thick(m) = thin(m) ? 0.7 : own(slope, m) == own(slope, m) ? 2.4 : 1.4   # wider than its fit
up(y) = log_y && y <= 0 ? floor_y : scale*y
plot for [m=1:curves*banded] data index block(m) using 1:(up($2)):(up($4)) \
       with filledcurves linestyle m fillstyle transparent solid 0.25 noborder, \
     for [m=1:curves] '+' using 1:(drift(m, $1) - edge(m, $1)):(drift(m, $1) + edge(m, $1)) \
       with filledcurves linestyle m, \
     for [m=1:curves] data index block(m) every ::1 using 1:(middle(m, $3, $5)) \
       with linespoints linestyle m linewidth thick(m) pointnumber 6, \
     for [m=1:curves] data index block(m) every ::0::1 using 1:(middle(m, $3, $5)) \
       with lines linestyle m linewidth thick(m), \
     for [m=1:curves] drift(m, x) with lines linewidth 0.8 linecolor rgb 'black' dashtype 2
