# Splits a line of CSV into the fields f[1], f[2], …
function split_csv(line,   n, c, i, quoted) {
  n = 1; f[1] = ""; quoted = 0
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    if (c == "\"") quoted = !quoted
    else if (c == "," && !quoted) f[++n] = ""
    else f[n] = f[n] c
  }
}
