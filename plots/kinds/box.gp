# The box around the places @px, @py of all blocks of data with a 1 in counts: broad by high, around
# middle_x, middle_y. Panels are `ratio` times as high as wide.
set datafile separator "\t"; set datafile columnheaders
left = 1e300; right = -1e300; bottom = 1e300; top = -1e300
do for [m=1:words(counts)] {
  if (word(counts, m) eq '1') {
    stats name.'.dat' index m-1 using (@px):(@py) name 'A' nooutput
    left = A_min_x < left ? A_min_x : left; right = A_max_x > right ? A_max_x : right
    bottom = A_min_y < bottom ? A_min_y : bottom; top = A_max_y > top ? A_max_y : top
  }
}
broad = right > left ? 1.1*(right - left) : 1; high = top > bottom ? 1.1*(top - bottom) : 1
if (equal) {
  ratio = high < 0.5*broad ? 0.5 : high > 1.25*broad ? 1.25 : high/broad
  broad = high/ratio > broad ? high/ratio : broad; high = ratio*broad
}
middle_x = (left + right)/2; middle_y = (bottom + top)/2
set xrange [middle_x - broad/2 : middle_x + broad/2]
set yrange [middle_y - high/2 : middle_y + high/2]
# Labels such as -0.8 take a centimetre.
room = broad/(width - 2.5)
tic = 10.0**ceil(log10(room))
set xtics tic/5 >= room ? tic/5 : tic/2 >= room ? tic/2 : tic
down = 1; across = 1; tall = ratio*(width - 2.3)
