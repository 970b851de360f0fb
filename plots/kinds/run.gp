# One run: its first coordinates against time and, below, |H - H(0)|. Columns of the data: time, q1,
# …, |H - H(0)|.
down = 2; across = 1; tall = 4
load 'templates/style.gp'
set xrange [from(3):to(3)]
set yrange [from(1):to(1)]
set format y number
set format x ''
set ylabel say('{/:Italic q}', '$q$')
plot for [m=1:methods] data index 0 using 1:m+1 with linespoints linestyle m pointnumber 6
set logscale y
set yrange [from(2):to(2)]
set format y power
set format x number
set xlabel say('time {/:Italic t}', 'time $t$')
set ylabel say('|{/:Italic H} − {/:Italic H}(0)|', '$|H-H(0)|$')
plot data index 0 using 1:methods+2 with lines linewidth 1.4 linecolor rgb 'black'
load 'templates/legend.gp'
