# A quantity against an option, with one block of data per method. Methods without the option are
# horizontal lines, with a point at each end of the axis. On a logarithmic axis, 0 is drawn at
# `zero`, to the left of a break, across which lines are dotted. Columns: value of the option, the
# quantity.
from_zero = 0
joined(row, x) = (from_zero = row == 0 ? zero > 0 && x == 0 : from_zero, \
  from_zero ? (x == 0 ? zero : x) : NaN)
plot for [m=1:curves] data index block(m) every ::0::1 using (joined($0, $1)):2 \
       with lines linestyle m linewidth 1 dashtype 3, \
     for [m=1:curves] data index block(m) using (zero > 0 && $1 == 0 ? NaN : $1):2 \
       with linespoints linestyle m, \
     for [m=1:curves] data index block(m) using (zero > 0 && $1 == 0 ? zero : NaN):2 \
       with points linestyle m
