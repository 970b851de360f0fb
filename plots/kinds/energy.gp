# H - H(0) along the run, a block of data for each method. A few methods of similar size have a
# linear axis, in units of a power of ten: the mean of the envelope on the band between its
# extremes. Otherwise the largest size is drawn on a logarithmic axis. Thin lines: the fitted drift,
# with the band of its half-width; on the logarithmic axis |slope| t. mean, slope and half have a
# number for each method, NaN if there is no drift. Columns: time, minimum, mean, maximum, size.
down = 1; across = 1; tall = 5.4
load 'templates/style.gp'
stats data index 0:methods-1 using 2:4 name 'H' nooutput
set xrange [0:until]
set xlabel time
set format x number
most = !exists('H_max_y') ? 0 : H_max_y > -H_min_x ? H_max_y : -H_min_x
power10 = linear && most > 0 && (most < 0.1 || most >= 1000) ? -floor(log10(most)) : 0
scale = 10.0**power10
drift(m, t) = linear ? scale*(num(mean, m) + num(slope, m)*(t - until/2)) : abs(num(slope, m)*t)
edge(m, t) = scale*num(half, m)*(linear ? abs(t - until/2) : t)
error = letter('H').say(' − ', '-').letter('H').'(0)'
load 'templates/exits.gp'
if (linear) {
  set yrange [*<0:0<*]; set offsets 0, 0, graph 0.06, graph 0.06
  set format y number
  set ylabel math(power10 ? '10^{'.power10.'}'.say(' × ', '\times').'['.error.']' : error) \
    .energy_unit
} else {
  set logscale y; set yrange [from(1):to(1)]
  set format y power
  set ylabel math('|'.error.'|').energy_unit
}
plot for [m=1:methods*linear] data index m-1 using 1:(scale*$2):(scale*$4) \
       with filledcurves linestyle m, \
     for [m=1:methods] '+' using 1:(drift(m, $1) - edge(m, $1)):(drift(m, $1) + edge(m, $1)) \
       with filledcurves linestyle m, \
     for [m=1:methods] data index m-1 using 1:(linear ? scale*$3 : $5) \
       with linespoints linestyle m pointnumber 6, \
     for [m=1:methods] drift(m, x) with lines linestyle m linewidth 0.8 dashtype 1
load 'templates/legend.gp'
