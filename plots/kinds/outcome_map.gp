# A table of outcomes, each a letter on a light tint, with the names of methods on the left and
# column heads above. outcomes: the numbers of the outcomes in the legend. Blocks of data: the cells
# of the table; the methods; the heads; a text that explains the columns. Columns of the cells:
# column, row, outcome.
unset border; unset tics
set lmargin at screen (left_x - left)/width; set tmargin at screen (base_y + tall + 0.45)/height
set xrange [0.5 - left*columns/box : columns + 0.5]
set yrange [rows + 0.5 : 0.5 - 0.45*rows/tall]
edge = 0.5 - 0.15*columns/box; head = 0.5 - 0.2*rows/tall  # of the names, left of and above the table
set style fill solid 1 noborder
plot for [m=1:curves] data index first \
       using 1:($3 == own(outcomes, m) ? $2 : NaN):(0.5 - 0.02*columns/box):(0.45) \
       with boxxyerror linecolor rgb tint(m), \
     data index first using 1:2:(word(letters, int($3))) \
       with labels center noenhanced font small, \
     data index first+1 using (edge):1:named with labels right noenhanced font small, \
     data index first+2 using 1:(head):named with labels center noenhanced font small, \
     data index first+3 using (edge):(head):named with labels right noenhanced font small
set border; set tics
