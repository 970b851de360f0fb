# Error of each block against the step: lines and filled marks in the most accurate precision, open
# marks in the others. Small marks are not in the fit; in grey areas the reference's error and
# round-off dominate; grey lines have the claimed slopes.
# Blocks of data: panel by panel, then precision by precision, then one for each method.
# Columns: step, error, in the fit, reference error and round-off, error of the best member.
down = panels > 2 && width < 12 ? 2 : 1; across = (panels + down - 1)/down
tall = panels == 1 ? 5.4 : 4.4; titled = panels > 1
room = titled ? 0.36*words(styles) : 0; gap = 1.6 + room    # for the fitted orders below a panel
load 'templates/style.gp'
load 'templates/ranges.gp'
if (members) { stats data using (is(5)) name 'B' nooutput; low = B_min < low ? B_min : low }
high = relative && low < 1 && high > 10 ? 10 : high     # beyond 10 the step was only too long
block(k, p, m) = ((k - 1)*precisions + p - 1)*methods + m - 1
all = 'for [p=1:precisions] for [m=1:methods] data index block(k, p, m)'
others = 'for [p=1:precisions-1] for [m=1:methods] data index block(k, p, m)'
set logscale xy
set xrange [least/1.35 : largest*1.35]
set yrange [low/4 : high*4]
set format x stepped
set xlabel step
set key at graph -0.02, graph -1.15/tall left top Left reverse samplen 2.2 spacing pitch \
  noenhanced font small
start = sqrt(least*largest)        # start of the lines of slopes; they end at the largest step
seen(s) = (low/4/slope(s, 1))**(1.0/order(s))  # step at which a line enters the panel
raised(p) = p == 1 ? '' : '^{'.p.'}'
order(s) = at(slopes, 2*s - 1); slope(s, h) = 0.4*word(slopes, 2*s)*h**order(s)
do for [k=1:panels] {
  slopes = exists('slopes_'.k) ? value('slopes_'.k) : ''
  if (panels > 1) { set title value('title_'.k) }
  set ylabel leftmost(k) ? error.(relative ? '' : energy_unit) : ''
  set format y leftmost(k) ? power : ''
  unset label
  do for [s=1:words(slopes)/2] {
    p = order(s)
    h = seen(s) > start/6 ? seen(s)*6 : start
    set label math(letter('h').raised(p)) \
      at h, 10**(-0.35 - 0.22*p)*slope(s, h) center font small textcolor rgb grey
  }
  plot @all using 1:4 with filledcurves y1=low/4 \
         fillcolor rgb p < precisions ? '#eeeeee' : '#dddddd' fillstyle solid noborder notitle, \
       for [s=1:words(slopes)/2] [h=start:largest] (words(slopes) < 2*s ? NaN : slope(s, h)) \
         with lines linewidth 1 linecolor rgb grey notitle, \
       @all using 1:5:(0):($2-$5) with vectors nohead linestyle m dashtype 1 notitle, \
       @all using 1:2 with lines linestyle m notitle, \
       @others using 1:2 with points linestyle m linecolor rgb 'white' \
         pointsize size(m)*1.35 notitle, \
       @others using 1:($3 > 0 ? $2 : NaN) with points linestyle m \
         pointtype mark(m)-1 pointsize size(m)*1.35 notitle, \
       for [m=1:methods] data index block(k, precisions, m) using 1:($3 > 0 ? $2 : NaN) \
         with points linestyle m notitle, \
       @all using 1:($3 > 0 ? NaN : $2) with points linestyle m \
         pointtype mark(m) - (p < precisions) pointsize size(m)*0.55 notitle, \
       for [m=1:methods*titled] data index block(k, precisions, m) using (NaN):(NaN) \
         with linespoints linestyle m title columnheader(1 + tex)
}
load 'templates/legend.gp'
