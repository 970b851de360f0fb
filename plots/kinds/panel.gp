# Draws a panel: sets its rectangle, axes and legend according to NAME.gp, and then loads the
# template of its kind. In that template, m = 1 … curves are the methods of the panel from back to
# front, and also the numbers of their line styles. block(m) is the index of a method's data block,
# and own(list, m) is its value in a list of NAME.gp.
panel = panel + 1
column = (panel - 1)%across; line = (panel - 1)/across
box = (width - left - right - (across - 1)*between)/across
left_x = left + column*(box + between); base_y = height - top - line*(tall + gap) - tall
set lmargin at screen left_x/width; set rmargin at screen (left_x + box)/width
set bmargin at screen base_y/height; set tmargin at screen (base_y + tall)/height
with_x = !shared_x || panel + across > panels; with_y = !shared_y || column == 0

# Lines with many oscillations (`dense`) are thin and have no marks.
curves = 0; places = ''; ids = ''; thin_ones = ''
thin(m) = at(thin_ones, m)
do for [id in front] {
  place = pos(of, id, 1)
  if (place > 0) {
    curves = curves + 1; places = places.' '.place; ids = ids.' '.id
    set style line curves @styled
    thin_ones = thin_ones.(exists('dense') ? dense ne '' && at(dense, place) ? ' 1' : ' 0' : ' 0')
    if (thin(curves)) { set style line curves linewidth 0.7 pointtype -1 }
  }
}
dense = ''
block(m) = first + at(places, m) - 1
own(list, m) = num(list, at(places, m))
tint(m) = code(look('colour', word(ids, m)))
solid(m) = at(filled, pos(marks, look('mark', word(ids, m)), 1))
hollow(m) = solid(m) - 1
# Curves behind others that coincide with them are drawn wide and pale, and those in front dashed.
behind(m) = look('size', word(ids, m)) > 1.5      # set by the layout
crowd = 0
do for [m=1:curves] { crowd = crowd + behind(m) }
stroke = 'linewidth 1.4 + 1.4*behind(m) ' \
  .'dashtype behind(m) ? 1 : crowd ? 2 : pos(dashes, look("line", word(ids, m)), 1) ' \
  .'linecolor rgb (behind(m) ? "#70" : "#00").tint(m)[2:7]'
lesser(m) = word(wide, pos(marks, look('mark', word(ids, m)), 1))*look('size', word(ids, m)) \
  *(look('hollow', word(ids, m)) ? 0.5 : 1)    # hollow points of hollow styles are smaller
name_of(m) = look('name', word(ids, m))
words_of(m) = look('words', at(places, m))
key_text(m) = keyed eq 'words' ? words_of(m)[3:*] : name_of(m).words_of(m)

# Labels have fixed positions on the page, which are the same for all terminals.
middle_x = (left_x + box/2)/width; middle_y = (base_y + tall/2)/height
mark = lettered && type ne 'gif' ? '('.'abcdefghijklmnopqrstuvwxyz'[panel:panel].')' : ''
set label 1 title left at screen (left_x + (mark ne '' ? 0.52 : 0))/width, \
  screen (base_y + tall + (line == 0 ? top - 0.2 : 0.2))/height
set label 5 mark left at screen left_x/width, screen (base_y + tall + 0.2)/height
set label 2 (with_x ? xlabel : '') at screen middle_x, screen (base_y - 0.58)/height center
set label 3 (with_y ? ylabel : '') \
  at screen (left_x - (with_y && column > 0 ? left - 0.1 : left) + 0.22 \
  + (exists('indent') ? indent eq '' ? 0 : num(indent, 1) : 0))/width, screen middle_y center rotate
indent = ''
unset key
set autoscale; set xtics autofreq; set ytics autofreq
if (log_x) { set logscale x }
if (log_y) { set logscale y }
set xrange [@x]
set yrange [@y]
begin_x = x[1:strstrt(x, ':')-1]; end_x = x[strstrt(x, ':')+1:*]
begin_y = y[1:strstrt(y, ':')-1]; end_y = y[strstrt(y, ':')+1:*]
least = @begin_x + 0.0; largest = @end_x + 0.0; floor_y = @begin_y + 0.0; ceiling_y = @end_y + 0.0
broad = largest - least; high = ceiling_y - floor_y
# A logarithmic axis that spans less than half a decade has equally spaced tics. A longer one has
# tics at 1, 2 and 5, or at 1 and 3. A very long one has tics at powers of ten.
decades_x = log_x ? log10(largest/least) : 0; decades_y = log_y ? log10(ceiling_y/floor_y) : 0
short_x = log_x ? decades_x < 0.6*box && decades_x < 2.2 \
  && (least > 4e-4 || decades_x < 1) : 0
