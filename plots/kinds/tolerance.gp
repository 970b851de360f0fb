# The slope of the energy against the tolerance of the multiplier solve. Filled marks mean that
# energy increases, and hollow ones that it decreases. A slope that is not significantly different
# from zero is drawn as an arrow down from its upper bound. A dashed line is this bound for the
# method when solved to round-off. Blocks of data: one per method, then one per method solved to
# round-off.
# Columns: tolerance, slope, half-width.
told(s, h) = abs(s) > h ? s : NaN               # a slope whose sign is known
lost(s, h) = told(s, h) < 0 ? -s : NaN
bound(s, h) = abs(s) + (h > 0 ? h : 0)
plot for [m=1:curves] data index block(m) using 1:(abs(told($2, $3))):3 \
       with yerrorlines linestyle m pointtype -1, \
     for [m=1:curves] data index block(m) using 1:(told($2, $3)) \
       with points linestyle m pointtype solid(m), \
     for [m=1:curves] data index block(m) using 1:(lost($2, $3)) \
       with points linestyle m pointtype solid(m) linecolor rgb 'white', \
     for [m=1:curves] data index block(m) using 1:(lost($2, $3)) \
       with points linestyle m pointtype solid(m)-1, \
     for [m=1:curves] data index block(m) \
       using 1:(abs($2) > $3 ? NaN : bound($2, $3)):(0):(-0.6*bound($2, $3)) \
       with vectors head size screen 0.012,25 filled linestyle m dashtype 1, \
     for [m=1:curves] data index words(of) + block(m) \
       using (least):(bound($2, $3)):(largest - least):(0) \
       with vectors nohead linestyle m linewidth 1 dashtype 3
