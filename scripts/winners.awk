# Who reaches an error at the least cost? Reads the data that `shakedown plot` writes beside its
# work-precision figures,
#
#   awk -f scripts/curves.awk -f scripts/winners.awk [-v errors="1e-4 1e-8"] [-v most=4] \
#     figures/work-precision-*.dat
#
# and prints, for each problem and error, the cheapest methods by CPU time and by evaluations, each
# with its cost over that of the cheapest; "<" marks a method whose cheapest run is already below the
# error: it may be cheaper still.
BEGIN {
  aim("1e-4 1e-8")
  counted = 1
  if (most == "")
    most = 4
}
END {
  report()
}

function report(t, k, kind, kinds, j, r, line, at, worth, mark, used, first) {
  kinds[1] = "CPU time"
  kinds[2] = "evaluations"
  for (t = 1; t <= targets; t++)
    for (j = 1; j <= 2; j++) {
      split("", used)
      line = ""
      for (r = 1; r <= most; r++) {
        at = 0
        for (k = 1; k <= methods; k++) {
          if (k in used)
            continue
          worth = least(k, log(target[t]), kinds[j])
          if (worth != "" && (at == 0 || worth < value)) {
            at = k
            value = worth
            mark = bound ? "<" : ""
          }
        }
        if (at == 0)
          break
        used[at] = 1
        if (r == 1)
          first = value
        line = line (r > 1 ? ", " : "") method[at] \
               (r == 1 ? sprintf(" %s%.3g", mark, exp(value)) \
                       : sprintf(" %s%.1f", mark, exp(value - first)))
      }
      printf "%s, error %s, %s: %s\n", problem, target[t], kinds[j], line
    }
}
