# Ranges of logarithmic axes from the data of curves: least to largest of column x_column (default
# 1), low to high of column 2. A short x axis has tics at 1, 2 and 5 unless decades is set.
set autoscale
row(x) = strcol(1) eq sprintf('%.9g', x)                   # true in rows of numbers, x = $1
is(c) = row(column(1)) && column(c) > 0 ? column(c) : NaN
stats data using (is(exists('x_column') ? x_column : 1)) name 'X' nooutput
stats data using (is(2)) name 'Y' nooutput
least = exists('X_min') ? X_min : 1; largest = exists('X_max') ? X_max : 10
low = exists('Y_min') ? Y_min : 1e-17; high = exists('Y_max') ? Y_max : 1e-15
short = largest < (width/across > 6 ? 100 : 10)*least && !exists('decades')
if (short) { do for [d=-12:6] { set xtics add (10.0**d, 2*10.0**d, 5*10.0**d) } }
if (largest > 3e7*least && width/across < 10) { set xtics 100 }
stepped = short ? number : power
