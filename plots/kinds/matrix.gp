# A row for each method, a column for each claim, step or value of an option: places with a colour
# and a text. Long heads of columns are turned.
# Blocks of data: the places; names of the rows; heads of the columns; what the columns are. Columns
# of the places: column, row, colour, text.
down = 1; across = 1
top = turned ? 0.11*longest_head + 0.3 : 0.46        # cm
row = turned ? 0.4 : 0.46
tall = row*lines_of_map + top
beside = turned ? 0.55*top : 0.3
names = 0.155*longest + 0.3
widest = names + columns*(turned ? 1.15 : 2) + beside
width = width > widest && turned ? widest : width
load 'templates/style.gp'
names = names > 0.6*width ? 0.6*width : names
place = (width - beside - names)/columns
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen (below - 0.9)/height
unset border; unset tics
set xrange [0.5 - names/place : columns + 0.5 + beside/place]
set yrange [lines_of_map + 0.5 : 0.5 - top/row]
set style fill solid 1 noborder
head = turned ? 0.35 : 0.1; edge = 0.5 - 0.15/place      # of names, left of the first column
plot data index 0 using 1:2:(0.47):(0.44):3 with boxxyerror linecolor rgb variable, \
     data index 0 using 1:2:4 with labels center noenhanced font small, \
     data index 1 using (edge):1:named with labels right noenhanced font small, \
     data index 2 using 1:(turned ? head : NaN):named \
       with labels left rotate by 60 noenhanced font small, \
     data index 2 using 1:(turned ? NaN : head):named with labels center noenhanced font small, \
     data index 3 using (edge):(head):named with labels right noenhanced font small
sample = 'points pointtype 5 pointsize 1.5 linecolor rgb int(word(colours, at(legend, i)))'
load 'templates/legend.gp'
