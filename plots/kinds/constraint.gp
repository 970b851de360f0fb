# The largest violation of the constraint, or of the hidden constraint, along the run. A block of
# data for each method; methods that are `aside`, at round-off, are not drawn, but named in the strip.
# Columns: time, minimum, mean, maximum, size.
load 'templates/exits.gp'
set label 4 shrunk(strip) at graph 0, graph 0.28/tall offset 0.8,0 left noenhanced font small
lowest = strip eq '' ? floor_y : floor_y*(ceiling_y/floor_y)**(0.46/tall)
shown(m, v) = own(aside, m) || v < lowest ? NaN : v
plot for [m=1:curves] data index block(m) every ::1 using 1:(shown(m, $5)) \
       with linespoints linestyle m pointnumber 6, \
     for [m=1:curves] data index block(m) every ::0::1 using 1:(shown(m, $5)) with lines linestyle m
