# Ranges of logarithmic axes from the data of curves: least to largest of column x_column, low to
# high of y_column. A short x axis has tics at 1, 2 and 5, unless decades is set.
set autoscale
row(x) = strcol(1) eq sprintf('%.9g', x)                   # true in rows of numbers, x = $1
is(c) = row(column(1)) && column(c) > 0 ? column(c) : NaN
stats data using (is(x_column)) name 'X' nooutput
stats data using (is(y_column)) name 'Y' nooutput
least = exists('X_min') ? X_min : 1; largest = exists('X_max') ? X_max : 10
low = exists('Y_min') ? Y_min : 1e-17; high = exists('Y_max') ? Y_max : 1e-15
short = width/across > 6 && largest < 100*least && !exists('decades')
if (short) { do for [d=-12:6] { set xtics add (10.0**d, 2*10.0**d, 5*10.0**d) } }
stepped = short ? number : power
