/*
 * Which starts are consistent: every regular problem's own is, in its units and in others, and one
 * off its constraints by a millionth is not, whether lengths are nanometres or astronomical. Starts
 * given as decimals of this precision pass.
 */
#include "engine/bind.h"
#include "measures/block.h"
#include "tests/kit/registered.h"
#include "tests/kit/stepping.h"
#include "tests/kit/systems.h"

static const char *const units[] = {"", "length=1e-9,mass=1e-26,time=1e-15",
                                    "length=1e6,mass=1e-3,time=1e4",
                                    "length=1e11,mass=1e30,time=1e7", "length=1e-9,rewrite=yes"};
enum { UNITS = sizeof units / sizeof units[0] };

static const struct left_out too_large[] = {
    {"water-box", "648 coordinates; water is its molecule"},
#if SHK_PRECISION == 128
    {"bricard", "the singular values that tell that it is redundant take minutes"},
#endif
    {NULL, NULL}};

/* One part in `parts` of the size of x, against the gradient of the first row. */
static void push(real *x, int n, const real *gradient, real parts)
{
  const real size = real_max_norm(x, n) / real_max_norm(gradient, n) / parts;
  for (int i = 0; i < n; i++)
    x[i] += size * gradient[i];
}

/* Pushed off g = 0 by a millionth of q, and off the hidden constraint by one of p, if there are
 * momenta: both are refused. */
static void check_pushed(const char *spec, struct shk_bound *bound)
{
  struct shk_state *const s = &bound->start;
  struct shk_evaluator *const e = &bound->observer;
  real *const G = calloc((size_t)e->row_start[s->m] + 2 * (size_t)s->n, sizeof *G);
  real *const row = G + e->row_start[s->m], *const kept = row + s->n;
  struct shk_message error;
  bool ok = G && shk_jacobian(e, G, s->t, s->q).code == SHK_OK;
  for (int k = e->row_start[0]; ok && k < e->row_start[1]; k++)
    row[e->columns[k]] = G[k];
  for (int block = 0; ok && block < 2; block++) {
    real *const x = block == 0 ? s->q : s->p;
    memcpy(kept, x, (size_t)s->n * sizeof *x);
    if (real_max_norm(x, s->n) > REAL_EPSILON * real_max_norm(bound->floors.p, s->n)) {
      push(x, s->n, row, 1e6);
      tap_is_int(shk_check_consistency(bound, &error), SHK_INCONSISTENT,
                 "%s: %s a millionth off is refused", spec, block == 0 ? "q" : "p");
    }
    memcpy(x, kept, (size_t)s->n * sizeof *x);
  }
  free(G);
}

static void check_start(const char *spec)
{
  struct shk_bound bound;
  struct shk_message error = {""};
  const bool ok = shk_bind_problem(&test_context, &bound, spec, &error) == SHK_OK &&
                  shk_bind_point(&bound, NULL, NULL, false, &error) == SHK_OK;
  if (tap_ok(ok, "%s: its own start is consistent%s%s", spec, ok ? "" : ": ", error.text))
    check_pushed(spec, &bound);
  shk_unbind(&bound);
}

static void check_everywhere(void)
{
  const unsigned never = SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE;
  struct shk_inspection is;
  const char *name;
  check_left_out(too_large);
  for (int i = 0; (name = next_regular(&i, ~never, too_large, &is)) != NULL;)
    for (int k = 0; k < UNITS; k++) {
      char spec[160];
      snprintf(spec, sizeof spec, k == 0 ? "%s%s" : "transformed(%s,%s)", name, units[k]);
      check_start(spec);
    }
}

/* Decimals on the command line. The pendulum of 0.6 and 0.8 units of length at right angles to its
 * velocity. */
