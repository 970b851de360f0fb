#!/bin/sh
# Engines of plug-ins (<shakedown/engine.h>): the example computes the states of RATTLE, and as leapfrog, with
# velocities half a step before positions, its positions; what is no system of points and bonds is refused;
# a step that fails gives its reason.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
unset CC
cp "$SHAKEDOWN_SOURCE/examples/plugins/verlet.c" .
gives 0 'integrator verlet-c' plugin build verlet.c
is_text "$(cat err)" "" "it compiles without a warning"
# last PROBLEM INTEGRATOR: the last row after 20 steps
last() {
  shakedown simulate "$1" "$2" --plugin ./verlet.so --plugin ./leap.so --step 0.002 --until 0.04 --every 20 \
    2>err | tail -n 1 || diag "$(cat err)"
}
# The velocities of the plug-in's start half a step before it; a step is a kick and a drift with SHAKE.
{
  sed '/^static int step_in/,$d' verlet.c
  cat <<'C'
static int step(const struct shk_points *s, double *x, double *v, double *multipliers, double h)
{
  double force[64], old[64], free_x[64];
  const int n = s->count * s->dimension, code = kick(s, v, force, x, 2 * h);
  memcpy(old, x, (size_t)n * sizeof *x);
  for (int i = 0; i < n; i++)
    free_x[i] = x[i] += h * v[i];
  if (!sweep(s, x, NULL, old, multipliers))
    return SHK_NOT_CONVERGED;
  for (int i = 0; i < n; i++)
    v[i] += (x[i] - free_x[i]) / h;
  return code;
}
static const struct shk_stated claims[] = {SHK_CLAIM(ORDER_Q, 2), SHK_CLAIM(ORDER_P, 2),
                                           SHK_CLAIM(PRESYMPLECTIC, SHK_YES),
                                           SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES), {0}};
SHK_PROVIDE_ENGINE(leap, step, true, .name = "leap-c", .summary = "leapfrog", .claims = claims);
C
} >leap.c
gives 0 'integrator leap-c' plugin build leap.c
for problem in alkane 'chain(links=3,start=zigzag)' 'chain(links=3,dimension=3,spring=2,start=random(seed=3))'; do
  for engine in verlet-c leap-c rattle; do
    last "$problem" $engine
  done >rows
  python3 - "$problem" <<'P'
import sys
engine, leap, rattle = ([float(x) for x in line.split(",")] for line in open("rows"))
points = 12 if sys.argv[1] == "alkane" else 9 if "dimension=3" in sys.argv[1] else 6
def near(a, b, count):
    return all(abs(x - y) < 1e-11 * (1 + abs(y)) for x, y in zip(a[:1 + count], b))
sys.exit(not (near(engine, rattle, 2 * points) and near(leap, rattle, points)))
P
  ok_if $? "on $problem they are RATTLE" || diag "$(cut -c1-200 rows)"
done
make_study engines 'problems: ["chain(links=3,start=zigzag)"], integrators: [verlet-c, leap-c],
  steps: {largest: 0.02, halvings: 4}, until: 0.4, precision: [double, quad],
  measures: [order, constraint]'
gives 0 ' 0 falsified' run engines.yaml --plugin ./verlet.so --plugin ./leap.so
holds "their orders are held" [ "$(shakedown show engines.db --values | grep -c 'order of [qp] .*held')" -eq 4 ]
# A wrong one falls: the velocities are not those of the positions.
sed 's/(x\[i\] - free_x\[i\]) \/ h;/0;/; s/verlet-c/wrong-c/; s/(verlet, step/(wrong, step/' verlet.c >wrong.c
gives 0 'integrator wrong-c' plugin build wrong.c
gives 1 'falsified' try wrong-c --plugin ./wrong.so

# ---- what is refused, and what fails ----
while read -r problem words; do
  gives 2 "$words" simulate "$problem" verlet-c --plugin ./verlet.so --step 0.01 --until 0.1
done <<'END'
sprung-pendulum systems of points whose constraints are bonds
driven-pendulum constraints that depend on time
random-system(size=medium,sways=yes,seed=3) does not accept forces that depend on time
END
gives 2 'double precision only' simulate alkane verlet-c --plugin ./verlet.so --step 0.01 --until 0.1 \
  --precision quad
sed 's/SWEEPS = 10000/SWEEPS = 2/; s/verlet-c/hasty-c/; s/(verlet, step/(hasty, step/' verlet.c >hasty.c
gives 0 'integrator hasty-c' plugin build hasty.c
gives 3 "the engine's step does not converge (not-converged)" simulate alkane hasty-c --plugin ./hasty.so \
  --step 0.01 --until 0.1
tap_done
