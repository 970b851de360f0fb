# Paths of states in a plane, a block of data for each method. Close consecutive states are joined;
# distant ones have marks only. equal: both axes have one scale. counts: runs that determine the
# ranges. Columns: time, x, y.
along = horizontal eq 't'; ratio = along ? 0.35 : 0.83; px = '$2'; py = '$3'
load 'templates/box.gp'
load 'templates/style.gp'
if (along) {
  set yrange [middle_y - high/2 : middle_y + 0.62*high]
  load 'templates/exits.gp'
}
set format xy number
axis(c) = c eq 't' ? time : strstrt('123456789', c[2:2]) ? symbol(c[1:1], c[2:*]) : c
set xlabel axis(horizontal)
set ylabel axis(vertical)
lx = 1; ly = 1
apart(x, y) = (d = abs(x - lx)/broad + abs(y - ly)/high, lx = x, ly = y, d)
near(x, y) = apart(x, y) < 0.15 || along ? x : NaN
far(x, y) = apart(x, y) < 0.15 || along ? NaN : x
plot for [m=1:methods] data index m-1 using (near($2, $3)):3 \
       with linespoints linestyle m pointnumber 6, \
     for [m=1:methods] data index m-1 using (far($2, $3)):3 \
       with points linestyle m pointsize 0.15 + 0.45*(methods - m + 1)/methods
load 'templates/legend.gp'
