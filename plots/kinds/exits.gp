# Marks for the ends of runs that stopped early, at the top of a panel whose time axis ends at
# `until`. The list exits contains a time for each method, which is NaN if the run is complete.
early_exits = 0
do for [m=1:curves] {
  out = own(exits, m)
  if (out > 0) {
    set arrow 100+m from out, graph 1 - 0.45/tall to out, graph 1 \
      head filled size screen 0.012,20 linestyle m dashtype 1
    early = log_x ? log(out/least) < 0.8*log(largest/least) : out < 0.8*until
    set label 100+m shrunk(math(letter('t')).sprintf(' = %.3g', out)) at out, graph 1 - 0.3/tall \
      left offset (early ? 0.8 : -1.1 - 0.55*strlen(sprintf('t = %.3g', out))), \
      -0.95*early_exits font small textcolor linestyle m
    early_exits = early_exits + 1
  }
}
