# The slope of the energy against the tolerance of the multiplier solve, a panel for each step;
# blocks of data: panel by panel, one for each method. Filled marks gain energy, open ones lose it.
# A slope not significantly different from zero is an arrow down from its upper bound. level_k has
# that bound for each method solved to round-off, a broken line.
# Columns: tolerance, slope, half-width.
down = panels; across = 1; tall = panels == 1 ? 5.4 : 3.2; gap = 0.7; titled = 1
load 'templates/style.gp'
set logscale xy
set format y power
set xrange [least/2 : largest*2]
set yrange [low/2 : high*2]
set ylabel say('|slope of {/:Italic H}|', '$|$slope of $H|$')
told(s, h) = abs(s) > h
bound(s, h) = abs(s) + (h > 0 ? h : 0)
do for [k=1:panels] {
  levels = value('level_'.k)
  set title say('{/:Italic h} = ', '$h=$ ').word(steps, k)
  if (k == panels) {
    set xlabel 'tolerance of the multiplier solve'
    set format x short ? number : power
  } else {
    unset xlabel
    set format x ''
  }
  plot for [m=1:methods] data index (k - 1)*methods + m-1 using 1:(told($2, $3) ? abs($2) : NaN) \
         with lines linestyle m, \
       for [m=1:methods] data index (k - 1)*methods + m-1 using 1:(told($2, \
       $3) ? abs($2) : NaN):3 with yerrorbars linestyle m pointsize 0, \
       for [m=1:methods] data index (k - 1)*methods + m-1 using 1:(told($2, \
       $3) && $2 < 0 ? -$2 : NaN) with points linestyle m linecolor rgb 'white', \
       for [m=1:methods] data index (k - 1)*methods + m-1 using 1:(told($2, \
       $3) && $2 < 0 ? -$2 : NaN) with points linestyle m pointtype mark(m)-1, \
       for [m=1:methods] data index (k - 1)*methods + m-1 using 1:(told($2, \
       $3) && $2 > 0 ? $2 : NaN) with points linestyle m, \
       for [m=1:methods] data index (k - 1)*methods + m-1 using 1:(told($2, \
       $3) ? NaN : bound($2, $3)):(0):(-0.6*bound($2, $3)) \
         with vectors head size screen 0.012,25 filled linestyle m dashtype 1, \
       for [m=1:methods] num(levels, m) + 0*x with lines linestyle m linewidth 1 dashtype 3
}
load 'templates/legend.gp'
