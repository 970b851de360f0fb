# Who reaches an error at the least cost? Reads the data that `shakedown plot` writes beside its
# work-precision figures,
#
#   awk -f scripts/winners.awk [-v errors="1e-4 1e-8"] [-v most=4] figures/work-precision-*.dat
#
# and prints, for each problem and error, the cheapest methods by CPU time and by evaluations, each
# with its cost over that of the cheapest. Between two points of a method (error, cost) are
# interpolated linearly in their logarithms; a method whose cheapest run is already below the error
# counts with that run and is marked "<": it may be cheaper still. Only runs that ended well count.
BEGIN {
  if (errors == "")
    errors = "1e-4 1e-8"
  if (most == "")
    most = 4
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
  sub(/: (step|tolerance), .*$/, "", name)
  method[++methods] = name
  next
}
/^[0-9.]/ && reading && $5 == "ok" && $2 + 0 > 0 && $3 + 0 > 0 && $4 + 0 > 0 {
  n = ++points[methods]
  error[methods, n] = log($2)
  cost[methods, n, "CPU time"] = log($3)
  cost[methods, n, "evaluations"] = log($4)
}
END {
  report()
}

# The logarithm of the least cost at which method k has an error of exp(goal); "" if it never has.
# Sets `bound` where the cheapest run is already below.
function least(k, goal, kind, i, best, found, here, part) {
  found = 0
  bound = 0
  for (i = 1; i <= points[k]; i++) {
    if (error[k, i] > goal)
      continue
    here = cost[k, i, kind]
    if (i > 1 && error[k, i - 1] > goal) {
      part = (error[k, i - 1] - goal) / (error[k, i - 1] - error[k, i])
      here = cost[k, i - 1, kind] + part * (here - cost[k, i - 1, kind])
    }
    if (!found || here < best) {
      best = here
      bound = i == 1
    }
    found = 1
  }
  return found ? best : ""
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
