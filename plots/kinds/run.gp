# One run: its first coordinates against time and, below, |H - H(0)|. Columns of the data: time, q1,
# …, |H - H(0)|.
down = 2; across = 1; tall = 4
set datafile separator "\t"; set datafile columnheaders
last = words(styles) + 2
stats name.'.dat' index 0 using (column(last) > 0 ? column(last) : NaN) name 'error' nooutput
high = exists('error_max') ? error_max : 1e-16
low = exists('error_min') ? error_min : high
low = low > 1e-6*high ? low : 1e-6*high               # near H = H(0) it may be tiny
load 'templates/style.gp'
set autoscale xfix
set offsets 0, 0, graph 0.06, graph 0.06
set format y number
set format x ''
set ylabel say('{/:Italic q}', '$q$')
plot for [m=1:methods] data index 0 using 1:m+1 with linespoints linestyle m pointnumber 6
unset offsets
set logscale y
set yrange [low/3 : high*3]
set format y power
set format x number
set xlabel time
set ylabel say('|{/:Italic H} − {/:Italic H}(0)|', '$|H-H(0)|$')
plot data index 0 using 1:methods+2 with lines linewidth 1.4 linecolor rgb 'black'
load 'templates/legend.gp'
