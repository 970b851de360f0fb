#!/bin/sh
# What an author never claimed: the hidden constraint that Shakedown solves for a constraint solver,
# orders of a solver that does not claim to keep the constraint, and precisions that a program or a
# solver does not have.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
unset CC CXX

# ---- solvers that stop after three sweeps: one says so, one says nothing, one is a program ----
cat >own.c <<'C'
#include <shakedown/plugin.h>

static long sweeps(const struct shk_rod_task *task, long limit)
{
  for (long k = 0; k < limit && k < task->iterations; k++) {
    real largest = 0;
    for (int i = 0; i < task->rods; i++) {
      real now[3], along[3];
      shk_rod_vector(now, task, task->positions, i);
      shk_rod_vector(along, task, task->before, i);
      const real g = (real_dot(now, now, task->dimension) - task->rod[i].square) / 2;
      const real own = real_dot(now, along, task->dimension) * shk_rod_inverse_mass(task, i);
      shk_rod_push(task, i, along, g / own);
      largest = real_max(largest, real_fabs(g));
    }
    if (largest <= task->tolerance)
      return k + 1;
  }
  return limit > 3 ? -1 : limit;
}

static long three(void *self, const struct shk_rod_task *task)
{
  (void)self;
  return sweeps(task, 3);
}

static long all(void *self, const struct shk_rod_task *task)
{
  (void)self;
  return sweeps(task, 1000);
}

#define SOLVER(id, its_name, its_solve, only_double, ...)                                          \
  static const struct shk_stated id##_claims[] = SHK_LIST(__VA_ARGS__);                            \
  static const struct shk_rod_solver id = {.struct_size = sizeof id,                               \
                                           .info = {.name = its_name,                              \
                                                    .summary = "sweeps",                           \
                                                    .claims = id##_claims,                         \
                                                    .double_only = only_double},                   \
                                           .solve = its_solve}
#define KEEPS(answer) SHK_CLAIM(KEEPS_CONSTRAINT, answer)
SOLVER(denies, "denies", three, false, KEEPS(SHK_NO), SHK_CLAIM(KEEPS_MOMENTA, SHK_YES));
SOLVER(silent, "says-nothing", three, false, SHK_CLAIM(KEEPS_MOMENTA, SHK_YES));
SOLVER(boasts, "boasts", three, false, KEEPS(SHK_YES), SHK_CLAIM(KEEPS_MOMENTA, SHK_YES));
SOLVER(doubles, "doubles", all, true, KEEPS(SHK_YES));
SOLVER(any, "any-precision", all, false, KEEPS(SHK_YES));
SHK_PROVIDE(own, .solvers = SHK_SOLVERS(&denies, &silent, &boasts, &doubles, &any));
C
ends 0 "build the solvers" plugin build own.c
cp "$SHAKEDOWN_SOURCE/examples/external/sweep.py" .
sed 's/keeps-constraint=yes/keeps-constraint=no/; s/ newtons-multipliers=yes/ /; s/ symmetric=yes//
  s/ symplectic=yes//; s/order-solve=1//; s/range(iterations + 1)/range(min(iterations + 1, 3))/
  s/return (iterations, impulse) if .*/return 3, impulse/' sweep.py >denies.py
cat >few.yaml <<'Y'
study: few-sweeps
runs:
  - problems: [alkane, 'chain(links=3,spring=2,start=zigzag)']
    integrators: [rattle(solver=denies), rattle(solver=says-nothing), rattle(solver=boasts),
                  'rattle(solver=program("python3 denies.py"))']
    steps: [0.002, 0.001, 0.0005, 0.00025]
    until: 0.01
    precision: finest
    measures: [order, constraint, symmetry]
Y
ends 1 "few sweeps" run few.yaml -o few.db -q --allow-external --plugin ./own.so
"$SHAKEDOWN" show few.db --format csv >all
for solver in denies says-nothing denies.py; do
  of=$(grep -F "$solver" all)
  is_text "$(echo "$of" | grep -c falsified)" 0 "$solver: nothing is falsified"
  holds "$solver: the hidden constraint is measured" [ "$(echo "$of" | grep -c 'hidden')" -ge 1 ]
  is_text "$(echo "$of" | grep 'hidden\|order of' | grep -c ',held,\|,undecided,')" 0 \
    "$solver: neither it nor an order is judged"
done
grep -F 'rattle(solver=boasts)' all | grep -q 'constraint max.*,falsified,'
ok_if $? "a solver that claims to keep the constraint is judged"

