# The least singular value, signed, with the crossings as marks, and below it the largest multiplier
# along the run. Blocks of data, one for each method: the singular value; the multiplier; the
# crossings. Columns: time, minimum, mean, maximum, size; of the crossings: time, value.
down = 2; across = 1; tall = 3.9
load 'templates/style.gp'
set xrange [0:until]
load 'templates/exits.gp'
set ylabel 'least singular value'
set format y number
set format x ''
limit = num(range_1, 3) > 0 ? 1.3*num(range_1, 3) : 1        # a run that stopped may have exploded
set yrange [-limit<*<0:limit]; set offsets 0, 0, 0, graph 0.06
plot for [m=1:methods] data index m-1 using 1:3 with lines linestyle m, \
     for [m=1:methods] data index 2*methods + m-1 using 1:2 with points linestyle m
unset offsets
set logscale y
set format y power
set ylabel say('max |{/:Italic λ}|', '$\max|\lambda|$')
set format x number
set xlabel time
set yrange [from(2):to(2)]
plot for [m=1:methods] data index methods + m-1 using 1:5 with lines linestyle m
load 'templates/legend.gp'
