# A mechanism in motion as an animated GIF: one frame for each state. Data as in motion.gp, with one
# run.
data = name.'.dat'
set encoding utf8
set datafile separator "\t"
set terminal gif animate delay 5 size 480, 60 + int(420*ratio)
set output name.'.gif'
set xrange [left:right]
set yrange [bottom:top]
set size ratio -1
unset key
do for [k=0:last-1] {
  set title sprintf('state %d of %d', k + 1, last)
  plot data index 0 using 1:2 with lines linewidth 1 linecolor rgb '#909090', \
       data index 1 using 1:2 with points pointtype 5 pointsize 0.6 linecolor rgb '#606060', \
       data index 2 every ::(k > 40 ? k - 40 : 0)::k using 2:3 with dots linecolor rgb '#0072B2', \
       data index 3 every :::k::k using ($6 == 0 ? $2 : NaN):3:4:5 \
         with vectors nohead linewidth 2 linecolor rgb '#0072B2', \
       data index 3 every :::k::k using ($6 == 1 ? $2 : NaN):3:4:5 \
         with vectors nohead linewidth 1 linecolor rgb '#0072B2', \
       data index 3 every :::k::k using ($6 == 2 ? $2 : NaN):3 \
         with points pointtype 7 linecolor rgb '#0072B2'
}
set output
