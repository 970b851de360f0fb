/*
 * The modified Hamiltonian: of Störmer and Verlet's method on the pendulum it is the one of the
 * Baker-Campbell-Hausdorff formula; it is conserved to the order of the differences; and what is not
 * symplectic has none.
 */
#include "measures/structure.h"

#include "engine/registry.h"
#include "foundation/message.h"
#include "mechanics/system/state.h"
#include "tests/kit/structure_cell.h"

/* ---- the pendulum in its angle, H = p²/2 - cos q ---- */

struct pendulum {
  int terms; /* of H~ - H that are added to H: none, that of h², those of h² and h⁴ */
  real h;
};

/*
 * exp(h/2 V) exp(h T) exp(h/2 V) = exp(h H~), H~ = H + h² H2 + h⁴ H4 + …, with the symmetric BCH formula
 * (Hairer, Lubich & Wanner, GNI, eq. III.4.15) for V = -cos q, T = p²/2:
 *
 *     H2 = p² cos q/12 - sin² q/24
 *     H4 = p⁴ cos q/720 - p² sin² q/40 + p²/60 - sin² q cos q/240
 */
static int energy(const void *context, real *value, real t, const real *q, const real *p)
{
  const struct pendulum *pendulum = context;
  const real c = real_cos(q[0]), s2 = 1 - c * c, p2 = p[0] * p[0], h2 = pendulum->h * pendulum->h;
  *value = p2 / 2 - c;
  if (pendulum->terms > 0)
    *value += h2 * (p2 * c / 12 - s2 / 24);
  if (pendulum->terms > 1)
    *value += h2 * h2 * (p2 * p2 * c / 720 - p2 * s2 / 40 + p2 / 60 - s2 * c / 240);
  return 0;
}

static int energy_q(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct pendulum *pendulum = context;
  const real c = real_cos(q[0]), s = real_sin(q[0]), p2 = p[0] * p[0],
             h2 = pendulum->h * pendulum->h;
  out[0] = s;
  if (pendulum->terms > 0)
    out[0] -= h2 * s * (p2 + c) / 12;
  if (pendulum->terms > 1)
    out[0] -= h2 * h2 * s * (p2 * p2 + 36 * p2 * c - 9 * s * s + 6) / 720;
  return 0;
}

static int energy_p(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct pendulum *pendulum = context;
  const real c = real_cos(q[0]), s2 = 1 - c * c, p2 = p[0] * p[0], h2 = pendulum->h * pendulum->h;
  out[0] = p[0];
  if (pendulum->terms > 0)
    out[0] += h2 * p[0] * c / 6;
  if (pendulum->terms > 1)
    out[0] += h2 * h2 * p[0] * (p2 * c - 9 * s2 + 6) / 180;
  return 0;
}

/* ---- maps ---- */

enum map { VERLET, EULER, RUNGE_KUTTA };

struct maker {
  enum map map;
  real loss; /* p <- (1 - loss h) p after a step */
};

static void slope(real *f, const real *z)
{
  f[0] = z[1];
  f[1] = -real_sin(z[0]);
}

static void runge_kutta(real *z, real h)
{
  static const int parts[] = {0, 1, 1, 2}, weights[] = {1, 2, 2, 1};
  real f[2] = {0, 0}, sum[2] = {0, 0};
  for (int stage = 0; stage < 4; stage++) {
    const real at[2] = {z[0] + h * parts[stage] / 2 * f[0], z[1] + h * parts[stage] / 2 * f[1]};
    slope(f, at);
    for (int i = 0; i < 2; i++)
      sum[i] += weights[stage] * f[i];
  }
  for (int i = 0; i < 2; i++)
    z[i] += h / 6 * sum[i];
}

static struct shk_status made_step(void *method, struct shk_state *to, const struct shk_state *from,
                                   real h)
{
  const struct maker *maker = method;
  real z[2] = {from->q[0], from->p[0]}, f[2];
  shk_state_copy(to, from);
  if (maker->map == VERLET) {
    z[1] -= h / 2 * real_sin(z[0]);
    z[0] += h * z[1];
    z[1] -= h / 2 * real_sin(z[0]);
  } else if (maker->map == EULER) {
    slope(f, z);
    z[0] += h * f[0];
    z[1] += h * f[1];
  } else {
    runge_kutta(z, h);
  }
  to->q[0] = z[0];
  to->p[0] = z[1] * (1 - maker->loss * h);
  return shk_ok();
}

static const struct shk_integrator made = {
    .struct_size = sizeof made, .info = {.name = "made"}, .step = made_step};

/* ---- one measurement ---- */

struct measured {
  double defect, floor, size, fourth, eighth;
};

static double found(const struct shk_outcome *outcome, const char *what)
{
  return structure_scalar(outcome, "modified-hamiltonian", what);
}