static void check_given(void)
{
  static const struct {
    const char *problem, *q, *p;
    enum shk_code code;
  } cases[] = {{"pendulum", "0.6,-0.8", "0.8,0.6", SHK_OK},
               {"pendulum", "0.6,-0.8001", "0.8,0.6", SHK_INCONSISTENT},
               {"pendulum(length=1e-9)", "0.6e-9,-0.8e-9", "0.8,0.6", SHK_OK},
               {"pendulum(length=1e-9)", "0.6e-9,-0.8001e-9", "0.8,0.6", SHK_INCONSISTENT},
               {"pendulum(length=1e-9)", "0.6e-9,-0.8e-9", "8e-10,6.001e-10", SHK_INCONSISTENT},
               {"pendulum(length=1e6)", "0.6e6,-0.8e6", "0.8,0.6", SHK_OK},
               {"pendulum(length=1e6)", "0.6e6,-0.8000001e6", "0.8,0.6", SHK_INCONSISTENT},
               {"pendulum(mass=1e9)", "0.6,-0.8", "8e8,6e8", SHK_OK},
               {"pendulum(mass=1e9)", "0.6,-0.8000001", "8e8,6e8", SHK_INCONSISTENT},
               {"pendulum", "0,-1", "0,0", SHK_OK},
               {"lemniscate", "0,0", "0,0", SHK_OK}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct shk_bound bound;
    struct shk_message error = {""};
    const bool bound_it =
        shk_bind_problem(&test_context, &bound, cases[i].problem, &error) == SHK_OK;
    const enum shk_code code =
        bound_it ? shk_bind_point(&bound, cases[i].q, cases[i].p, false, &error) : SHK_STOPPED;
    tap_ok(code == cases[i].code, "%s from q = %s, p = %s: %s %s", cases[i].problem, cases[i].q,
           cases[i].p, shk_code_name(code), error.text);
    shk_unbind(&bound);
  }
}

/* The start, and the state that the method reaches, put back as they are printed in this precision, are
 * consistent; off their constraints by a millionth they are not. */
static void check_put_back(const char *spec, const char *method)
{
  for (int steps = 0; steps <= 3; steps += 3) {
    STATE reached = {0};
    struct shk_bound again;
    struct shk_message error = {""};
    const bool ok = reach(&reached, spec, method, "0.001", NULL, steps);
    TEXT q = ok ? shk_block_text(reached.q, reached.n) : NULL;
    TEXT p = ok ? shk_block_text(reached.p, reached.n) : NULL;
    const bool is_put_back = ok &&
                             shk_bind_problem(&test_context, &again, spec, &error) == SHK_OK &&
                             shk_bind_point(&again, q, p, false, &error) == SHK_OK;
    if (tap_ok(is_put_back, "%s: the state after %d steps can be put back%s%s", spec, steps,
               is_put_back ? "" : ": ", error.text))
      check_pushed(spec, &again);
    if (ok)
      shk_unbind(&again);
  }
}

/* Mechanisms, in quad fewer, whose steps are slow: the loops of some are redundant, most have joints that round-off closes, and some
 * joints leave no motion, or none of what the file gives them. */
static void check_mechanisms(void)
{
  static const char *const files[] = {"double-pendulum", "four-bars",        "governor",
                                      "sarrus",          "scott-russell",    "slider-crank",
                                      "heavy-top",       "steady-precession"};
  static const char *const at_rest[] = {"fixed-cart", "slide-across", "slide-in-decimals",
                                        "welded"};
  char spec[160];
  use_systems_of("studies");
  for (int seed = 1; seed <= (SHK_PRECISION == 128 ? 4 : 40); seed++) {
    snprintf(spec, sizeof spec, "random-mechanism(seed=%d,bodies=%d,loops=%d)", seed, 1 + seed % 3,
             seed % 3 == 2);
    check_put_back(spec, "rattle(linear=svd)");
  }
  for (size_t i = 0; SHK_PRECISION != 128 && i < sizeof files / sizeof files[0]; i++) {
    snprintf(spec, sizeof spec, "mechanism(file=\"mechanisms/%s.yaml\")", files[i]);
    check_put_back(spec, "rattle(linear=svd)");
  }
  use_systems_of("tests/data");
  for (size_t i = 0; i < sizeof at_rest / sizeof at_rest[0]; i++) {
    snprintf(spec, sizeof spec, "mechanism(file=\"%s.yaml\")", at_rest[i]);
    check_put_back(spec, "rattle");
  }
}

int main(void)
{
  check_given();
  check_mechanisms();
  check_everywhere();
  return tap_done();
}
