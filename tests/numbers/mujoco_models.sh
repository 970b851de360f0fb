#!/bin/sh
# Models of MuJoCo written by others (tests/data/mjcf), by way of mechanisms: MuJoCo moves what the converter
# and the adapter make as it moves their own files; RATTLE has order 2 on all of them; MuJoCo converges to our
# motion on trees with its order, and on loops, which are soft there, only with their time constant.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/engines.sh"
python_with numpy mujoco
export PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1
cp "$SHAKEDOWN_SOURCE/tests/kit/mujoco_direct.cpp" .
if ! built mujoco || ! built mujoco_direct; then
  skip_without libmujoco-dev "no MuJoCo: $(head -n 1 err)"
  tap_done
fi

# moves MODEL BODIES DIGITS: centres of mass of the first bodies after 200 steps, by both ways
moves() {
  "$python" -m shakedown.mjcf "$SHAKEDOWN_SOURCE/tests/data/mjcf/$1.xml" --without limits,contacts -o "mechanisms/$1.yaml" 2>err
  ./mujoco_direct "$SHAKEDOWN_SOURCE/tests/data/mjcf/$1.xml" 0.001 200 0.02 | tail -n 1 >both
  shakedown simulate "$(mechanism "$1")" "$(engine './mujoco RK4 0.02')" --allow-external --step 0.001 \
    --until 0.2 --every 200 | tail -n 1 >>both
  awk -F, -v bodies="$2" -v most="1e-$3" '
    NR == 1 { split($0, a) }
    NR == 2 { for (i = 0; i < 3 * bodies; i++) { d = a[2 + i] - $(2 + i % 3 + 12 * int(i / 3))
        worst = d > worst ? d : -d > worst ? -d : worst } }
    END { print "# largest difference " worst; exit !(NR == 2 && worst <= most + 0) }' both
  ok_if $? "$1: MuJoCo moves its own file as the mechanism from it, to $3 decimals"
}
# A merged body and its softness, which depends on invweight0 of single bodies, differ in loops.
for one in 'pendulum 4 13' 'acrobot 2 13' 'ur5e 6 13' 'swimmer 3 13' 'gripper 3 6' 'slider-crank 1 6'; do
  # shellcheck disable=SC2086
  moves $one
done

holds "acrobot: MuJoCo's RK4 has order 4" orders "$(mechanism acrobot)" './mujoco RK4' 0.02 0.6 q=4 p=4
holds "the arm of robosuite: 4" orders "$(mechanism ur5e)" './mujoco RK4' 0.02 0.4 q=4 p=4
holds "swimmer: 4" orders "$(mechanism swimmer)" './mujoco RK4' 0.1 2 q=4 p=4
holds "pendulum, with a ball: 2" orders "$(mechanism pendulum)" './mujoco RK4' 0.004 0.1 q=2 p=2
holds "acrobot: MuJoCo's Euler has order 1" orders "$(mechanism acrobot)" './mujoco Euler' 0.02 0.6 q=1 p=1

# soft CONSTANT STEP: the largest difference of a body's coordinates from our motion on the slider-crank
soft() {
  shakedown simulate "$(mechanism slider-crank)" "$(engine "./mujoco RK4 $1")" --allow-external --step "$2" --until 0.4 \
    --every 1000 | tail -n 1 | cat ours - | awk -F, '
      NR == 1 { split($0, a) }
      NR == 2 { for (i = 2; i <= 37; i++) { d = a[i] - $i; worst = d > worst ? d : -d > worst ? -d : worst } }
      END { printf "%.3g", worst }'
}
shakedown simulate "$(mechanism slider-crank)" 'rattle(linear=svd)' --step 0.0002 --until 0.4 --every 10000 | tail -n 1 >ours
is_text "$(soft 0.04 0.002) $(soft 0.02 0.002) $(soft 0.01 0.002)" "0.00893 0.00251 0.00065" \
  "a loop is off by the square of its time constant"
is_text "$(soft 0.04 0.0005) $(soft 0.02 0.0005) $(soft 0.01 0.0005)" "0.00893 0.00251 0.00065" \
  "... whatever the step"

