# The energy in a precision minus that in quad along the run, as the root mean square over starts
# and over times within a factor of 1.25. Grey lines show a random walk (Brouwer's law) and a drift.
# There is one block of data per method. Columns: time, difference.
plot for [m=1:curves] data index block(m) using 1:($2 > 0 ? $2 : NaN) \
       with linespoints linestyle m pointnumber 6
