# A mechanism's run: a few states, light to dark, over the path of a point. Runs of several methods
# are drawn over each other, the first one with the widest lines.
# Blocks of data: fixed curves; fixed points; then for each method its path and its states,
# separated by blank lines.
# Columns of the states: time, x, y, dx, dy, and 0 for a line, 1 for a spring, 2 for a point.
down = 1; across = 1; tall = ratio*(width - 2.3)
load 'templates/style.gp'
set xrange [left:right]
set yrange [bottom:top]
set format xy number
set xlabel space ? 'across the line of sight' : say('{/:Italic x}', '$x$')
set ylabel space ? 'upwards, seen from 30° beside and 20° above' : say('{/:Italic y}', '$y$')
state(m, s) = stills > 1 ? (s - 1)*(at(states, m) - 1)/(stills - 1) : 0
shown(m, s) = sprintf('#%02x', 200*(stills - s)/stills).substr(tint(m), 2, 7)
broad(m) = 1 + 0.8*(methods - m)
plot data index 0 using 1:2 with lines linewidth 0.9 linecolor rgb '#909090', \
     data index 1 using 1:2 with points pointtype 5 pointsize 0.3 linecolor rgb '#606060', \
     for [m=1:methods] data index 2*m using (at(joined, m) ? $2 : NaN):3 \
       with lines linewidth 0.7 linecolor rgb '#80'.substr(tint(m), 2, 7), \
     for [m=1:methods] data index 2*m using (at(joined, m) ? NaN : $2):3 \
       with points pointtype 7 pointsize 0.12 linecolor rgb '#80'.substr(tint(m), 2, 7), \
     for [s=1:stills] for [m=1:methods] data index 2*m+1 every :::state(m, s)::state(m, s) \
       using ($6 == 0 ? $2 : NaN):3:4:5 \
       with vectors nohead linewidth 1.4*broad(m) linecolor rgb shown(m, s), \
     for [s=1:stills] for [m=1:methods] data index 2*m+1 every :::state(m, s)::state(m, s) \
       using ($6 == 1 ? $2 : NaN):3:4:5 \
       with vectors nohead linewidth 0.7*broad(m) dashtype 3 linecolor rgb shown(m, s), \
     for [s=1:stills] for [m=1:methods] data index 2*m+1 every :::state(m, s)::state(m, s) \
       using ($6 == 2 ? $2 : NaN):3 \
       with points pointtype 7 pointsize 0.4*sqrt(broad(m)) linecolor rgb shown(m, s)
load 'templates/legend.gp'