# Couplings of joints: MuJoCo's motion of its own file approaches ours as a gear's softness falls.
"$python" -m shakedown.mjcf "$SHAKEDOWN_SOURCE/tests/data/mjcf/couplings.xml" --without contacts -o mechanisms/couplings.yaml 2>err
shakedown simulate "$(mechanism couplings)" rattle --step 0.0002 --until 0.4 --every 10000 | tail -n 1 >ours
# coupled CONSTANT: the largest difference of a centre of mass
coupled() {
  ./mujoco_direct "$SHAKEDOWN_SOURCE/tests/data/mjcf/couplings.xml" 0.002 200 "$1" | tail -n 1 | cat ours - | awk -F, '
    NR == 1 { split($0, a) }
    NR == 2 { for (i = 0; i < 24; i++) { d = $(2 + i) - a[2 + i % 3 + 12 * int(i / 3)]; worst = d > worst ? d : -d > worst ? -d : worst } }
    END { printf "%.4g", worst }'
}
apart="$(coupled 0.04) $(coupled 0.02) $(coupled 0.01)"
echo "$apart" | awk '{ exit !($1 > 3.5 * $2 && $1 < 4.5 * $2 && $2 > 3.5 * $3 && $2 < 4.5 * $3 && $3 > 1e-8 && $3 < 1e-6) }'
ok_if $? "gears of hinges, also in series and in the other sense, and of slides, and held joints: off by the square of the time constant" ||
  diag "$apart; $(cat err)"

# Closed chains by `connect`, which start with a velocity.
for one in five-bar delta; do
  "$python" -m shakedown.mjcf "$SHAKEDOWN_SOURCE/tests/data/mjcf/$one.xml" --kick 1 --verify -o "mechanisms/$one.yaml" 2>err
  ok_if $? "$one agrees with MuJoCo" || diag "$(cat err)"
done

# RATTLE is certified on the small trees and on the delta robot, and a wrong RATTLE is not. References of the arm
# and of redundant loops with dampers take minutes: there its order is that of the differences of three steps.
# certified METHOD PROBLEM...: a certificate on these mechanisms, of which `out` has the values
certified() {
  method=$1
  shift
  for one; do
    set -- "$@" --problem "mechanisms/$one.yaml"
    shift
  done
  "$SHAKEDOWN" certify "$method" --with system --brief --quiet --seed 1 --plugin "$SHAKEDOWN_BAD_RATTLE" \
    --values --format csv "$@" >out 2>err
  awk '/mechanisms/ { n++; held += /,held$/; falsified += /,falsified$/; failed += /,failed$/; order += /,order of q,.*,held$/ }
    END { printf "%d falsified, %d failed, ", falsified, failed; print order " orders of q held, most values " (held > 0.9 * n ? "" : "not ") "held" }' out
}
is_text "$(certified rattle pendulum acrobot swimmer delta)" "0 falsified, 0 failed, 8 orders of q held, most values held" \
  "RATTLE is certified on three trees and the delta robot"
said=$(certified 'bad-rattle(fault=direction-new)' delta)
[ "${said%% *}" -ge 10 ] 2>/dev/null
ok_if $? "RATTLE with normals of the new position is not ($said)"
# halved MODEL STEP UNTIL: the second of two differences is a quarter of the first, and |g| is round-off
halved() {
  for part in 1 2 4; do
    step=$(awk -v h="$2" -v part="$part" 'BEGIN { print h / part }')
    shakedown simulate "$(mechanism "$1")" 'rattle(linear=svd)' --step "$step" --until "$3" --every 10000 | tail -n 1
  done | awk -F, '
    { for (i = 2; i <= NF; i++) x[NR, i] = $i; g = $(NF - 1) > g ? $(NF - 1) : g }
    END { for (i = 2; i <= 37; i++) { d = x[1, i] - x[2, i]; e = x[2, i] - x[3, i]; first += d * d; second += e * e }
      ratio = sqrt(first / second); print "# ratio " ratio ", |g| " g; exit !(ratio > 3.9 && ratio < 4.1 && g < 1e-14) }'
  ok_if $? "... and on $1"
}
halved ur5e 0.002 0.3
halved gripper 0.001 0.08
halved slider-crank 0.002 0.4
halved couplings 0.002 0.1
halved five-bar 0.001 0.04

# The page's section, in a folder with what it takes from the source tree.
mkdir page
ln -s "$SHAKEDOWN_SOURCE/examples" "$SHAKEDOWN_SOURCE/python" "$SHAKEDOWN_SOURCE/tests" page/
mkdir bin
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v "$python")" >bin/python3 # a link would leave its environment
chmod +x bin/python3
PATH=$PWD/bin:$PATH
. "$SHAKEDOWN_SOURCE/tests/kit/documents.sh"
sed -n '/^## From MuJoCo/,$p' "$SHAKEDOWN_SOURCE/docs/guides/mechanisms.md" >mechanisms.md
run_document mechanisms.md page
holds "commands of the section were run ($ran)" [ "$ran" -ge 9 ]
tap_done
