# The largest violation of the constraint, or of the hidden constraint, along the run. A block of
# data for each method. Methods that are `aside` are named at the bottom, at round-off. Columns:
# time, minimum, mean, maximum, size.
load 'templates/exits.gp'
strip = ''
do for [m=1:curves] { if (own(aside, m)) {
  strip = strip.(strip eq '' ? 'at round-off: ' : ', ').name_of(m)
} }
if (strip ne '') { set label shrunk(strip) at graph 0.02, graph 0.055 left noenhanced font small }
plot for [m=1:curves] data index block(m) using 1:(own(aside, m) ? NaN : $5) \
       with linespoints linestyle m pointnumber 6
