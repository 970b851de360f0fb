# A mechanism's run: a few states, light to dark, over the path of a point; with type='gif' an
# animation of the first method. Runs of several methods are drawn over each other, the first one
# with the widest lines. A block of data is a method; each state has `parts` rows, and the last of
# them is the point with a path.
# Columns: time; a place x, y, z; dx, dy, dz from there to the end of a line; and what it is: 0 a
# rod, 1 a spring, 2 a fixed point, 3 a point.
down = 1; across = 1; data = name.'.dat'
set datafile separator "\t" columnheaders
set angles degrees
# Space in parallel projection, z upwards, seen from 30° beside and 20° above.
right(x, y, z) = space ? y*cos(30) - x*sin(30) : x
up(x, y, z) = space ? z*cos(20) - (x*cos(30) + y*sin(30))*sin(20) : y
x_of(c) = right(column(c), column(c + 1), column(c + 2))
y_of(c) = up(column(c), column(c + 1), column(c + 2))
is(part) = $8 == part ? x_of(2) : NaN
rod = 'using (is(0)):(y_of(2)):(x_of(5)):(y_of(5)) with vectors nohead'
spring = 'using (is(1)):(y_of(2)):(x_of(5)):(y_of(5)) with vectors nohead'
ground = 'using (is(2)):(y_of(2)) with points pointtype 5'
point = 'using (is(3)):(y_of(2)) with points pointtype 7'

# The box of the first run and of all that reached their end, with the same scale on both axes.
do for [m=1:words(states)] {
  if (m == 1 || word(finished, m) eq '1') {
    stats data index m - 1 using (x_of(2)):(y_of(2)) name 'A' nooutput
    left = m == 1 || A_min_x < left ? A_min_x : left
    far = m == 1 || A_max_x > far ? A_max_x : far
    bottom = m == 1 || A_min_y < bottom ? A_min_y : bottom
    top = m == 1 || A_max_y > top ? A_max_y : top
  }
}
box = 1.1*(far - left > (top - bottom)/1.25 ? far - left : (top - bottom)/1.25)
ratio = 1.1*(top - bottom) > 0.5*box ? 1.1*(top - bottom)/box : 0.5
middle_x = (left + far)/2; middle_y = (bottom + top)/2
if (type eq 'gif') {
  set encoding utf8
  set terminal gif animate delay 5 size 480, 60 + int(420*ratio)
  set output name.'.gif'
  set xrange [middle_x - box/2 : middle_x + box/2]
  set yrange [middle_y - ratio*box/2 : middle_y + ratio*box/2]
  set size ratio -1
  unset key
  do for [k=1:int(word(states, 1))] {
    set title sprintf('state %d of %s', k, word(states, 1))
    begin = (k - 1)*parts; end = k*parts - 1; trail = (k > 40 ? k - 40 : 1)*parts - 1
    plot data index 0 every parts::trail::end using (x_of(2)):(y_of(2)) w dots lt rgb '#0072B2', \
         data index 0 every ::begin::end @rod lw 2 lt rgb '#0072B2', \
         data index 0 every ::begin::end @spring lw 1 lt rgb '#0072B2', \
         data index 0 every ::begin::end @ground ps 0.6 lt rgb '#606060', \
         data index 0 every ::begin::end @point lt rgb '#0072B2'
  }
  set output
  exit
}

tall = ratio*(width - 2.3)
load 'templates/style.gp'
set xrange [middle_x - box/2 : middle_x + box/2]
set yrange [middle_y - ratio*box/2 : middle_y + ratio*box/2]
set format xy number
set xlabel space ? 'across the line of sight' : say('{/:Italic x}', '$x$')
set ylabel space ? 'upwards, seen from 30° beside and 20° above' : say('{/:Italic y}', '$y$')
begin(m, s) = parts*int((s - 1.0)*(at(states, m) - 1)/(stills - 1))
end(m, s) = begin(m, s) + parts - 1
shade(m, s) = sprintf('#%02x', 200*(stills - s)/stills).substr(tint(m), 2, 7)
broad(m) = 1 + 0.8*(methods - m)
lx = 1; ly = 1                     # a line of the path is drawn where its points are close
close(x, y) = (d = abs(x - lx) + abs(y - ly), lx = x, ly = y, d < 0.08*box ? x : NaN)
plot data index 0 every ::0::parts-1 @ground ps 0.3 lt rgb '#606060', \
  for [m=1:methods] data index m-1 every parts::parts-1 using (close(x_of(2), y_of(2))):(y_of(2)) \
    with lines lw 0.7 lt rgb '#80'.substr(tint(m), 2, 7), \
  for [m=1:methods] data index m-1 every parts::parts-1 using (x_of(2)):(y_of(2)) \
    with points pt 7 ps 0.12 lt rgb '#80'.substr(tint(m), 2, 7), \
  for [s=1:stills] for [m=1:methods] data index m-1 every ::begin(m, s)::end(m, s) \
    @rod lw 1.4*broad(m) lt rgb shade(m, s), \
  for [s=1:stills] for [m=1:methods] data index m-1 every ::begin(m, s)::end(m, s) \
    @spring lw 0.7*broad(m) dashtype 3 lt rgb shade(m, s), \
  for [s=1:stills] for [m=1:methods] data index m-1 every ::begin(m, s)::end(m, s) \
    @point ps 0.4*sqrt(broad(m)) lt rgb shade(m, s)
load 'templates/legend.gp'
