# A table: places with a colour and a text, names of rows on the left, heads of columns above.
# Blocks of data: the places; names of the rows; heads of the columns; what the columns are. Columns
# of the places: column, row, colour, text.
down = 1; across = 1
top = turned ? 0.11*longest_head + 0.3 : 0.46        # cm
tall = 0.36*lines_of_map + top
names = 0.14*longest + 0.3
names = names > 0.6*width ? 0.6*width : names
place = (width - 0.3 - names)/columns
place = place > 1.8 ? 1.8 : place
load 'templates/style.gp'
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen (below - 0.9)/height
unset border; unset tics
set xrange [0.5 - names/place : 0.5 + (width - names)/place]
set yrange [lines_of_map + 0.5 : 0.5 - top/0.36]
set style fill solid 1 noborder
marked = 4 + tex
edge = 0.5 - 0.15/place; head = turned ? 0.3 : 0.1   # of names, left of and above the places
plot data index 0 using 1:2:(0.5 - 0.02/place):(0.45):3 with boxxyerror linecolor rgb variable, \
     data index 0 using 1:2:marked with labels center noenhanced font small, \
     data index 1 using (edge):1:named with labels right noenhanced font small, \
     data index 2 using 1:(turned ? head : NaN):named \
       with labels left rotate by 90 noenhanced font small, \
     data index 2 using 1:(turned ? NaN : head):named with labels center noenhanced font small, \
     data index 3 using (edge):(head):named with labels right noenhanced font small
sample = 'points pointtype 5 pointsize 1.5 linecolor rgb int(word(colours, at(legend, i)))'
load 'templates/legend.gp'
