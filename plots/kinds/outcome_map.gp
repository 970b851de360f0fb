# A table of outcomes, each a letter on a light tint: names of methods on the left, heads of columns
# above. Blocks of data: the places; the methods; the heads; a text that explains the
# columns. Columns of the places: column, row, outcome.
array tints[8] = [0x8cbfdc, 0xedb68c, 0x8cd2be, 0x8c8c8c, 0xe7c1d8, 0xf3d18c, 0xb3dcf4, 0xc4e3f6]
down = 1; across = 1
tall = 0.36*lines_of_map + 0.46
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
set yrange [lines_of_map + 0.5 : 0.5 - 0.46/0.36]
set style fill solid 1 noborder
edge = 0.5 - 0.15/place; head = 0.1          # of names, left of and above the places
plot data index 0 using 1:2:(0.5 - 0.02/place):(0.45):(tints[int($3)]) \
       with boxxyerror linecolor rgb variable, \
     data index 0 using 1:2:(word(letters, int($3))) with labels center noenhanced font small, \
     data index 1 using (edge):1:named with labels right noenhanced font small, \
     data index 2 using 1:(head):named with labels center noenhanced font small, \
     data index 3 using (edge):(head):named with labels right noenhanced font small
sample = 'points pointtype 5 pointsize 1.5 linecolor rgb tints[at(legend, i)]'
load 'templates/legend.gp'
