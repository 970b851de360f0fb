# The energy in `precision` minus that in quad along the run, root of the mean square over starts
# and a quarter of the time; a block of data for each method. Grey: a random walk (Brouwer's law)
# and a drift. Columns: time, difference.
down = 1; across = 1; tall = 5.4
load 'templates/style.gp'
set logscale xy
set format xy power
set xrange [from(1)/1.2 : to(1)*1.2]
set yrange [from(2)/5000 : to(2)*2]
set xlabel time
set ylabel say('{/:Italic H} of '.precision.' − quad', '$H$ of '.precision.' $-$ quad')
middle = sqrt(from(1)*to(1))
walk(t) = 0.2*from(2)*sqrt(t/middle)
drift(t) = 0.2*from(2)*t/middle
set label say('{/:Italic t}^{1/2}', '$t^{1/2}$') at to(1), walk(to(1)) right offset 0,-0.9 \
  font small textcolor rgb grey
set label say('{/:Italic t}', '$t$') at from(1), drift(from(1)) offset 2,-0.6 \
  font small textcolor rgb grey
plot for [m=1:methods] data index m-1 using 1:($2 > 0 ? $2 : NaN) \
       with linespoints linestyle m pointnumber 6, \
     [t=from(1):to(1)] walk(t) with lines linewidth 1 linecolor rgb grey, \
     [t=from(1):to(1)] drift(t) with lines linewidth 1 linecolor rgb grey
load 'templates/legend.gp'
