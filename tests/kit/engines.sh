# For tests of engines, in a scratch folder: the adapters, built by the commands in their first lines, the
# systems, and a comparison of two integrators.
# shellcheck shell=sh
cp "$SHAKEDOWN_SOURCE"/examples/engines/* .
cp -r "$SHAKEDOWN_SOURCE/studies/systems" "$SHAKEDOWN_SOURCE/studies/mechanisms" .
shakedown() {
  timeout 60 "$SHAKEDOWN" "$@"
}
system() {
  printf 'particles(file="systems/%s.yaml")' "$1"
}
mechanism() {
  printf 'mechanism(file="mechanisms/%s.yaml")' "$1"
}
engine() {
  printf 'engine(command="%s")' "$1"
}

# agree SYSTEM STEP UNTIL COMMAND OURS DIGITS: q and p after every step, componentwise, differ by at most
# 10^-DIGITS
agree() {
  for one in "$(engine "$4")" "$5"; do
    shakedown simulate "$(system "$1")" "$one" --allow-external --step "$2" --until "$3" --every 1 \
      >rows 2>err || diag "$(head -n 3 err)"
    cat rows
  done >both
  awk -F, -v most="1e-$6" '
    /^t/ { part++; row = columns = 0; while ($(columns + 2) ~ /^[qp]/) columns++; next }
    part == 1 { first[++row] = $0; next }
    {
      split(first[++row], a)
      for (i = 1; i <= columns + 1; i++) {
        d = a[i] - $i
        worst = d > worst ? d : -d > worst ? -d : worst
      }
    }
    END {
      print "# " row " states of " columns " numbers, largest difference " worst
      exit !(part == 2 && columns >= 4 && row > 50 && row == length(first) && worst <= most + 0)
    }' both
  ok_if $? "$1: $4 goes where $5 goes, to $6 decimals"
}

# orders PROBLEM COMMAND STEP UNTIL QUANTITY=ORDER…: these orders are measured within 0.1, with half-widths
# below 0.3, from STEP and four halvings
orders() {
  cat >orders.yaml <<Y
study: orders
runs:
  - problems: ['$1']
    integrators: ['$(engine "$2")']
    steps: {largest: $3, halvings: 4}
    until: $4
    measures: [order]
Y
  shift 4
  rm -f orders.db
  timeout 300 "$SHAKEDOWN" run orders.yaml --allow-external --quiet >out 2>err || diag "$(head -n 3 out err)"
  shakedown show orders.db --values --format csv --allow-external >values
  for one in "$@"; do
    awk -F, -v quantity="order of ${one%=*}" -v order="${one#*=}" '
      { for (i = 1; i <= NF; i++) if ($i == quantity) { d = $(i + 1) - order; found = $(i + 1) " ± " $(i + 2)
          good = $(i + 1) != "" && d < 0.1 && d > -0.1 && $(i + 2) < 0.3 } }
      END { print "# " quantity ": " found; exit !good }' values || return 1
  done
}

# built NAME: builds its adapter; on failure the reason is in err
built() {
  sh -c "$(sed -n 's|-O2|-O0|;s|^// *\(g++ .*\)|\1|p' "$1.cpp" | head -n 1)" 2>err
}
