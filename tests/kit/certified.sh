# shellcheck shell=sh
# Certificates as CSV, and the number of their rows with a verdict. After tests/kit/program.sh.

# certified STATUS NAME ARGUMENT...: into `out`; many methods at once, whose exit status is that of
# the worst, so that they share references and keep all cores busy to the end
certified() {
  status=$1
  name=$2
  shift 2
  ends "$status" "$name" certify -q --seed 1 --format csv "$@"
}

# rows START VERDICT: how many rows of `out` begin so (integrator, or integrator,claim) and have that
# verdict
rows() {
  awk -v start="$1" -v verdict="$2" 'index($0, start ",") == 1 && $0 ~ "," verdict "$" { count++ }
    END { print count + 0 }' out
}

# at_least LEAST START VERDICT
at_least() {
  holds "$2: $3 at least $1 times" [ "$(rows "$2" "$3")" -ge "$1" ]
}
