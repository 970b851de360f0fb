#!/bin/sh
# The benchmarks: every case runs, prints well-formed lines and agrees with its reference; a
# reference with a small error is noticed.
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
bench=$SHAKEDOWN_BUILD/benchmarks/shakedown-bench
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# well_formed FILE COMPARED: every line has the keys in their order, numbers of its own, and, but for
# the control, no more left of the constraints than the tolerances of the cases.
well_formed() {
  awk -v compared="$2" '
    BEGIN {
      n = "[0-9.]+(e[-+][0-9]+)?"
      form = "^case=[a-z0-9-]+ n=[0-9]+ solver=[a-z-]+ precision=(double|quad)" \
        " ns_per_constraint_step=" n " median_ns_per_constraint_step=" n \
        (compared ? " floor_ns_per_constraint_step=" n " median_floor_ns_per_constraint_step=" n \
                    " ratio=" n : "") \
        " bytes_per_constraint=" n " iterations_per_step=" n " error=" n \
        (compared ? " floor_error=" n " difference=" n " bits=[0-9a-f]*" : "") "( process_bytes=" n ")?$"
    }
    $0 !~ form { print "malformed: " $0; bad = 1; next }
    !/solver=linearized / {
      for (i = 1; i <= NF; i++) {
        split($i, pair, "=")
        if ((pair[1] == "error" || pair[1] == "floor_error") && pair[2] + 0 > 1.01e-10) {
          print "inaccurate: " $0; bad = 1
        }
        if (pair[1] == "ns_per_constraint_step" && !(pair[2] + 0 > 0)) {
          print "no time: " $0; bad = 1
        }
      }
    }
    END { exit bad || NR == 0 }' "$1" >"$work/wrong"
}

# A case, its small N, and how many lines it has: solvers that take it, in one or two precisions.
while read -r case n lines; do
  # shellcheck disable=SC2086 # N may be nothing
  "$bench" --seconds 0.0002 "$case" ${n#-} >"$work/out" 2>"$work/err"
  status=$?
  count=$(wc -l <"$work/out")
  compared=1
  [ "$case" != memory ] || compared=0
  well_formed "$work/out" "$compared" && [ "$status" -eq 0 ] && [ "$count" -eq "$lines" ]
  good=$?
  ok_if $good "$case agrees with its reference and prints $lines well-formed lines"
  [ $good -eq 0 ] || diag "exit $status, $count lines: $(head -n 3 "$work/wrong" "$work/err")"
done <<'END'
pendulum - 22
chain 5 22
chain-3d 6 22
chain 300 8
branched-alkane 4 22
branched-alkane 1 22
water-box 3 22
memory 100 1
END

# Links fewer than the elimination has ends, and molecules that do not fill a block.
for case in 'chain 1' 'chain 2' 'chain-3d 3' 'chain 4' 'branched-alkane 2' 'water-box 2' \
  'water-box 9'; do
  # shellcheck disable=SC2086 # a case and its N
  "$bench" --seconds 0.0002 --solver auto $case >"$work/out" 2>&1 && well_formed "$work/out" 1
  ok_if $? "$case agrees"
done

for case in pendulum 'chain 5' 'chain-3d 6' 'branched-alkane 4' 'water-box 3'; do
  # shellcheck disable=SC2086 # a case and its N
  "$bench" --seconds 0.0002 --solver auto --damage $case >"$work/out" 2>&1
  status=$?
  [ "$status" -eq 1 ] && grep -q 'double failed: it differs from the reference by' "$work/out" &&
    grep -q 'quad failed: it differs from the reference by' "$work/out"
  ok_if $? "$case: a step that is too long by a thousandth is noticed in both precisions"
done

for wrong in '' 'nonsense' 'chain x' 'chain 0' 'pendulum 3' '--seconds 0 chain' \
  '--solver magic chain' '--precision half chain' 'chain 3 4'; do
  # shellcheck disable=SC2086 # words
  "$bench" $wrong >"$work/out" 2>"$work/err"
  [ $? -eq 2 ] && grep -q '^usage: ' "$work/err"
  ok_if $? "refused: shakedown-bench $wrong"
done
tap_done
