# Marks for the ends of runs that stopped early, at the top of a panel over time. exits has a time
# for each method, NaN if the run is complete; the panel ends at `until` or, for a path, at `right`.
do for [m=1:methods] {
  out = num(exits, m)
  if (out > 0) {
    ending = exists('until') ? until : right
    set arrow 100+m from out, graph 0.9 to out, graph 1 \
      head filled size screen 0.012,20 linestyle m dashtype 1
    told = math(letter('t')).sprintf(' = %.3g', out)
    if (out < 0.3*ending) {
      set label 100+m told at out + 0.03*ending, graph 0.9 left font small textcolor rgb tint(m)
    } else {
      set label 100+m told at out - 0.03*ending, graph 0.9 right font small textcolor rgb tint(m)
    }
  }
}
