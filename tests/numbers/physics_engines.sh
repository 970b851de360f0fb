#!/bin/sh
# Physics engines through their adapters: ODE and Bullet take the step that their adapters describe,
# and agree with each other; DART takes steps of symplectic Euler in the angle; Simbody and MuJoCo
# agree with methods of ours where there are no rods; redundant rods, and refusals. Each statement
# is shown to fail for a changed adapter.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/engines.sh"

# steps_of COMMAND: those of the pendulum, t, x, y and the momenta
steps_of() {
  shakedown simulate "$(system pendulum)" "$(engine "$1")" --allow-external --step 0.05 --until 5 --every 1 2>err
}

# by_impulse COMMAND ERP: v1 = v0 + h g + n mu with n v1 = erp/h (1 - r), q1 = q0 + h v1, after each step
by_impulse() {
  steps_of "$1" | awk -F, -v CONVFMT=%.17g -v erp="$2" -v h=0.05 '
    NR > 2 {
      r = sqrt(x * x + y * y)
      mu = erp / h * (1 - r) - (x * vx + y * (vy - h)) / r
      a = vx + mu * x / r
      b = vy - h + mu * y / r
      split((x + h * a) " " (y + h * b) " " a " " b, e, " ")
      for (i = 1; i <= 4; i++) { d = e[i] - $(i + 1); worst = d > worst ? d : -d > worst ? -d : worst }
    }
    { x = $2; y = $3; vx = $4; vy = $5 }
    END { print "# " NR " rows, largest difference " worst; exit !(NR == 102 && worst < 1e-9) }'
}

# by_angle COMMAND: w1 = w0 - h sin(angle0), angle1 = angle0 + h w1
by_angle() {
  steps_of "$1" | awk -F, -v CONVFMT=%.17g -v h=0.05 '
    NR > 2 {
      w = x * vy - y * vx - h * x
      t = atan2(x, -y) + h * w
      split(sin(t) " " (-cos(t)) " " w * cos(t) " " w * sin(t), e, " ")
      for (i = 1; i <= 4; i++) { d = e[i] - $(i + 1); worst = d > worst ? d : -d > worst ? -d : worst }
    }
    { x = $2; y = $3; vx = $4; vy = $5 }
    END { print "# " NR " rows, largest difference " worst; exit !(NR == 102 && worst < 1e-9) }'
}

# spoilt NAME SED: NAME changed, built, as `spoilt`
spoilt() {
  sed "$2;s/-o $1 $1.cpp/-o spoilt spoilt.cpp/" "$1.cpp" >spoilt.cpp
  cmp -s "$1.cpp" spoilt.cpp && diag "nothing was spoilt"
  built spoilt || diag "$(head -n 3 err)"
}

# first_orders COMMAND: those of q and p are 1, on a system with springs
first_orders() {
  orders "$(system linkage)" "$1" 0.01 0.5 q=1 p=1
}

# Bodies: a hinge that turns its first body, a ball, all forces; a chain of all types that make trees; a loop
# of two guides; a joint that ODE lacks; a thin body.
cat >mechanisms/tree.yaml <<'Y'
gravity: [0, 0, -9.81]
frames:
  - {name: hook, position: [1, 0.5, 0]}
bodies:
  - {name: beam, mass: 2, shape: {box: [1, 0.1, 0.2]}, position: [0.5, 0, 0]}
  - {name: rod, mass: 0.5, shape: {capsule: [0.05, 0.8]}, position: [1, 0, -0.4], rate: [1, 2, 0.5], frames: [{name: end, position: [0, 0, -0.4]}]}
joints:
  - {name: hinge, type: revolute, between: [beam, ground], at: [0, 0, 0], axis: [0, 1, 0], stiffness: 8, rest: 30deg, damping: 0.5, load: 0.7}
  - {name: ball, type: spherical, between: [beam, rod], at: [1, 0, 0]}
