# Paths of states in a plane, a block of data for each method. Consecutive states are joined where
# they are close; distant ones have marks only. along: the horizontal axis is time; equal: both axes
# have one scale. counts: runs that determine the ranges.
# Columns: time, x, y.
set datafile separator "\t"; set datafile columnheaders
left = 1e300; right = -1e300; bottom = 1e300; top = -1e300
do for [m=1:words(counts)] {
  if (word(counts, m) eq '1') {
    stats name.'.dat' index m-1 using 2:3 name 'A' nooutput
    left = A_min_x < left ? A_min_x : left; right = A_max_x > right ? A_max_x : right
    bottom = A_min_y < bottom ? A_min_y : bottom; top = A_max_y > top ? A_max_y : top
  }
}
broad = right > left ? 1.1*(right - left) : 1; high = top > bottom ? 1.1*(top - bottom) : 1
ratio = along ? 0.35 : !equal ? 0.83 : high/broad
ratio = equal && ratio < 0.5 ? 0.5 : ratio > 1.25 ? 1.25 : ratio
broad = equal && high/ratio > broad ? high/ratio : broad; high = equal ? ratio*broad : high
down = 1; across = 1; tall = ratio*(width - 2.3)
load 'templates/style.gp'
set xrange [(left + right - broad)/2 : (left + right + broad)/2]
set yrange [(bottom + top - high)/2 : (bottom + top + high)/2 + along*0.12*high]
set format xy number
set xtics tidy(broad)
if (along) { load 'templates/exits.gp' }
set xlabel horizontal
set ylabel vertical
lx = 1; ly = 1
apart(x, y) = (d = abs(x - lx)/broad + abs(y - ly)/high, lx = x, ly = y, d)
near(x, y) = apart(x, y) < 0.15 || along ? x : NaN
far(x, y) = apart(x, y) < 0.15 || along ? NaN : x
plot for [m=1:methods] data index m-1 using (near($2, $3)):3 \
       with linespoints linestyle m pointnumber 6, \
     for [m=1:methods] data index m-1 using (far($2, $3)):3 \
       with points linestyle m pointsize 0.15 + 0.45*(methods - m + 1)/methods
load 'templates/legend.gp'
