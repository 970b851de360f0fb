#!/bin/sh
# No leaks and no invalid accesses under Valgrind, in the commands themselves: good input and bad,
# double and quad, and all processes that a run forks.
. "$SHAKEDOWN_SOURCE/tests/kit/tap.sh"
if ! command -v valgrind >/dev/null; then
  skip "no valgrind"
  tap_done
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# clean STATUS ARGUMENT...
clean() {
  want=$1
  shift
  valgrind --quiet --vgdb=no --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
    --errors-for-leak-kinds=definite --log-fd=9 "$SHAKEDOWN" "$@" >out 2>err </dev/null 9>log
  code=$?
  # One file, since a cell cannot make its own. Findings begin with ==; lines with -- tell of system
  # calls that Valgrind does not know.
  grep '^==' log >findings
  [ $code -eq "$want" ] && [ ! -s findings ]
  ok_if $? "clean: shakedown $*"
  if [ $code -ne "$want" ] || [ -s findings ]; then
    diag "exit status $code, expected $want"
    diag "$(tail -n 5 err)"
    diag "$(head -n 40 findings)"
  fi
}

cat >good.yaml <<'EOF'
study: good
runs:
  - problems: [pendulum, 'chain(links=3)']
    integrators: [rattle, 'shake(linear=lu)']
    steps: [0.1, 0.05]
    until: 1
EOF
cat >hosted.yaml <<'EOF'
study: hosted
runs:
  - problems: [charged-pendulum]
    integrators: [hostile]
    precision: [double, quad]
    steps: [0.1]
    until: 0.5
EOF
cat >bad.yaml <<'EOF'
study: bad
runs:
  - problems: [pendulum(angle=0.7,rate=1.1)]
    integrators: [rattel]
EOF
clean 0 list
clean 0 describe rattle
clean 0 describe 'pendulum(angle=0.7)'
clean 0 simulate pendulum rattle --step 0.1 --until 1
clean 0 simulate 'chain(links=40)' 'rattle(linear=sparse-ldl)' --step 0.01 --until 0.1
clean 0 simulate charged-pendulum rattle --step 0.1 --until 1 --precision quad
without sundials || clean 0 simulate pendulum ida --step 0.1 --until 1
clean 0 diagnose double-pendulum
clean 0 run good.yaml --dry-run
clean 2 run bad.yaml
clean 2 simulate pendulum rattel --step 0.1 --until 1
clean 2 simulate pendulum 'rattle(iterations=none)' --step 0.1 --until 1
clean 2 simulate pendulum rattle --step 0.3 --until 1
clean 2 describe nothing-of-that-name

# All kinds of processes: the scheduler, a worker and its cells.
clean 0 run good.yaml -j 1 --quiet
is_text "$("$SHAKEDOWN" show good.db --records --format csv | grep -c ',ok,')" "$("$SHAKEDOWN" show good.db --records --format csv | tail -n +2 | wc -l)" \
  "all cells have a record"
clean 0 show good.db
clean 0 show good.db --quantity order --quantity 'energy class'
clean 0 show good.db --format latex --quantity order --rows problems
clean 0 report good.db -o page
clean 0 show good.db --records --format json
clean 0 run good.yaml
clean 0 run hosted.yaml -j 1 --quiet --plugin "$SHAKEDOWN_HOSTILE"
clean 0 describe hostile --plugin "$SHAKEDOWN_HOSTILE"
clean 2 describe rattle --plugin ./nothing.so
tap_done
