# The energy in `precision` minus that in quad along the run, root of the mean square over starts
# and over times within a factor of 1.25; a block of data for each method. Grey: a random walk
# (Brouwer's law) and a drift.
# Columns: time, difference.
down = 1; across = 1; tall = 5.4; decades = 1
load 'templates/style.gp'
load 'templates/ranges.gp'
set logscale xy
set format xy power
set xrange [least/1.2 : largest*1.2]
set yrange [low/5000 : high*2]
set xlabel time
set ylabel say('{/:Italic H} of '.precision.' − quad', '$H$ of '.precision.' $-$ quad')
middle = sqrt(least*largest)
walk(t) = 0.2*low*sqrt(t/middle)
drift(t) = 0.2*low*t/middle
set label math(letter('t').'^{1/2}') at largest, walk(largest) right offset 0,-0.9 \
  font small textcolor rgb grey
set label math(letter('t')) at least, drift(least) offset 2,-0.6 \
  font small textcolor rgb grey
plot for [m=1:methods] data index m-1 using 1:($2 > 0 ? $2 : NaN) \
       with linespoints linestyle m pointnumber 6, \
     [t=least:largest] walk(t) with lines linewidth 1 linecolor rgb grey, \
     [t=least:largest] drift(t) with lines linewidth 1 linecolor rgb grey
load 'templates/legend.gp'