static struct measured measure(const struct maker *maker, int terms, real h)
{
  const struct pendulum pendulum = {terms, h};
  struct shk_instance instance = {.struct_size = sizeof instance,
                                  .time_scale = 1,
                                  .system = {.struct_size = sizeof(struct shk_system),
                                             .n = 1,
                                             .features = SHK_GENERAL_HAMILTONIAN,
                                             .context = &pendulum,
                                             .hamiltonian = energy,
                                             .hamiltonian_q = energy_q,
                                             .hamiltonian_p = energy_p}};
  struct shk_evaluator evaluator = {0};
  struct shk_manifold *manifold = NULL;
  STATE start = {0};
  OUTCOME outcome = {0};
  if (shk_evaluator_init(&evaluator, &instance.system).code != SHK_OK ||
      shk_bind_manifold(&manifold, &(struct shk_binding){.workspace = evaluator.workspace,
                                                         .evaluator = &evaluator})
              .code != SHK_OK ||
      !shk_state_init(&start, 1, 0))
    abort();
  start.q[0] = R(0.7);
  start.p[0] = R(1.1);
  real q_scale = start.q[0], p_scale = start.p[0];
  const struct shk_map map = {.instance = &instance,
                              .manifold = manifold,
                              .integrator = &made,
                              .method = (void *)maker,
                              .start = &start,
                              .step = h,
                              .q_scale = &q_scale,
                              .p_scale = &p_scale};
  const struct shk_status status = shk_structure_measure(
      &outcome, &shk_structure_modified_hamiltonian, "modified-hamiltonian", &map, NULL);
  char text[256];
  if (status.code != SHK_OK)
    tap_diag("%s", shk_status_text(text, sizeof text, status));
  const struct measured all = {found(&outcome, "defect"), found(&outcome, "floor"),
                               found(&outcome, "size"), found(&outcome, "residual-4"),
                               found(&outcome, "residual-8")};
  shk_evaluator_clear(&evaluator);
  return all;
}

static double power(double coarse, double fine)
{
  return log(coarse / fine) / log(2);
}

/* ---- tests ---- */

/* Of which the next is half: from a twentieth of the time scale on segments are as long at both. */
static const real h = R(0.05);

static void against_bch(void)
{
  const struct maker verlet = {VERLET, 0};
  for (int terms = 0; terms <= 2; terms++) {
    const struct measured coarse = measure(&verlet, terms, h),
                          fine = measure(&verlet, terms, h / 2);
    tap_is_near(power(coarse.size, fine.size), 2 * terms + 2, 0.3,
                "less the terms of BCH up to h^%d, what is left of the field is of order %d",
                2 * terms, 2 * terms + 2);
    tap_ok(coarse.defect <= 1e3 * coarse.floor && fine.defect <= 1e3 * fine.floor,
           "... and it is conserved, whatever H it is compared with: %.1e at floor %.1e",
           fine.defect, fine.floor);
  }
  const struct measured coarse = measure(&verlet, 0, h), fine = measure(&verlet, 0, h / 2);
  tap_is_near(power(coarse.fourth, fine.fourth), 4, 0.3, "differences of order 4 find it to h^4");
  if (SHK_PRECISION > 64)
    tap_is_near(power(coarse.eighth, fine.eighth), 8, 0.5, "... of order 8 to h^8");
}

/* Areas change by some power of h in a unit of time, and so do line integrals. */
static void without(const char *what, struct maker maker, double order, double within)
{
  const struct measured coarse = measure(&maker, 0, h), fine = measure(&maker, 0, h / 2);
  tap_ok(fine.defect > 1e6 * fine.floor, "%s: %.1e floors", what, fine.defect / fine.floor);
  tap_is_near(power(coarse.defect, fine.defect), order, within, "... of order %g", order);
}

static void held(const char *problem, const char *integrator)
{
  double floors;
  const enum shk_code code =
      measure_structure(&floors, "modified-hamiltonian", problem, integrator);
  tap_ok(code == SHK_OK && floors <= 1e3, "%s conserves one on %s: %.2g floors", integrator,
         problem, floors);
}

static void broken(const char *problem, const char *integrator, double least)
{
  double floors;
  const enum shk_code code =
      measure_structure(&floors, "modified-hamiltonian", problem, integrator);
  tap_ok(code == SHK_OK && floors >= least, "%s conserves none on %s: %.2g floors", integrator,
         problem, floors);
}

int main(void)
{
  static const char sphere[] = "harmonic-sphere(dimension=3,gravity=0.05,quartic=0.1,start=half)";
  struct shk_message error;
  against_bch();
  without("explicit Euler", (struct maker){EULER, 0}, 1, 0.4);
  without("momenta that lose a ten-thousandth", (struct maker){VERLET, R(1e-4)}, 0, 0.4);
  if (SHK_PRECISION > 64)
    /* The field is off by h^4, but near the pendulum's rest its divergence by h^5. */
    without("Runge and Kutta's method", (struct maker){RUNGE_KUTTA, 0}, 4.9, 0.9);
  static const char *const problems[] = {sphere, "spherical-pendulum", "sprung-pendulum"};
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
    held(problems[i], "rattle");
    held(problems[i], "shake");
    broken(problems[i], i == 1 ? "baumgarte" : "rattle(flow=one-step(euler))", 1e4);
  }
  const char *const plugin = getenv("SHAKEDOWN_BAD_SLIDE");
  tap_ok(plugin && shk_registry_load(&test_context, plugin, &error), "wrong slides load");
  held(sphere, "bad-slide");
  broken(sphere, "bad-slide(fault=tangent)", 1e4);
  broken(sphere, "bad-slide(fault=shear)", 1e4); /* keeps volumes, and no more */
  broken(sphere, "bad-slide(fault=normal)", 1e4);
  return tap_done();
}