springs:
  - {between: [ground.hook, rod.end], stiffness: 20, length: 0.3, damping: 0.3}
Y
sed '/name: [hi],/d;/name: j[89]/d;/a.x, h/d;s/rod: 2/box: [2, 0.2, 0.3]/;s/spherical/revolute/' \
  "$SHAKEDOWN_SOURCE/tests/data/all-joints.yaml" >mechanisms/types.yaml
body='name: a, mass: 1, shape'
printf 'bodies:\n  - {%s: {sphere: 1}}\njoints:\n  - {name: j, type: planar, between: [ground, a], at: [0, 0, 0]}\n' \
  "$body" >mechanisms/plane.yaml
sed '$d' mechanisms/plane.yaml >mechanisms/guides.yaml
printf '  - {name: %s, type: prismatic, between: [ground, a], at: [0, 0, 0]}\n' i j >>mechanisms/guides.yaml
printf 'bodies:\n  - {%s: {disk: 1}, rate: [1, 0, 0]}\n' "$body" >mechanisms/thin.yaml

# Rods that are one too many: a square with both diagonals.
cat >systems/square.yaml <<'Y'
particles:
  - {name: A, mass: 1, position: [0, 0], velocity: [0.3, 0.1]}
  - {name: B, mass: 2, position: [1, 0], velocity: [0.3, 0.6]}
  - {name: C, mass: 1, position: [1, 1], velocity: [-0.2, 0.6]}
  - {name: D, mass: 3, position: [0, 1], velocity: [-0.2, 0.1]}
rods: [[A, B], [B, C], [C, D], [D, A], [A, C], [B, D]]
Y
# on_square STATUS FRAGMENT COMMAND
on_square() {
  gives "$1" "$2" simulate "$(system square)" "$(engine "$3")" --allow-external --step 0.02 --until 2
}

if built ode; then
  by_impulse './ode step' 0.2 && by_impulse './ode quick erp=1 iterations=100' 1
  ok_if $? "ODE's dWorldStep and dWorldQuickStep are velocities corrected along the rods of the old point"
  spoilt ode 's/dWorldSetGravity(world, s.gravity\[0\], /&0.999 */'
  by_impulse './spoilt step' 0.2
  is_text $? 1 "... with a thousandth less gravity they are not"
  first_orders './ode step erp=1'
  ok_if $? "ODE has order 1, springs among the forces"
  # Its multipliers have their order on mechanisms; on rods alone it is not decided.
  gives 3 ' order-lambda=1' try './ode step' --budget 50
  spoilt ode 's/dBodyAddForce(body\[i\], f/dBodyAddForce(body[i], -f/'
  first_orders './spoilt step erp=1'
  is_text $? 1 "... with springs that push where they should pull it has not"
  orders "$(mechanism double-pendulum)" './ode step' 0.02 0.6 q=1 lambda=1 lambda-state=1
  ok_if $? "ODE has order 1 on bodies, in the reactions too"
  holds "... on a loop" orders "$(mechanism slider-crank)" './ode step erp=1' 0.01 0.3 q=1 p=1 lambda-state=1
  holds "... with springs, dampers and loads" orders "$(mechanism tree)" './ode step' 0.01 0.3 q=1 lambda=1
  gives 2 'ODE has no joint planar' simulate "$(mechanism plane)" "$(engine './ode step')" --allow-external \
    --step 0.01 --until 0.1
  gives 2 'a thin body' simulate "$(mechanism thin)" "$(engine './ode step')" --allow-external --step 0.01 --until 0.1
  gives 3 'ODE requires steps above 0' simulate "$(system pendulum)" "$(engine './ode step')" \
    --allow-external --step -0.05 --until -1
  on_square 3 'ODE stops' './ode step cfm=0 erp=1'
  on_square 0 '' './ode step'
  spoilt ode 's/dRandSetSeed(0);//'
  gives 3 'is different when it is requested again with more steps' simulate "$(system hanging-chain)" "$(engine './spoilt quick')" --allow-external \
    --step 0.02 --until 2
