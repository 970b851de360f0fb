# The slope of the energy against the tolerance of the multiplier solve, a panel for each step.
# Filled marks gain energy, open ones lose it. A slope not significantly different from zero is an
# arrow down from its upper bound. A broken line is that bound for the method solved to round-off.
# Blocks of data: panel by panel, one for each method, then one for each solved to round-off.
# Columns: tolerance, slope, half-width.
down = panels; across = 1; tall = panels == 1 ? 5.4 : 3.2; gap = 0.7; titled = 1
load 'templates/style.gp'
load 'templates/ranges.gp'
told(s, h) = abs(s) > h ? s : NaN               # a slope whose sign is known
lost(s, h) = told(s, h) < 0 ? -s : NaN
bound(s, h) = abs(s) + (h > 0 ? h : 0)
runs = 'for [m=1:methods] data index first+m using'
set logscale xy
set format y power
set xrange [least/2 : largest*2]
set ylabel say('|slope of {/:Italic H}|', '$|$slope of $H|$')
do for [k=1:panels] {
  first = 2*(k - 1)*methods - 1
  set title math(letter('h')).' = '.word(steps, k)
  set xlabel k == panels ? 'tolerance of the multiplier solve' : ''
  set format x k == panels ? stepped : ''
  plot @runs 1:(abs(told($2, $3))):3 with yerrorlines linestyle m pointsize 0, \
       @runs 1:(told($2, $3)) with points linestyle m, \
       @runs 1:(lost($2, $3)) with points linestyle m linecolor rgb 'white', \
       @runs 1:(lost($2, $3)) with points linestyle m pointtype mark(m)-1, \
       for [m=1:methods] data index first+m \
         using 1:(abs($2) > $3 ? NaN : bound($2, $3)):(0):(-0.6*bound($2, $3)) \
         with vectors head size screen 0.012,25 filled linestyle m dashtype 1, \
       for [m=1:methods] data index first+methods+m \
         using (least/2):(bound($2, $3)):(2*largest - least/2):(0) \
         with vectors nohead linestyle m linewidth 1 dashtype 3
}
load 'templates/legend.gp'
