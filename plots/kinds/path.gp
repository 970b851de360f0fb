# Paths of states in a plane, a block of data for each method. Distant samples have marks only
# (joined: 0). along: the horizontal axis is time.
# Columns: time, x, y.
down = 1; across = 1; tall = (along ? 0.35 : ratio)*(width - 2.3)
load 'templates/style.gp'
set xrange [left:right]
set yrange [bottom : top + along*0.12*(top - bottom)]
set format xy number
set xtics tidy(right - left)
if (along) { load 'templates/exits.gp' }
set xlabel horizontal
set ylabel vertical
plot for [m=1:methods] data index m-1 using (at(joined, m) ? $2 : NaN):3 \
       with linespoints linestyle m pointnumber 6, \
     for [m=1:methods] data index m-1 using (at(joined, m) ? NaN : $2):3 \
       with points linestyle m pointsize 0.15 + 0.45*(methods - m + 1)/methods
load 'templates/legend.gp'
