# One run: its first coordinates against time and, below, |H - H(0)|. Columns of the data: time, q1,
# …, |H - H(0)|.
down = 2; across = 1; tall = 4
load 'templates/style.gp'
stats data index 0 using methods+2 name 'E' nooutput
most = exists('E_max') && E_max > 0 ? E_max : 1e-16
set autoscale xfix
set offsets 0, 0, graph 0.06, graph 0.06
set format y number
set format x ''
set ylabel say('{/:Italic q}', '$q$')
plot for [m=1:methods] data index 0 using 1:m+1 with linespoints linestyle m pointnumber 6
unset offsets
set logscale y
set yrange [1e-6*most:3*most]      # near H = H(0) it may be tiny
set format y power
set format x number
set xlabel time
set ylabel say('|{/:Italic H} − {/:Italic H}(0)|', '$|H-H(0)|$')
plot data index 0 using 1:methods+2 with lines linewidth 1.4 linecolor rgb 'black'
load 'templates/legend.gp'
