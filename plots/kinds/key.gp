# Draws a legend. For m = 1 … curves, it contains a sample of line style m and key_text(m), unless
# the text is empty or the method is `unseen`. key_x and key_y are the left and upper edges on the
# page, in cm. The legend has key_columns columns of width key_entry. If key_columns is 0, the
# entries fill one line after another instead.
entries = 0
entry(m) = pos(unseen, word(ids, m), 1) > 0 ? '' : key_text(m)
do for [m=1:curves] { entries = entries + (entry(m) ne '') }
key_rows = key_columns > 0 ? (entries + key_columns - 1)/key_columns : 1
letters(s, c) = strstrt(s, c) > 0         # wide_of is shk_text_width of the program
wide_of(s) = s eq '' ? 0 : wide_of(s[2:*]) + (letters("iljtfrI.,:;'()|! ", s[1:1]) ? 0.3 \
  : letters('ABCDEFGHJKLMNOPQRSTUVWXYZmw', s[1:1]) ? 0.72 : 0.56)
taken(m) = 1.1 + 0.247*wide_of(entry(m))
e = 0; row = 0; used = key_x
do for [m=1:curves] { if (entry(m) ne '') {
  if (key_columns == 0 && used > key_x && used + taken(m) > width) { used = key_x; row = row + 1 }
  entry_x = key_columns > 0 ? key_x + (e/key_rows)*key_entry : used
  entry_y = key_y - ((key_columns > 0 ? e%key_rows : row) + 0.4)*0.31
  used = used + taken(m); e = e + 1
  if (legend_sample ne 'points') {
    set arrow 400+m from screen entry_x/width, screen entry_y/height \
      to screen (entry_x + 0.62)/width, screen entry_y/height nohead front linestyle m
  }
  set label 400+m '' at screen (entry_x + 0.31)/width, screen entry_y/height front point linestyle m
  set label 500+m shrunk(entry(m)) at screen (entry_x + 0.75)/width, screen entry_y/height \
    left noenhanced front font small
} }
if (key_columns > 0 && (exists('remark') ? remark ne '' : 0)) {
  set label 397 shrunk(remark) at screen (key_x + 0.75)/width, screen (key_y - (key_rows + 0.4)*0.31)/height \
    left front font small
}
remark = ''
