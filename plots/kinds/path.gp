# Paths of states in a plane. There is one data block per method. Consecutive states are joined
# unless they are more than 0.15 of the panel size (broad × high) apart; such states have only
# marks. If `along`, the horizontal axis is the time. If `crossed`, only singular configurations
# have marks, and an arrow marks the start.
# Columns: time, x, y, and whether the sample is at a singular configuration.
if (along) { load 'templates/exits.gp' }
lx = 1; ly = 1; sx = 0; sy = 0; forward = 8
apart(k, x, y) = (d = k == 0 ? 0 : abs(x - lx)/broad + abs(y - ly)/high, lx = x, ly = y, d)
near(k, x, y) = apart(k, x, y) < 0.15 || along ? x : NaN
far(k, x, y) = apart(k, x, y) < 0.15 || along ? NaN : x
plot for [m=1:curves] data index block(m) using (near($0, $2, $3)):3 \
       with linespoints linestyle m @stroke pointtype (crossed ? -1 : solid(m) - look('hollow', word(ids, m))) \
       pointnumber 6, \
     for [m=1:curves*crossed] data index block(m) using ($4 > 0 ? $2 : NaN):3 with points linestyle m, \
     for [m=1:curves] data index block(m) using (far($0, $2, $3)):3 \
       with points linestyle m, \
     for [k=1:crossed] data index first every ::0::0 using 2:3 with points pointtype 5 pointsize 0.4 \
       linecolor rgb 'black', \
     for [k=1:crossed] data index first every ::0::forward using \
       (sx = $0 == 0 ? $2 : sx, sy = $0 == 0 ? $3 : sy, $0 == forward ? sx : NaN):(sy):($2 - sx):($3 - sy) \
       with vectors head filled size screen 0.01,20 linewidth 1.2 linecolor rgb 'black'
