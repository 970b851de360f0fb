# Multipliers of redundant constraints, a panel for each of the first rows of G, and below them the
# difference of each run's force from that of the first run, relative to the largest force of the
# first. A block of data for each run. Distant samples have marks only.
# Columns: time, lambda_1, …, difference of the force.
down = panels + 1; across = 1; tall = (12.5 - 0.36*words(legend))/down - 0.3
tall = tall > 2.6 ? 2.6 : tall < 1.4 ? 1.4 : tall
load 'templates/style.gp'
set xrange [0:until]
dots(m) = 0.2 + 0.15*(methods - m)
set format x ''
lx = 1; ly = 1
high(k) = k > panels ? 1e300 : to(k) - from(k)
apart(x, y) = (d = abs(x - lx)/until + abs(y - ly)/high(k), lx = x, ly = y, d)
near(x, y) = apart(x, y) < 0.15 ? x : NaN
far(x, y) = apart(x, y) < 0.15 ? NaN : x
do for [k=1:panels+1] {
  last = k > panels
  set yrange [from(k):to(k)]
  if (last) {
    set logscale y
    set format y power
    set format x number
    set xlabel time
    set ytics (1)
    do for [d=-60:60:ceil(log10(to(k)/from(k))/3)] { set ytics add (10.0**d) }
    set ylabel say('{/:Italic G}^T{/:Italic λ}, apart', '$G^T\lambda$, apart')
  } else {
    set format y number
    set ytics tidy(to(k) - from(k))
    set ylabel say('{/:Italic λ}_'.k, '$\lambda_'.k.'$')
  }
  level(value) = last && value < from(k) ? from(k) : value
  plot for [m=1:methods] data index m-1 using (near($1, column(k+1))):(level(column(k+1))) \
         with linespoints linestyle m pointnumber 9, \
       for [m=1:methods] data index m-1 using (far($1, column(k+1))):(level(column(k+1))) \
         with points linestyle m pointtype 7 pointsize dots(m)
}
load 'templates/legend.gp'
