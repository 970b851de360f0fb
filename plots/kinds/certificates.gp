# Claims and verdicts: a row for each integrator, a column for each claim. A place has the claimed
# value on the colour of its verdict.
# Blocks of data: the places; the integrators; the claims. Columns of the places: column, row,
# verdict (1 held, 2 falsified, 3 undecided, 4 not measured), claimed value.
heads_of_claims = 0.11*longest_claim + 0.3  # cm
down = 1; across = 1; tall = 0.4*lines_of_map + heads_of_claims
width = width > 0.13*longest + 1.15*columns + heads_of_claims + 0.5 ? 0.13*longest \
  + 1.15*columns + heads_of_claims + 0.5 : width
load 'templates/style.gp'
array verdict[4] = ['#a9d1ea', '#f0a878', '#e3e3e3', '#ffffff']
names = 0.13*longest + 0.4 > 0.45*width ? 0.45*width : 0.13*longest + 0.4
beside = 0.55*heads_of_claims
place = (width - beside - names)/columns  # cm
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen (below - 0.9)/height
unset border; unset tics
set xrange [0.5 - names/place : columns + 0.5 + beside/place]
set yrange [lines_of_map + 0.5 : 0.5 - heads_of_claims/0.4]
plot for [v=1:3] data index 0 using ($3 == v ? $1 : NaN):2:(0.47):(0.44) \
       with boxxyerror fillcolor rgb verdict[v] fillstyle solid noborder, \
     data index 0 using 1:2:4 with labels center noenhanced font small, \
     data index 1 using (0.4):2:named with labels right noenhanced font small, \
     data index 2 using 1:(0.35):named with labels left rotate by 60 noenhanced font small
load 'templates/legend.gp'
