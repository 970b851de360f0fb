# Ends a figure: draws the legend if it is below the panels or to the right of them.
if (type eq 'gif') { set output; exit }
if (legend eq 'below' || legend eq 'right') {
  unset border; unset tics
  set lmargin at screen 0; set rmargin at screen 1; set bmargin at screen 0; set tmargin at screen 1
  set xrange [0:1]; set yrange [0:1]
  ids = front; curves = words(ids)
  do for [m=1:curves] { id = word(ids, m); set style line m @styled }
  key_text(m) = name_of(m).look('beside', word(ids, m))
  key_columns = legend eq 'right'; key_entry = right
  key_x = legend eq 'below' ? left : width - right + 0.15
  key_y = legend eq 'below' ? foot - 0.03 : height - top
  load 'templates/key.gp'
  plot NaN
}
unset multiplot
set output
