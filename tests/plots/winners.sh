#!/bin/sh
# scripts/winners.awk: rankings of made-up curves whose costs are known, and of the figures' data of
# a real study.
set -u
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
tab=$(printf '\t')

# winners ARGUMENT...: scripts/winners.awk, into `out`
winners() {
  awk -f "$SHAKEDOWN_SOURCE/scripts/curves.awk" -f "$SHAKEDOWN_SOURCE/scripts/winners.awk" "$@" \
    >"$scratch/out"
}

# Slopes of one and two: at 1e-4 `straight` costs 1e-4 s and `steep` half way between its points in
# logarithms, 2e-5 s; `early` is below from its first run on; `broken`, quad and what evaluates nothing
# do not count.
sed "s/ /$tab/g" >"$scratch/made.dat" <<'END'
#@problem:@made
#@[0]@q,@double,@straight:@step,@error,@CPU@seconds,@evaluations,@status
0.4 1e-2 1e-6 100 ok
0.2 1e-6 1e-2 1000000 ok
#@[1]@q,@double,@steep:@step,@error,@CPU@seconds,@evaluations,@status
0.4 1e-3 1e-5 10 ok
0.2 1e-5 4e-5 1000 ok
#@[2]@q,@double,@early:@tolerance,@error,@CPU@seconds,@evaluations,@status
1e-5 1e-7 4e-5 400 ok
#@[3]@q,@double,@broken:@step,@error,@CPU@seconds,@evaluations,@status
0.4 1e-9 1e-9 1 failed
#@[4]@q,@quad,@other:@step,@error,@CPU@seconds,@evaluations,@status
0.4 1e-9 1e-9 1 ok
#@[5]@p,@double,@momenta:@step,@error,@CPU@seconds,@evaluations,@status
0.4 1e-9 1e-9 1 ok
#@[6]@q,@double,@exact:@step,@error,@CPU@seconds,@evaluations,@status
0.4 1e-9 1e-9 0 ok
END
sed -i 's/@/ /g' "$scratch/made.dat"
winners -v errors=1e-4 "$scratch/made.dat"
is_text "$(sed -n 1p "$scratch/out")" \
  "made, error 1e-4, CPU time: steep 2e-05, early <2.0, straight 5.0" "by CPU time"
is_text "$(sed -n 2p "$scratch/out")" \
  "made, error 1e-4, evaluations: steep 100, early <4.0, straight 100.0" "by evaluations"
winners -v errors="1e-8 1e-5" -v most=1 "$scratch/made.dat"
is_text "$(cat "$scratch/out")" "made, error 1e-8, CPU time: 
made, error 1e-8, evaluations: 
made, error 1e-5, CPU time: steep 4e-05
made, error 1e-5, evaluations: early <400" "errors that nobody reaches, and only the first"

cat >"$scratch/small.yaml" <<'END'
study: small
runs:
  - problems: ["pendulum(angle=0.7,rate=1.1)"]
    integrators: [rattle, "projection(base=rk8)"]
    steps: {largest: 0.2, halvings: 3}
    until: 4
    times: [2.4, 4]
figures: [work-precision]
END
"$SHAKEDOWN" run "$scratch/small.yaml" -o "$scratch/small.db" >"$scratch/log" 2>&1 &&
  "$SHAKEDOWN" plot "$scratch/small.db" -o "$scratch/figures" --type svg >"$scratch/log" 2>&1
ok_if $? "a small study is run and drawn"
winners -v errors=1e-7 "$scratch"/figures/*.dat
is_text "$(sed -n '2s/: \([^ ]*\) .*/: \1/p' "$scratch/out")" \
  "pendulum(angle=0.7,rate=1.1), error 1e-7, evaluations: projection(base=rk8)" \
  "and order 8 wins it at 1e-7"
tap_done
