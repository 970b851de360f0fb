# Curves of cost over error, one for each method, from the data that `shakedown plot` writes beside its
# work-precision figures: errors of q in double precision. Only runs that ended well count. `shakedown
# show` prints what each run cost and how accurate it was; what an error costs that lies between two
# runs is read off the curves here, for the documents. A script that tabulates them is named after it,
#
#   awk -f scripts/curves.awk -f SCRIPT [-v errors="1e-4 1e-8"] figures/work-precision-*.dat
#
# and in its BEGIN says with aim() which errors it asks for where -v does not, and sets `counted` where
# runs without evaluations are not to count. report() is the script's: called at the end of each file,
# of the last by its END, it finds
#
#   problem, methods, method[k], targets, target[t]
#   driven[k], setting[k, i]   "h" or "tol", and its value in run i
#   least(k, goal, kind)       below
function aim(standard) {
  targets = split(errors == "" ? standard : errors, target, " ")
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
  driven[++methods] = name ~ /: step, [^:]*$/ ? "h" : "tol"
  sub(/: (step|tolerance), .*$/, "", name)
  method[methods] = name
  next
}
/^[0-9.]/ && reading && $5 == "ok" && $2 + 0 > 0 && $3 + 0 > 0 && (!counted || $4 + 0 > 0) {
  n = ++points[methods]
  setting[methods, n] = $1
  error[methods, n] = log($2)
  cost[methods, n, "CPU time"] = log($3)
  if (counted)
    cost[methods, n, "evaluations"] = log($4)
}

# The logarithm of the least cost of that kind at which method k has an error of exp(goal), "" if it
# never has: between two runs it is interpolated linearly in the logarithms, nothing is extrapolated.
# Sets `run`, the finer one, and `bound` where that is the coarsest there is, so that the method may be
# cheaper still.
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
      run = i
    }
    found = 1
  }
  return found ? best : ""
}
