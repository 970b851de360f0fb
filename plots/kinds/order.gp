# Error against step size. Lines with marks show the most accurate precision. Marks are hollow for
# points that are not in the fit (or small, if the style is hollow). Thin lines show the other
# precisions, and bars extend down to the best member. In grey areas, the reference's error and
# round-off dominate. There is one block of data per precision and method. Columns: step, error, in
# the fit, reference error and round-off, error of the best member.
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
