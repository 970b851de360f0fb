# The fields of a line of CSV into f.
function split_csv(line,   n, c, i, quoted) {
  n = 1; f[1] = ""; quoted = 0
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    if (c == "\"") quoted = !quoted
    else if (c == "," && !quoted) f[++n] = ""
    else f[n] = f[n] c
  }
}
