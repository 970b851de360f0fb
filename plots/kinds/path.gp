# Paths of states in a plane, with one block of data per method. Consecutive states are joined if
# they are close. States farther apart than 0.15 of the panel, whose size is broad × high, have only
# marks. If `along`, the horizontal axis is time. If `crossed`, there are marks only at singular
# configurations, and a black square marks the start. Columns: time, x, y, and whether the sample is
# at a singular configuration.
if (along) { load 'templates/exits.gp' }
lx = 1; ly = 1
apart(k, x, y) = (d = k == 0 ? 0 : abs(x - lx)/broad + abs(y - ly)/high, lx = x, ly = y, d)
near(k, x, y) = apart(k, x, y) < 0.15 || along ? x : NaN
far(k, x, y) = apart(k, x, y) < 0.15 || along ? NaN : x
plot for [m=1:curves] data index block(m) using (near($0, $2, $3)):3 \
       with linespoints linestyle m pointtype (crossed ? -1 : solid(m) - look('hollow', word(ids, m))) \
       pointnumber 6, \
     for [m=1:curves*crossed] data index block(m) using ($4 > 0 ? $2 : NaN):3 with points linestyle m, \
     for [m=1:curves] data index block(m) using (far($0, $2, $3)):3 \
       with points linestyle m, \
     for [k=1:crossed] data index first every ::0::0 using 2:3 with points pointtype 5 pointsize 0.4 \
       linecolor rgb 'black'
