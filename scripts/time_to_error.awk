# How long does each method take to be this accurate? Reads the data that `shakedown plot` writes
# beside its work-precision figures,
#
#   awk -f scripts/time_to_error.awk [-v errors="1e-4 1e-6 1e-8"] figures/work-precision-*.dat
#
# and prints a table in Markdown for each problem: processor time in ms of each method at each error,
# between two runs of it interpolated linearly in the logarithms, with the setting of the finer one.
# Nothing is extrapolated: "<" is the time of the coarsest run where that is more accurate than asked
# for already, and a dash stands where no run is accurate enough. Only runs that ended well count.
# Then one line for each problem and error, `problem, error: …`, of how many times as long as the best
# method of ours the solvers take that are not ours, in bold where they are faster.
BEGIN {
  if (errors == "")
    errors = "1e-4 1e-6 1e-8"
  targets = split(errors, target, " ")
}
FNR == 1 {
  if (NR > 1)
    report()
  split("", method)
  split("", points)
  methods = 0
}
/^# problem: / {
  problem = substr($0, 12)
}
/^# \[[0-9]+\] / {
  reading = $0 ~ /^# \[[0-9]+\] q, double, /
  if (!reading)
    next
  name = $0
  sub(/^# \[[0-9]+\] q, double, /, "", name)
  kind = name ~ /: step, [^:]*$/ ? "h" : "tol"
  sub(/: (step|tolerance), .*$/, "", name)
  method[++methods] = name
  driven[methods] = kind
  next
}
/^[0-9.]/ && reading && $5 == "ok" && $2 + 0 > 0 && $3 + 0 > 0 {
  n = ++points[methods]
  setting[methods, n] = $1
  error[methods, n] = log($2)
  cost[methods, n] = log($3)
}
END {
  report()
  printf "%s", ratios
}

# The logarithm of the least time in which method k has an error of exp(goal), "" if it never has;
# sets `bound` where that is its coarsest run, and `how`, its setting.
function least(k, goal, i, best, found, here, part) {
  found = 0
  bound = 0
  for (i = 1; i <= points[k]; i++) {
    if (error[k, i] > goal)
      continue
    here = cost[k, i]
    if (i > 1 && error[k, i - 1] > goal) {
      part = (error[k, i - 1] - goal) / (error[k, i - 1] - error[k, i])
      here = cost[k, i - 1] + part * (here - cost[k, i - 1])
    }
    if (!found || here < best) {
      best = here
      bound = i == 1
      how = driven[k] "=" setting[k, i]
    }
    found = 1
  }
  return found ? best : ""
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
      value[k, t] = least(k, log(target[t]))
      open[k, t] = bound
      entry[k] = entry[k] (value[k, t] == "" ? " – |" : \
        sprintf(" %s%.3g (%s) |", bound ? "< " : "", 1000 * exp(value[k, t]), how))
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
