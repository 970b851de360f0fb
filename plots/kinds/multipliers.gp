# Multipliers of redundant constraints, a panel for each of the first rows of G, and below them the
# difference of each run's force from that of the run of fewest rows, over the largest force of that
# run; grey: 1e-16. Blocks of data: the runs. Columns: time, lambda_1, …, difference of the force.
down = panels + 1; across = 1; tall = (12.5 - 0.36*words(legend))/down - 0.3
tall = tall > 2.6 ? 2.6 : tall < 1.4 ? 1.4 : tall
load 'templates/style.gp'
set xrange [0:until]
set format x ''
set format y number
do for [k=1:panels+1] {
  if (k > panels) {
    set logscale y; set ytics 1e4
    set format y power
    set format x number
    set xlabel time
    set ylabel math(letter('G').'^T'.letter('λ')).', apart'
  } else {
    stats data index 0:methods-1 using k+1 name 'L' nooutput
    set ytics L_max > L_min ? tidy(L_max - L_min) : 1
    set ylabel symbol('λ', k)
  }
  plot for [m=1:methods] data index m-1 using 1:k+1 \
         with points linestyle m pointtype 7 pointsize 0.15*(methods - m + 1), \
       for [i=panels:k-1] 1e-16 with lines linewidth 1 linecolor rgb grey
}
load 'templates/legend.gp'
