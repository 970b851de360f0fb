# The least singular value, signed, with the crossings as marks, and below it the largest multiplier
# along the run.
# Blocks of data, one for each method: the singular value; the multiplier; the crossings.
# Columns: time, minimum, mean, maximum, size; of the crossings: time, value.
down = 2; across = 1; tall = 3.9
load 'templates/style.gp'
set xrange [0:until]
load 'templates/exits.gp'
set ylabel 'least singular value'
set format y number
set format x ''
lowest = num(extent_1, 1) < 0 ? num(extent_1, 1) : 0; highest = num(extent_1, 2)
set yrange [lowest - 0.06*(highest - lowest) : highest + 0.24*(highest - lowest)]
plot for [m=1:methods] data index m-1 using 1:3 with lines linestyle m, \
     for [m=1:methods] data index 2*methods + m-1 using 1:2 with points linestyle m
set logscale y
set format y power
set ylabel say('max |{/:Italic λ}|', '$\max|\lambda|$')
set format x number
set xlabel time
set yrange [from(2):to(2)]
plot for [m=1:methods] data index methods + m-1 using 1:5 with lines linestyle m
load 'templates/legend.gp'
