# The motion of a mechanism: a few states, from light to dark, on top of the path of a point. With
# type='gif', the figure is an animation that shows the methods side by side, with the time. The
# first method has the widest lines. Each method has one data block. Each state consists of `parts`
# rows, the last of which is the point whose path is drawn.
# Columns: time; a position x, y, z; the displacement dx, dy, dz from there to the other end of a
# line; and the kind (0 is a rod, 1 a spring, 2 a fixed point, 3 a point).
set angles degrees
across_of(x, y, z) = space ? y*cos(30) - x*sin(30) : x
up(x, y, z) = space ? z*cos(20) - (x*cos(30) + y*sin(30))*sin(20) : y
px = 'across_of($2, $3, $4)'; py = 'up($2, $3, $4)'
place(part) = sprintf('using ($8 == %d ? %s : NaN):(%s)', part, px, py)
line(part) = place(part).':(across_of($5, $6, $7)):(up($5, $6, $7)) with vectors nohead'
rod = line(0); spring = line(1)
ground = place(2).' with points pointtype 5'; point = place(3).' with points pointtype 7'
if (type eq 'gif') {
  set size ratio -1
  set lmargin -1; set rmargin -1; set tmargin -1; set bmargin -1
  unset label; unset arrow; set xtics format '%g'; set ytics format '%g'
  time = until < 10 ? 't = %.3f' : until < 1000 ? 't = %.2f' : 't = %.0f'
  frames = 0
  do for [m=1:curves] { frames = own(states, m) > frames ? own(states, m) : frames }
  do for [k=1:frames] {
    set multiplot layout 1,curves
    do for [m=1:curves] {
      last = k < own(states, m) ? k : int(own(states, m))      # a run that stopped early stays at its last state
      set title name_of(m).(k > last ? ', stopped' : '') noenhanced
      begin = (last - 1)*parts; end = last*parts - 1; trail = (last > 40 ? last - 40 : 1)*parts - 1
      plot data index block(m) every parts::trail::end using (@px):(@py) w dots lt rgb tint(m), \
           data index block(m) every ::begin::end @rod lw 2 lt rgb tint(m), \
           data index block(m) every ::begin::end @spring lw 1 lt rgb tint(m), \
           data index block(m) every ::begin::end @ground ps 0.6 lt rgb '#606060', \
           data index block(m) every ::begin::end @point lt rgb tint(m), \
           data index block(m) every ::begin::begin \
             using (least):(ceiling_y):(sprintf(time, $1)) with labels left offset 1,-1
    }
    unset multiplot
  }
  exit
}
begin(m, s) = parts*int((s - 1.0)*(own(states, m) - 1)/(stills - 1))
end(m, s) = begin(m, s) + parts - 1
shade(m, s) = sprintf('#%02x', 200*(stills - s)/stills).substr(tint(m), 2, 7)
wider(m) = 1 + 0.8*(curves - m)
lx = 1; ly = 1                     # points of the path are joined only if they are close
close(x, y) = (d = abs(x - lx) + abs(y - ly), lx = x, ly = y, d < 0.08*broad ? x : NaN)
apart(x, y) = (d = abs(x - lx) + abs(y - ly), lx = x, ly = y, d < 0.08*broad ? NaN : x)
plot data index first every ::0::parts-1 @ground ps 0.3 lt rgb '#606060', \
  for [m=1:curves] data index block(m) every parts::parts-1 using (close(@px, @py)):(@py) \
    with lines lw 0.9 lt rgb '#80'.substr(tint(m), 2, 7), \
  for [m=1:curves] data index block(m) every parts::parts-1 using (apart(@px, @py)):(@py) \
    with points pt 7 ps 0.15 lt rgb '#80'.substr(tint(m), 2, 7), \
  for [s=1:stills] for [m=1:curves] data index block(m) every ::begin(m, s)::end(m, s) \
    @rod lw 1.4*wider(m) lt rgb shade(m, s), \
  for [s=1:stills] for [m=1:curves] data index block(m) every ::begin(m, s)::end(m, s) \
    @spring lw 0.7*wider(m) dashtype 3 lt rgb shade(m, s), \
  for [s=1:stills] for [m=1:curves] data index block(m) every ::begin(m, s)::end(m, s) \
    @point ps 0.4*sqrt(wider(m)) lt rgb shade(m, s)
