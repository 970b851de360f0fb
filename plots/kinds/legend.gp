# The legend, below the panels: a description of the figure, a line for each method by gnuplot's own
# legend, and notes.
if (!exists('sample')) sample = 'linespoints linestyle at(legend, i) > 0 ? at(legend, i) : 100'
unset title; unset xlabel; unset ylabel; unset border; unset tics; unset logscale; unset label
unset arrow; unset object; set size noratio; unset offsets
set style line 100 linecolor bgnd pointtype -1      # for rows that continue the one above
set lmargin at screen 0; set rmargin at screen 1; set bmargin at screen 0; set tmargin at screen 1
set xrange [0:width]; set yrange [0:height]
high = below - 1.15 - room
each = lines - heads - notes              # rows of a column, the last of which is filled up
padding = keys*each == words(legend) ? '' : \
  ", for [i=words(legend)+1:keys*each] NaN with lines linestyle 100 title ' '"
set key at screen 0.1/width, screen (high - 0.36*heads - 0.03)/height left top Left reverse \
  samplen 2.2 spacing pitch width 0 height 0 vertical maxrows each noenhanced font small
plot for [i=1:heads+notes] data index rows-1 every ::i-1::i-1 \
       using (0.2):(high - 0.2 - 0.36*(i <= heads ? i - 1 : lines - notes - heads + i - 1)):named \
       with labels left noenhanced font small notitle, \
     for [i=1:words(legend)] data index rows+i-1 using (-1):(-1) \
       with @sample title columnheader(1 + tex) @padding
unset multiplot
set output