# ---- double only ----
sed 's/precision=any/precision=double/' sweep.py >double.py
sed 's/precision=any/precision=double/' "$SHAKEDOWN_SOURCE/examples/external/rattle.py" >moves.py
cp "$SHAKEDOWN_SOURCE/examples/external/rattle.py" any.py
for precision in finest 'double, quad'; do
  make_study only "problems: ['chain(links=2,spring=2,start=zigzag)'],
    integrators: [rattle(solver=program(\"python3 double.py\")), external(\"python3 moves.py\"),
    rattle(solver=doubles), 'composition(base=external(\"python3 moves.py\"),scheme=triple-jump)',
    rattle(flow=integrator(base=external(\"python3 moves.py\"))),
    rattle(solver=program(\"python3 sweep.py\")), external(\"python3 any.py\"),
    rattle(solver=any-precision)], steps: [0.01], until: 0.01, precision: [$precision],
    measures: [constraint]"
  rm -f only.db
  ends 0 "in $precision" run only.yaml -o only.db -q --allow-external --plugin ./own.so
  "$SHAKEDOWN" show only.db --cells --format csv >"${precision%%,*}.csv"
done
for one in double.py moves.py '=doubles' composition flow=; do
  grep -F -e "$one" finest.csv | grep -q ',double,.*,ok,'
  ok_if $? "$one: its finest precision is double"
  is_text "$(grep -F -e "$one" double.csv | grep -c ',quad,')" 0 "... and quad is left out"
done
for one in sweep.py any.py any-precision; do
  grep -F -e "$one" finest.csv | grep -q ',quad,.*,ok,'
  ok_if $? "$one: its finest precision is quad"
done
ends 0 "describe" describe 'rattle(solver=doubles)' --plugin ./own.so
says 'precision  *double$' "describe names the precision"
ends 2 "quad is refused" simulate alkane 'rattle(solver=doubles)' --plugin ./own.so \
  --precision quad --step 0.001 --until 0.01
says 'the solver works in double precision only' "... with the reason"
ends 3 "try decides in double, and names the claims that are left to certify" try 'python3 double.py' --budget 60
is_text "$(grep -c 'quad' out)" 0 "... and names no other precision"

# ---- warnings at steps that no method can take ----
python_with numpy
export PYTHONPATH="$SHAKEDOWN_SOURCE/python" SHAKEDOWN_PYTHON="$python"
cat >warns.py <<'P'
"""RATTLE for the pendulum. Far off, its powers overflow, of which numpy warns."""
import sys

import numpy as np
import shakedown


class Warns(shakedown.Integrator):
    order_q = order_p = 2
    keeps_constraint = keeps_hidden = True

    def step(self, q, p, t, h):
        g, G = self.problem.g, self.problem.G
        p = p - h / 2 * self.problem.H_q(q, p, t)
        free, along = q + h * p, G(q).T
        new, shift = free.copy(), np.zeros(along.shape[1])
        for _ in range(12):
            shift = shift + np.linalg.solve(G(new) @ along, g(new))
            new = free - along @ shift
        size = np.exp(np.abs(free).max())  # overflows from 710 on
        if not np.isfinite(size):
            raise shakedown.NotConverged("the step is too long")
        p = (new - q) / h
        p = p - h / 2 * self.problem.H_q(new, p, t)
        G1 = G(new)
        return new, p - G1.T @ np.linalg.solve(G1 @ G1.T, G1 @ p)


class WarnsLoudly(Warns):
    """The same with a warning at every step."""

    def step(self, q, p, t, h):
        np.float64(1) / np.float64(0)
        return super().step(q, p, t, h)


class Talks(Warns):
    """The same with a word in steps back."""

    def step(self, q, p, t, h):
        if h < 0:
            print("a step back", file=sys.stderr)
        return super().step(q, p, t, h)
P
make_study warns "problems: ['pendulum(angle=0.7,rate=1.1)'], integrators: [warns, warns-loudly, talks],
  steps: [1], until: 1, precision: [double], measures: [contract]"
ends 1 "methods that print" run warns.yaml -o warns.db -q --plugin ./warns.py
"$SHAKEDOWN" show warns.db --plugin ./warns.py --format csv >all
grep -q ',warns,double,.*,held,' all
ok_if $? "a warning of an overflow, in a step of a million units of time, is no fault"
for method in warns-loudly talks; do
  holds "$method prints at ordinary steps" grep -q ",$method,double,.*,falsified,.*is printed" all
done
tap_done
