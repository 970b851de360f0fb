# Paths of states through a plane, a block of data each method. Samples that are far apart have
# marks alone (joined: 0).
# Columns: time, x, y.
down = 1; across = 1; tall = ratio*(width - 2.3)
load 'templates/style.gp'
set xrange [left:right]
set yrange [bottom:top]
set format xy number
set xtics tidy(right - left)
set xlabel horizontal
set ylabel vertical
plot for [m=1:methods] data index m-1 using (at(joined, m) ? $2 : NaN):3 \
       with linespoints linestyle m pointnumber 6, \
     for [m=1:methods] data index m-1 using (at(joined, m) ? NaN : $2):3 \
       with points linestyle m pointsize 0.15 + 0.45*(methods - m + 1)/methods
load 'templates/legend.gp'
