# Performance profiles: the fraction of tests in which a method needs at most a given multiple of
# the cost of the best one. There is one block of data per method, with a mark at every stride-th
# step. Columns: ratio to the best method, fraction.
plot for [m=1:curves] data index block(m) using 1:2 with steps linestyle m, \
     for [m=1:curves] data index block(m) using 1:(int($0)%stride ? NaN : $2) with points linestyle m
