# How long does each method take to be this accurate? Reads the data that `shakedown plot` writes
# beside its work-precision figures,
#
#   awk -f scripts/curves.awk -f scripts/time_to_error.awk [-v errors="1e-4 1e-6 1e-8"] \
#     figures/work-precision-*.dat
#
# and prints a table in Markdown for each problem: processor time in ms of each method at each error,
# with the setting of the finer of the two runs about it. "<" is the time of the coarsest run where
# that is more accurate than asked for already, and a dash stands where no run is accurate enough.
# Then one line for each problem and error, `problem, error: …`, of how many times as long as the best
# method of ours the solvers take that are not ours, in bold where they are faster.
BEGIN {
  aim("1e-4 1e-6 1e-8")
}
END {
  report()
  printf "%s", ratios
}

function is_others(name) {
  return name ~ /^(ida|cvode|radau5|hem5)(\(|$)/
}

function report(t, k, j, best, who, line, order, swap, key) {
  line = "| method |"
  for (t = 1; t <= targets; t++)
    line = line " " target[t] " |"
  print "**" problem "**, ms\n\n" line
  line = "| --- |"
  for (t = 1; t <= targets; t++)
    line = line " --- |"
  print line
  for (k = 1; k <= methods; k++) {
    entry[k] = ""
    key[k] = 1e9
    order[k] = k
    for (t = 1; t <= targets; t++) {
      value[k, t] = least(k, log(target[t]), "CPU time")
      open[k, t] = bound
      entry[k] = entry[k] (value[k, t] == "" ? " – |" : \
        sprintf(" %s%.3g (%s=%s) |", bound ? "< " : "", 1000 * exp(value[k, t]), driven[k],
                setting[k, run]))
      if (value[k, t] != "" && (t == 2 || targets == 1 || key[k] > 1e8))
        key[k] = value[k, t]
    }
  }
  for (k = 2; k <= methods; k++)
    for (j = k; j > 1 && key[order[j]] < key[order[j - 1]]; j--) {
      swap = order[j]
      order[j] = order[j - 1]
      order[j - 1] = swap
    }
  for (k = 1; k <= methods; k++)
    print "| `" method[order[k]] "` |" entry[order[k]]
  print ""
  for (t = 1; t <= targets; t++) {
    who = 0
    for (k = 1; k <= methods; k++)
      if (value[k, t] != "" && !is_others(method[k]) && (!who || value[k, t] < best)) {
        who = k
        best = value[k, t]
      }
    if (!who)
      continue
    line = "- " problem ", " target[t] ": over `" method[who] "`, " \
      (open[who, t] ? "< " : "") sprintf("%.3g ms:", 1000 * exp(best))
    for (k = 1; k <= methods; k++)
      if (value[k, t] != "" && is_others(method[k]))
        line = line sprintf(value[k, t] < best ? " **`%s` %s%.3g**," : " `%s` %s%.3g,", method[k],
                            open[k, t] ? "< " : "", exp(value[k, t] - best))
    sub(/[,:]$/, "", line)
    ratios = ratios line "\n"
  }
}