powers_y = log_y ? floor(log10(ceiling_y)) - ceil(log10(floor_y)) + 1 : 0
short_y = log_y ? (decades_y < 0.8*tall && decades_y < 1.3) || powers_y < 2 : 0
close_x = log_x ? decades_x > 0.28*box : 0
if (short_x && decades_x < 0.5) {
  pitch_x = tidy(broad/0.8/box); set xtics (0)
  do for [k=ceil(least/pitch_x):floor(largest/pitch_x)] { set xtics add (k*pitch_x) }
}
if (short_x && decades_x >= 0.5) { do for [d=-12:9] { if (close_x) {
  set xtics add (10.0**d, 3*10.0**d)
} else {
  set xtics add (10.0**d, 2*10.0**d, 5*10.0**d)
} } }
if (short_y) { do for [d=-40:9] { if (decades_y > 0.6*tall) {
  set ytics add (10.0**d, 3*10.0**d)
} else {
  set ytics add (10.0**d, 2*10.0**d, 5*10.0**d)
} } }
set mxtics default; set mytics default
if (!log_x) { set mxtics }
if (!log_y) { set mytics }
if (log_x && !short_x) {
  s = ceil(decades_x/(box/1.1)); set xtics 10.0**(-s*ceil(40.0/s)),10.0**s,1e40
  if (s > 1) { unset mxtics } else { set mxtics default }
}
if (log_y && !short_y) {
  s = ceil(decades_y/(tall/0.55)); set ytics 10.0**(-s*ceil(40.0/s)),10.0**s,1e40
  if (s > 1) { unset mytics } else { set mytics default }
}
# A logarithmic axis can include zero, to the left of a break.
if (exists('zero') ? zero > 0 : 0) {
  begin_x = broken**2/zero; decades_x = log10(largest/begin_x)
  short_x = decades_x < 2.6; close_x = decades_x > 0.28*box
  set xtics ((with_x ? shrunk(math('0')) : '') zero)
  do for [d=floor(log10(broken)):floor(log10(largest))] { do for [k=1:9] {
    v = k*10.0**d; named_x = k == 1 || short_x && (close_x ? k == 3 : k == 2 || k == 5)
    if (v > 0.999*begin_x && v <= largest) {
      if (named_x) { set xtics add (v) } else { set xtics add ('' v 1) }
    }
  } }
  at_break = log(broken/least)/log(largest/least)
  set object 150 polygon from graph at_break - 0.08/box,graph -0.12/tall \
    to graph at_break,graph -0.12/tall to graph at_break + 0.08/box,graph 0.12/tall \
    to graph at_break,graph 0.12/tall front fillcolor rgb 'white' fillstyle solid noborder
  do for [k=0:1] {
    set arrow 150+k from graph at_break + (k - 1)*0.08/box,graph -0.12/tall \
      to graph at_break + k*0.08/box,graph 0.12/tall nohead front linewidth 0.9
  }
}
set format x (!with_x ? '' : log_x && !short_x ? power : number)
set format y (!with_y ? '' : log_y && !short_y ? power : number)

# Reserve a strip at the bottom for a line of text; nothing else is drawn there.
stripped = exists('strip') ? strip ne '' : 0
share = stripped ? 0.46/tall : 0
lowest = log_y ? floor_y*(ceiling_y/floor_y)**share : floor_y + share*high
above(v) = stripped && v < lowest ? NaN : v
raised(v) = stripped && v < lowest ? lowest : v
begin_tics = stripped && log_y && !short_y ? 10.0**(s*ceil(log10(lowest)/s - 0.01)) : ceiling_y
if (begin_tics < ceiling_y && ceiling_y < 1e40) { set ytics begin_tics,10.0**s,1e40 }
if (stripped) {
  set object 152 rectangle from graph 0,0 to graph 1,share back \
    fillcolor rgb '#eeeeee' fillstyle solid noborder
  set arrow 152 from graph 0,share to graph 1,share nohead back linewidth 0.9
  if (exists('zero') ? zero > 0 : 0) {    # beside the break of the axis
    set label 4 shrunk(strip) at graph 1, graph 0.27/tall offset -0.8,0 right noenhanced font small
  } else {
    set label 4 shrunk(strip) at graph 0, graph 0.27/tall offset 0.8,0 left noenhanced font small
  }
}
strip = ''

# Draw grey lines. Each has two end points and a label at a third point.
do for [k=1:tags] {
  tag = value('tag_'.k)
  set arrow 200+k from num(tag, 1),raised(num(tag, 2)) to num(tag, 3),raised(num(tag, 4)) \
    nohead back linewidth 1 linecolor rgb grey
  set label 200+k shrunk(value('tag_text_'.k)) at num(tag, 5),num(tag, 6) center font small \
    textcolor rgb grey
}
# At the ends of curves, write the texts after names inside the panel, and the names to the right of
# the last panel in the row.
ended = exists('ends_at') ? ends_at ne '' : 0
inner = exists('ends_x') ? ends_x ne '' : 0
topmost = 0
last = legend eq 'ends' && (column == across - 1 || panel == panels)
do for [m=1:(ended ? curves : 0)] {
  if (inner) {
    set label 300+m shrunk(words_of(m)[3:*]) at graph num(ends_x, 1), graph own(ends_at, m) \
      left noenhanced font small textcolor linestyle m
    topmost = own(ends_at, m) > topmost ? own(ends_at, m) : topmost
  }
  if (last) {
    set label 400+m shrunk(name_of(m).(inner || key ne '' ? '' : words_of(m))) \
      at screen (left_x + box + 0.17)/width, graph own(ends_at, m) left noenhanced font small textcolor linestyle m \
      point linestyle m offset 0.6,-0.25
  }
}
if (inner && (exists('heading') ? heading ne '' : 0)) {
  set label 300 shrunk(heading) at graph num(ends_x, 1), graph topmost + 0.31/tall left font small \
    textcolor rgb grey
}
ends_at = ''; ends_x = ''; heading = ''
if (key ne '') {
  key_x = left_x + num(key, 1)*box; key_y = base_y + num(key, 2)*tall
  load 'templates/key.gp'
}
eval more
load 'templates/'.kind.'.gp'
unset label; unset arrow; unset object; unset logscale; unset offsets
zero = 0
set size noratio
