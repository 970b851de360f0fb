# H - H(0) along the run, a block of data for each method. A few methods of similar size have a
# linear axis, in units of a power of ten: the mean of the envelope on the band between its
# extremes. Otherwise the largest size is drawn on a logarithmic axis. Thin lines: the fitted drift,
# with the band of its half-width; on the logarithmic axis |slope| t. mean, slope and half have a
# number for each method, NaN if there is no drift.
# Columns: time, minimum, mean, maximum, size, least size at round-off.
down = 1; across = 1; tall = 5.4
load 'templates/style.gp'
set xrange [0:until]
set xlabel time
set format x number
lowest = num(extent_1, 1) < 0 ? num(extent_1, 1) : 0
highest = num(extent_1, 2) > 0 ? num(extent_1, 2) : 0
most = highest > -lowest ? highest : -lowest
power10 = most > 0 ? -floor(log10(most)) : 0
power10 = power10 >= -2 && power10 <= 1 ? 0 : power10
scale = 10.0**power10
drift(m, t) = linear ? scale*(num(mean, m) + num(slope, m)*(t - until/2)) : abs(num(slope, m)*t)
edge(m, t) = linear ? scale*abs(num(half, m)*(t - until/2)) : num(half, m)*t
set samples 200
load 'templates/exits.gp'
if (linear) {
  bracket = power10 != 0 ? '10^{'.power10.'} × [' : ''; ending = power10 != 0 ? ']' : ''
  set ylabel say(bracket.'{/:Italic H} − {/:Italic H}(0)'.ending.energy_unit, \
    '$'.(power10 != 0 ? '10^{'.power10.'}\times[' : '').'H-H(0)'.ending.'$'.energy_unit)
  set format y number
  spare = most > 0 ? 0.06*scale*(highest - lowest) : 1
  set yrange [scale*lowest - spare : scale*highest + spare]
  plot for [m=1:methods] data index m-1 using 1:(scale*$2):(scale*$4) \
         with filledcurves linestyle m, \
       for [m=1:methods] '+' using 1:(drift(m, $1) - edge(m, $1)):(drift(m, $1) + edge(m, $1)) \
         with filledcurves linestyle m, \
       for [m=1:methods] data index m-1 using 1:(scale*$3) \
         with linespoints linestyle m pointnumber 6, \
       for [m=1:methods] drift(m, x) with lines linestyle m linewidth 0.8 dashtype 1
} else {
  set ylabel say('|{/:Italic H} − {/:Italic H}(0)|'.energy_unit, '$|H-H(0)|$'.energy_unit)
  set logscale y
  set yrange [from(1):to(1)*lift(from(1), to(1))]
  set format y power
  plot for [m=1:methods] data index m-1 using 1:6:5 \
         with filledcurves linestyle m fillstyle transparent solid 0.12 noborder, \
       for [m=1:methods] '+' using 1:(drift(m, $1) - edge(m, $1)):(drift(m, $1) + edge(m, $1)) \
         with filledcurves linestyle m, \
       for [m=1:methods] data index m-1 using 1:5 with linespoints linestyle m pointnumber 6, \
       for [m=1:methods] drift(m, x) with lines linestyle m linewidth 0.8 dashtype 1
}
load 'templates/legend.gp'