else
  skip_without libode-dev "no ODE: $(head -n 1 err)"
fi

if built bullet; then
  by_impulse './bullet sequential' 0.2 && by_impulse './bullet dantzig erp=0' 0
  ok_if $? "Bullet's two solvers are velocities corrected along the rods of the old point"
  gives 0 '' simulate "$(system pendulum)" "$(engine './bullet dantzig')" --allow-external --step -0.05 --until -1
  orders "$(mechanism types)" './bullet dantzig erp=1' 0.01 0.2 q=1
  ok_if $? "Bullet has order 1 on all joints that make a tree"
  spoilt bullet 's/setUseFrameOffset(false)/setUseFrameOffset(true)/'
  orders "$(mechanism types)" './spoilt dantzig erp=1' 0.01 0.2 q=1
  is_text $? 1 "... and none with its default, offsets of frames"
  # The solver's matrix has no inverse, and nobody says so.
  on_square 0 'e+2' './bullet dantzig'
else
  skip_without libbullet-dev "no Bullet: $(head -n 1 err)"
fi

if [ -x ode ] && [ -x bullet ]; then
  for one in 'double-pendulum 0.02 2' 'tethered-water 0.002 0.4' 'linkage 0.01 2'; do
    # shellcheck disable=SC2086
    set -- $one
    agree "$1" "$2" "$3" './ode step erp=1 cfm=0' "$(engine './bullet dantzig erp=1')" 12
  done
  spoilt bullet 's/r\.length/(r.length + 1e-9)/'
  agrees=$(agree double-pendulum 0.02 2 './ode step erp=1 cfm=0' "$(engine './spoilt dantzig erp=1')" 12)
  case $agrees in
  'not ok'* | *'
not ok'*) true ;;
  *) false ;;
  esac
  ok_if $? "... and rods that are 1e-9 too long are seen"
fi

if built dart; then
  holds "DART's step is symplectic Euler in the angle" by_angle ./dart
  spoilt dart 's/world.setGravity(Vector3d(s.gravity\[0\], /&0.999 */'
  by_angle ./spoilt
  is_text $? 1 "... with a thousandth less gravity it is not"
  first_orders './dart dantzig erp=1'
  ok_if $? "DART has order 1 where rods close a loop"
  holds "... and on bodies" orders "$(mechanism tree)" ./dart 0.01 0.3 q=1 p=1
  holds "... that make a loop" orders "$(mechanism slider-crank)" './dart dantzig erp=1' 0.01 0.2 q=1 p=1
  gives 2 'by this joint: cylindrical' simulate "$(mechanism types)" "$(engine ./dart)" --allow-external \
    --step 0.01 --until 0.1
  gives 3 'DART requires steps above 0' simulate "$(system pendulum)" "$(engine ./dart)" --allow-external \
    --step -0.05 --until -1
else
  skip_without libdart-dev "no DART: $(head -n 1 err)"
fi

# left LEAST MOST COMMAND: the largest |g| of a pendulum is between these
left() {
  steps_of "$3" | awk -F, -v least="$1" -v most="$2" '
    NR > 1 && $(NF - 1) > worst { worst = $(NF - 1) }
    END { print "# |g| " worst; exit !(NR == 102 && worst >= least + 0 && worst <= most + 0) }'
  ok_if $? "$3 leaves a |g| between $1 and $2"
}

# first_multiplier COMMAND: of the pendulum, at its start; 1.05 is right
first_multiplier() {
  printf 'hello 1 double 17\nsystem 2 mass 1 fixed 0 0 rod -1 0 1 gravity 0 -1\nrun 0.01 0 0 0.6 -0.8 0.4 0.3\n' |
    $1 | awk '/^state/ { printf "%.4f", $7 }'
}

