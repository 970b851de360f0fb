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
  if (odd ne '' && legend eq 'below' && used + 0.8 + 0.247*wide_of(odd) < width) {
    set label 398 '' at screen (used + 0.31)/width, screen entry_y/height front \
      point pointtype 6 pointsize 0.5 linewidth 1.4 linecolor rgb grey
    set label 399 shrunk(odd) at screen (used + 0.53)/width, screen entry_y/height left front font small
  }
  plot NaN
}
unset multiplot
set output
