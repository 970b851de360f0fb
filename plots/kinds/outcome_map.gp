# A table of outcomes. Each outcome is a letter on a light tint. Method names are on the left, and
# column headings are above. `outcomes` lists the numbers of the outcomes in the legend.
# Data blocks: the table cells; the methods; the headings; a string that explains the columns. The
# table cells have the columns: column, row, outcome.
unset border; unset tics
set lmargin at screen (left_x - left)/width; set tmargin at screen (base_y + tall + 0.45)/height
set xrange [0.5 - left*columns/box : columns + 0.5]
set yrange [rows + 0.5 : 0.5 - 0.45*rows/tall]
edge = 0.5 - 0.15*columns/box; head = 0.5 - 0.2*rows/tall  # positions of row and column names
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
