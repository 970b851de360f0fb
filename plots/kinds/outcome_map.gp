# Outcomes of the cells of a singular study: a row for each method, a column for each step or value
# of an option, a colour and a letter for each outcome.
# Blocks of data: the cells; the names of the rows; the names of the columns. Columns of the cells:
# column, row, outcome, error, branch, since.
keys = 1; down = 1; across = 1; tall = 0.46*(lines_of_map + 1)
load 'templates/style.gp'
names = 0.14*longest + 0.5                # cm
names = names > 0.6*width ? 0.6*width : names
place = (width - 0.3 - names)/columns     # cm
set lmargin at screen 0
set rmargin at screen 1 - 0.3/width
set bmargin at screen (below - 0.9)/height
unset border; unset tics
set xrange [0.5 - names/place : columns + 0.5]
set yrange [lines_of_map + 0.6 : -0.5]
plot for [f=1:methods] data index 0 using ($3 == f ? $1 : NaN):2:(0.47):(0.44) \
       with boxxyerror fillcolor rgb tint(f) \
       fillstyle transparent solid 0.45 noborder, \
     data index 0 using 1:2:(letters[int($3):int($3)]) with labels center font small, \
     data index 1 using (0.4):2:named with labels right noenhanced font small, \
     data index 2 using ($1 == 0 ? 0.4 : NaN):2:named with labels right noenhanced font small, \
     data index 2 using ($1 > 0 ? $1 : NaN):2:named with labels center noenhanced font small
sample = 'points pointtype 5 pointsize 1.5 linecolor rgb tint(at(legend, i))'
load 'templates/legend.gp'