if built simbody; then
  agree sprung 0.005 2 './simbody verlet' rattle 12
  agree sprung 0.005 2 './simbody runge-kutta3' 'projection(base=rk3)' 12
  agree sprung 0.005 2 './simbody semi-explicit-euler' symplectic-euler-rattle 12
  agree pendulum 0.05 5 './simbody explicit-euler' 'projection(base=euler)' 12
  agree hanging-chain 0.02 2 './simbody runge-kutta3' 'projection(base=rk3)' 8
  is_text "$(first_multiplier './simbody verlet')" 1.0500 "Simbody's multipliers are ours"
  orders "$(mechanism types)" './simbody runge-kutta3' 0.01 0.2 q=3 p=3 lambda=1 lambda-state=3
  ok_if $? "Simbody's RungeKutta3Integrator has order 3 on all joints that make a tree"
  orders "$(mechanism slider-crank)" './simbody runge-kutta3' 0.01 0.2 q=3 p=3 lambda=1
  ok_if $? "... and on a loop, in the reactions too"
  orders 'random-mechanism(seed=2)' './simbody runge-kutta3' 0.01 0.2 q=3 p=3 lambda=1
  ok_if $? "... and on a random mechanism with loops and forces"
  gives 3 'projection or iteration failed' simulate "$(system double-pendulum)" \
    'engine(command="./simbody verlet",tolerance=1e-10)' --allow-external --step 0.05 --until 2
  gives 3 'do not go back in time' simulate "$(system pendulum)" "$(engine './simbody verlet')" \
    --allow-external --step -0.05 --until -1
  spoilt simbody 's/r\.length/(1e-6 + r.length)/'
  left 1e-7 1e-5 './spoilt verlet'
else
  skip_without libsimbody-dev "no Simbody: $(head -n 1 err)"
fi

if built mujoco; then
  agree sprung 0.005 2 './mujoco Euler' symplectic-euler-rattle 12
  agree sprung 0.005 2 './mujoco RK4' 'projection(base=rk4)' 12
  orders "$(mechanism double-pendulum)" './mujoco RK4' 0.02 0.6 q=4 p=4 lambda=1 lambda-state=4
  ok_if $? "MuJoCo's RK4 has order 4 on hinges; its multipliers are those of the state"
  orders "$(mechanism tree)" './mujoco RK4' 0.02 0.6 q=2 p=2 lambda=1
  ok_if $? "... and 2 with a ball, whose quaternion it advances by a mean of velocities"
  holds "MuJoCo's Euler has order 1 there" orders "$(mechanism tree)" './mujoco Euler' 0.02 0.6 q=1 p=1 lambda=1
  orders "$(mechanism types)" './mujoco RK4' 0.02 0.2 q=4 p=4 lambda=1 lambda-state=4
  ok_if $? "... and 4 on all joints that make a tree"
  spoilt mujoco 's/forces\[i\].about/(-1.0 * forces[i]).about/'
  orders "$(mechanism tree)" './spoilt Euler' 0.02 0.6 q=1
  is_text $? 1 "... and none with forces of the other sign"
  gives 2 'closes no loop by a joint prismatic' simulate "$(mechanism guides)" "$(engine './mujoco RK4')" \
    --allow-external --step 0.01 --until 0.1
  # Rods are soft: their g is what h² and the impedance leave.
  left 6e-3 7e-3 './mujoco RK4'
  left 1.5e-3 1.8e-3 './mujoco RK4 direct'
  is_text "$(first_multiplier './mujoco Euler')" 0.7999 "MuJoCo leaves out the acceleration towards the pivot"
  gives 3 'does not go back' simulate "$(system pendulum)" "$(engine './mujoco Euler')" \
    --allow-external --step -0.05 --until -1
  gives 3 'unstable' simulate "$(system x-h-bonds-free)" "$(engine './mujoco Euler')" --allow-external \
    --step 0.01 --until 0.3
else
  skip_without libmujoco-dev "no MuJoCo: $(head -n 1 err)"
fi
tap_done
