# The largest violation of the constraint and, below, of the hidden constraint along the run, a
# block of data for each method. Columns: time, minimum, mean, maximum, size.
down = 2; across = 1; tall = 3.9
load 'templates/style.gp'
set logscale y
set format y power
set xrange [0:until]
load 'templates/exits.gp'
do for [k=1:2] {
  set yrange [from(k):to(k)]
  set ylabel value('label_'.k)
  if (k == 2) { set xlabel time; set format x number } else { set format x '' }
  plot for [m=1:methods] data index (k - 1)*methods + m-1 using 1:5 \
    with linespoints linestyle m pointnumber 6
}
load 'templates/legend.gp'
