# Error against step size. Lines with marks show the most accurate precision. Marks are hollow at
# points that are not in the fit; for methods with a hollow style, these marks are smaller. Thin
# lines show the other precisions. Bars extend down to the best member. In grey areas, the reference
# error and round-off dominate.
# Data blocks: for each precision, one per method.
# Columns: step, error, in the fit, reference error and round-off, error of the best member.
last = (precisions - 1)*words(of)
plot for [m=1:curves] data index last + block(m) using 1:4 with filledcurves y1=floor_y \
       fillcolor rgb '#e4e4e4' fillstyle solid noborder, \
     for [p=1:precisions-1] for [m=1:curves] data index (p - 1)*words(of) + block(m) using 1:2 \
       with lines linestyle m linewidth 0.6 dashtype 1, \
     for [m=1:curves] data index last + block(m) using 1:5:(0):($2-$5) \
       with vectors nohead linestyle m dashtype 1, \
     for [m=1:curves] data index last + block(m) using 1:2 with lines linestyle m, \
     for [m=1:curves] data index last + block(m) using 1:($3 > 0 ? NaN : $2) \
       with points linestyle m pointtype solid(m) linecolor rgb 'white' \
       pointsize lesser(m), \
     for [m=1:curves] data index last + block(m) using 1:($3 > 0 ? NaN : $2) \
       with points linestyle m pointtype hollow(m) pointsize lesser(m), \
     for [m=1:curves] data index last + block(m) using 1:($3 > 0 ? $2 : NaN) \
       with points linestyle m
