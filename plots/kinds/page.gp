# The page of a figure: terminal and fonts for each `type`; colours, marks and lines of methods;
# words for labels. NAME.gp loads this file once, before the panels. Lengths are in cm. In print,
# the type sizes are 8 and 7 points. SVG uses units of 1/96 inch, and PNG has 300 dots per inch.
data = name.'.dat'
tex = type eq 'tex'
height = top + down*tall + (down - 1)*gap + below + foot
faces = font eq 'serif' ? 'Times' : 'Helvetica'
small = type eq 'gif' ? '' : faces.(type eq 'svg' ? ',9.33' : ',7')    # GIF uses its own fonts
set encoding utf8
set datafile separator "\t"; set datafile columnheaders; set datafile missing '?'
if (type eq 'pdf') {
  set terminal pdfcairo size width cm, height cm font faces.',8' fontscale 0.75 linewidth 0.8
}
if (type eq 'svg') {
  set terminal svg size width*37.8, height*37.8 dynamic font faces.',10.67' linewidth 0.8 \
    background rgb 'white'
}
if (type eq 'png') {
  set terminal pngcairo size width*118.1, height*118.1 font faces.',8' fontscale 3.125 \
    linewidth 2.5 pointscale 3.125
}
if (type eq 'gif') {
  shown = words(order) < 5 ? words(order) : 5
  set terminal gif animate delay 5 \
    size 480*words(order)/shown**0.5, 60 + int(420*tall/(width - left - right)/shown**0.5)
}
if (tex) {
  set terminal cairolatex pdf size width cm, height cm linewidth 1.1 \
    header '\fontsize{8}{9.5}\selectfont'
}
set output tex ? name.'-latex.tex' : name.'.'.type

# ---- methods: NAME.gp uses the words of study files; the colours are those of Okabe and Ito (2008)
colours = 'blue vermilion green black purple orange sky-blue grey'
codes = '#0072B2 #D55E00 #009E73 #000000 #CC79A7 #E69F00 #56B4E9 #808080'
marks = 'circle square triangle down-triangle diamond pentagon none'
filled = '7 5 9 11 13 15 -1'              # subtract one for the hollow mark
wide = '0.50 0.45 0.57 0.57 0.64 0.55 0'  # sizes that make the marks look equally large
dashes = 'solid dashed dotted dash-dotted long-dashed'
set dashtype 2 (12,5); set dashtype 3 (4,4); set dashtype 4 (12,4,3,4); set dashtype 5 (20,6)
at(list, k) = k < 1 || k > words(list) ? 1 : int(word(list, k))
pos(list, w, k) = k > words(list) ? 0 : word(list, k) eq w ? k : pos(list, w, k + 1)
code(colour) = colour[1:1] eq '#' ? colour : word(codes, pos(colours, colour, 1))
look(what, id) = value(what.'_'.id)
styled = 'linecolor rgb code(look("colour", id)) linewidth 1.4 ' \
  .'dashtype pos(dashes, look("line", id), 1) ' \
  .'pointtype at(filled, pos(marks, look("mark", id), 1)) - look("hollow", id) ' \
  .'pointsize word(wide, pos(marks, look("mark", id), 1))*look("size", id)'
front = ''
do for [id in order] { if (exists('name_'.id)) {
  if (look('colour', id)[1:1] ne '#' && pos(colours, look('colour', id), 1) == 0) {
    exit error 'found the colour '.look('colour', id).', expected #rrggbb or one of: '.colours
  }
  if (pos(marks, look('mark', id), 1) == 0) {
    exit error 'found the mark '.look('mark', id).', expected one of: '.marks
  }
  if (pos(dashes, look('line', id), 1) == 0) {
    exit error 'found the line '.look('line', id).', expected one of: '.dashes
  }
  front = front.' '.id
} }

# ---- words, plain and for LaTeX
say(plain, latex) = tex ? latex : plain
math(x) = say(x, '$'.x.'$')
letter(x) = say('{/:Italic '.x.'}', x eq 'λ' ? '\lambda' : x)
symbol(x, k) = math(letter(x).'_{'.k.'}')
named = 2 + tex            # column of a string after a number, plain or for LaTeX
shrunk(x) = say(x, '{\fontsize{7}{8}\selectfont '.x.'}')      # LaTeX ignores the fonts of labels
power = shrunk(math('10^{%T}'))
number = shrunk(math('%h'))
grey = '#808080'
tidy(x) = 10**floor(log10(x))*(x < 2*10**floor(log10(x)) ? 2 : x < 5*10**floor(log10(x)) ? 5 : 10)
num(list, k) = word(list, k) eq 'NaN' ? NaN : word(list, k) + 0

# ---- axes
set border 15 linewidth 0.9
set tics front scale 0.7,0.35 font small
set xtics offset 0,(type eq 'svg' ? 0.45 : 0.25); set ytics offset (type eq 'svg' ? 0.5 : 0.3),0
set minussign
set style fill transparent solid 0.3 noborder
pitch = type eq 'svg' ? 0.97 : 1.03        # line height in legends
panel = 0
if (type ne 'gif') { set multiplot }
