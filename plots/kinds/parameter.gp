# The error of q and, below, the Newton iterations a step against an option of the problem, a block
# of data for each method.
# Columns: value of the option, error of q, iterations a step.
down = 2; across = 1; tall = 4.6
load 'templates/style.gp'
if (logarithmic) {
  set logscale x
  set xrange [least/1.5 : largest*1.5]
} else {
  set xrange [least:largest]
}
do for [k=1:2] {
  set ylabel value('label_'.k)
  if (k == 1) {
    set logscale y
    set format y power
    set format x ''
  } else {
    unset logscale y
    set format y number
  }
  set yrange [from(k):to(k)]
  if (k == 2) { set xlabel option; set format x logarithmic && !short ? power : number }
  plot for [m=1:methods] data index m-1 using 1:k+1 with linespoints linestyle m
}
load 'templates/legend.gp'
