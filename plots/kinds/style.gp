# Settings shared by all figures: the terminal for `type`; colours, dashes and marks of methods;
# places of panels and legend. Lengths are in cm. Before this file a template sets down and across,
# the numbers of panels, and tall, the height of one; it may also set
#   gap: space between rows of panels; at least 1.1 if each has an x axis
#   room: space below each row of panels, for legends in the panels
#   titled: true if panels have titles
gap = exists('gap') ? gap : 0.3; room = exists('room') ? room : 0
titled = exists('titled') ? titled : 0
data = name.'.dat'
tex = type eq 'tex'
named = 2 + tex         # the column of a text after a number: plain, or for LaTeX
say(plain, latex) = tex ? latex : plain                   # each fixed text has both forms
at(list, k) = k > words(list) ? 1 : int(word(list, k))
num(list, k) = word(list, k) eq 'NaN' ? NaN : word(list, k) + 0
from(k) = num(value('range_'.k), 1)                       # the range of panel k
to(k) = num(value('range_'.k), 2)
methods = words(styles)
set encoding utf8
set datafile separator "\t"; set datafile columnheaders; set datafile missing '?'

# ---- the page: text of 8 and 7 points in print; SVG counts in 1/96 inch, PNG has 300 dots an inch
keys = width < 16 || words(legend) < 4 ? 1 : 2            # columns of the legend, of whole entries
whole(k) = at(legend, k + 1) == 0 ? whole(k + 1) : k
lines = heads + notes + whole((words(legend) + keys - 1)/keys)
below = 1.35 + room + 0.36*lines
above = titled ? 0.7 : 0.3
height = above + down*tall + (down - 1)*gap + below
small = type eq 'svg' ? 'Helvetica,9.33' : 'Helvetica,7'
if (type eq 'pdf') {
  set terminal pdfcairo size width cm, height cm font 'Helvetica,8' fontscale 0.75 linewidth 0.8
}
if (type eq 'svg') {
  set terminal svg size width*37.8, height*37.8 dynamic font 'Helvetica,10.67' linewidth 0.8 \
    background rgb 'white'
}
if (type eq 'png') {
  set terminal pngcairo size width*118.1, height*118.1 font 'Helvetica,8' fontscale 3.125 \
    linewidth 2.5 pointscale 3.125
}
if (tex) {
  set terminal cairolatex pdf size width cm, height cm linewidth 1.1 \
    header '\fontsize{8}{9.5}\selectfont'
}
set output tex ? name.'-latex.tex' : name.'.'.type

# ---- methods: a number in `styles` gives colour (Okabe & Ito 2008), dashes and mark
array colour[7] = ['#0072B2', '#D55E00', '#009E73', '#000000', '#CC79A7', '#E69F00', '#56B4E9']
set dashtype 2 (12,5); set dashtype 3 (3,4); set dashtype 4 (12,4,3,4); set dashtype 5 (20,6)
tint(m) = colour[1 + at(styles, m)%7]
mark(m) = 5 + 2*word('1 0 2 3 4 5', 1 + at(styles, m)%6)  # filled; the open mark is one less
wide(m) = word('0.42 0.38 0.48 0.48 0.54 0.46', 1 + at(styles, m)%6)
size(m) = wide(m)*word('1.65 1.3 1 0.7', 1 + (m - 1)%4)   # coinciding marks are nested
do for [m=1:methods] {
  set style line m linecolor rgb tint(m) linewidth 1.4 dashtype 1 + at(styles, m)%5 \
    pointtype mark(m) pointsize size(m)
}

# ---- axes
set border 15 linewidth 0.9
set tics front scale 0.7,0.35
set minussign
set style fill transparent solid 0.3 noborder
unset key
set xlabel offset 0,(type eq 'svg' ? 0.7 : 0.3)
set ylabel offset (tex ? 0 : 0.5),0
set title offset 0,(type eq 'svg' ? -0.4 : -0.7)
grey = '#808080'; leftmost(k) = across == 1 || k % across == 1
math(x) = say(x, '$'.x.'$')
letter(x) = say('{/:Italic '.x.'}', x eq 'λ' ? '\lambda' : x)
power = math('10^{%T}')
number = math('%h')
energy_unit = unit eq ' (s)' ? ' (J)' : ''                # of problems in SI units
symbol(x, k) = math(letter(x).'_{'.k.'}')
time = 'time '.math(letter('t')).unit
step = 'step '.math(letter('h')).unit
decade(range) = 10**floor(log10(range))
tidy(range) = decade(range)*(range < 2*decade(range) ? 0.5 : range < 5*decade(range) ? 1 : 2)
pitch = type eq 'svg' ? 0.97 : 1.03                       # the line height of a legend
set multiplot layout down,across margins screen 1.9/width, 1 - 0.55/width, below/height, \
  1 - above/height spacing screen 0.5/width, gap/height
