/*
 * The geometry that SHAKE and RATTLE stand on (McLachlan, Modin, Verdier & Wilkins 2014, §2 and §5.4): the rank
 * of the form on M and on M^H, and where on a fibre of the sphere in phase space H is critical.
 */
#include "tests/kit/form.h"

#include <shakedown/bind.h>

/* ---- ranks ---- */

/* ω has the rank 2n - 2m on g = 0, whose kernel are the m directions of the fibre, and on M^H, which has so
 * many dimensions, the same: there it is symplectic. */
static void check_ranks(const char *problem)
{
  static real row[MOST][MOST], basis[MOST][MOST];
  DRIVE d = {0};
  begin_own(&d, problem, "rattle", "0.01");
  const int n = d.bound.start.n, m = d.bound.start.m;
  if (!tap_ok(n > 0 && 2 * n <= MOST, "%s is bound: %d coordinates, %d constraints", problem, n, m))
    return;
  int count = tangent(basis, row, gradients(&d, row, false), 2 * n);
  const int rank = rank_of_form(basis, count, n);
  tap_ok(count == 2 * n - m && rank == 2 * n - 2 * m,
         "%s: g = 0 has %d dimensions, where the form has the rank %d", problem, count, rank);
  count = tangent(basis, row, gradients(&d, row, true), 2 * n);
  const int hidden = rank_of_form(basis, count, n);
  tap_ok(count == 2 * n - 2 * m && hidden == count,
         "%s: with the hidden constraint %d, where it is not degenerate", problem, count);
}

/* Two functions whose bracket is one, q1 and p1: the form keeps its rank on their zeros, and there is no
 * fibre. */
static void check_no_fibre(void)
{
  static const real row[2][MOST] = {{1, 0, 0, 0}, {0, 0, 1, 0}};
  static real basis[MOST][MOST];
  const int count = tangent(basis, row, 2, 4), rank = rank_of_form(basis, count, 2);
  tap_ok(count == 2 && rank == 2, "on q1 = p1 = 0 the form has the rank %d of %d, not 2n - 2m = 0",
         rank, count);
}

/* ---- critical points on fibres ---- */

enum { SAMPLES = 1440 };

struct fibre {
  struct shk_drive d;
  struct shk_fibre *fibre;
  int n;
};

static bool begin_fibre(struct fibre *f, const char *problem)
{
  const bool ok = begin_own(&f->d, problem, "rattle(flow=midpoint)", "0.1") &&
                  shk_bind_fibre(&f->fibre, BINDING_OF(&f->d.bound.observer)).code == SHK_OK;
  f->n = ok ? f->d.bound.start.n : 0;
  return tap_ok(ok, "%s is bound", problem);
}

/* exp(s X_g) z. */
static void along(const struct fibre *f, real *at, const real *z, real s)
{
  if (shk_fibre_slide(f->fibre, at, at + f->n, 0, z, z + f->n, &s).code != SHK_OK)
    abort();
  for (int i = 0; i < 2 * f->n; i++)
    at[i] += z[i];
}

/* ψ = {g,H}, minus the slope of H along the fibre. */
static real slope(const struct fibre *f, const real *z, real s)
{
  real at[8], g, psi;
  along(f, at, z, s);
  if (shk_fibre_residuals(f->fibre, &g, &psi, NULL, 0, at, at + f->n).code != SHK_OK)
    abort();
  return psi;
}

static real bent(const struct fibre *f, const real *z, real s)
{
  real at[8], N;
  along(f, at, z, s);
  if (shk_fibre_matrix(f->fibre, &N, NULL, 0, at, at + f->n).code != SHK_OK)
    abort();
  return N;
}

/* Where H is critical on the fibre through z: how many there are, the first eight to `where`. */
static int critical(const struct fibre *f, const real *z, real *where)
{
  const real whole = 2 * real_acos(-1);
  int count = 0;
  real before = slope(f, z, 0);
  for (int k = 1; k <= SAMPLES; k++) {
    real low = whole * (k - 1) / SAMPLES, high = whole * k / SAMPLES;
    const real after = slope(f, z, high);
    if ((before < 0) != (after < 0)) {
      for (int pass = 0; pass < 60; pass++) {
        const real middle = (low + high) / 2;
        if ((slope(f, z, middle) < 0) == (before < 0))
          low = middle;
        else
          high = middle;
      }
      if (count < 8)
        where[count] = (low + high) / 2;
      count++;
    }
    before = after;
  }
  return count;
}

static unsigned random_state;

static real uniform(void)
{
  random_state = random_state * 1664525u + 1013904223u;
  return (real)(random_state >> 8) / 16777216 * 2 - 1;
}

/* A point on the unit sphere of R⁴. */
static void draw(real *z)
{
  real length = 0;
  for (int i = 0; i < 4; i++) {
    z[i] = uniform();
    length += z[i] * z[i];
  }
  for (int i = 0; i < 4; i++)
    z[i] /= real_sqrt(length);
}

/* Without potential: four on each fibre, two antipodal ones in each component, |q| > |p| and |q| < |p|, of
 * M^H, told apart by the sign of N; H is constant on two fibres. */
static void check_without_potential(void)
{
  struct fibre f;
  const real half = real_acos(-1);
  if (!begin_fibre(&f, "harmonic-sphere(gravity=0,radius2=1)"))
    return;
  int four = 0, antipodal = 0, components = 0;
  enum { DRAWN = 50 };
  for (int k = 0; k < DRAWN; k++) {
    real z[4], s[8] = {0}, at[8];
    draw(z);
    four += critical(&f, z, s) == 4;
    antipodal += real_fabs(s[2] - s[0] - half) < R(1e-6) && real_fabs(s[3] - s[1] - half) < R(1e-6);
    int right = 0;
    for (int i = 0; i < 4; i++) {
      along(&f, at, z, s[i]);
      const real gap = at[0] * at[0] + at[1] * at[1] - at[2] * at[2] - at[3] * at[3];
      right += (bent(&f, z, s[i]) > 0) == (gap > 0);
    }
    components += right == 4 && bent(&f, z, s[0]) * bent(&f, z, s[1]) < 0;
  }
  tap_ok(four == DRAWN, "without potential: four critical points on %d of %d fibres", four, DRAWN);
  tap_ok(antipodal == DRAWN, "two pairs of antipodal ones on %d", antipodal);
  tap_ok(components == DRAWN, "a pair in each component, |q| > |p| and |q| < |p|, on %d",
         components);
  const real root = real_sqrt(R(0.5)), exceptional[4] = {root, 0, 0, root};
  real worst = 0;
  for (int k = 0; k < 100; k++)
    worst = real_max(worst, real_fabs(slope(&f, exceptional, R(0.0628) * k)));
  tap_ok(worst <= 10 * REAL_EPSILON, "on the exceptional fibre all points are: slope %.1e",
         (double)worst);
  shk_drive_end(&f.d);
}

/* With H' = R sin(2θ - β) + S sin(θ - δ): roots by the astroid |u|^⅔ + |v|^⅔ = (2R)^⅔, (u,v) = S at the angle
 * δ - β/2; four inside, two outside. */
static real inside_astroid(const real *z)
{
  const real a = (z[0] * z[0] + z[1] * z[1] - z[2] * z[2] - z[3] * z[3]) / 2;
  const real b = z[0] * z[2] + z[1] * z[3], c = -z[1], d = -z[3]; /* γ = (0,-1) */
  const real big = real_sqrt(a * a + b * b), small = real_sqrt(c * c + d * d);
  const real angle = real_atan2(d, c) - real_atan2(b, a) / 2;
  const real third = R(1.0) / 3;
  const real u = small * real_cos(angle), v = small * real_sin(angle);
  return real_pow(2 * big, 2 * third) - real_pow(u * u, third) - real_pow(v * v, third);
}

/* With a linear potential: two or four, by the astroid, and not by which of two magnitudes is larger; where
 * one becomes the other, a degenerate one. */
static void check_linear_potential(void)
{
  enum { DRAWN = 200 };
  struct fibre f;
  if (!begin_fibre(&f, "harmonic-sphere(radius2=1)"))
    return;
  int two = 0, four = 0, told = 0, by_magnitude = 0;
  for (int k = 0; k < DRAWN; k++) {
    real z[4], s[8];
    draw(z);
    const int count = critical(&f, z, s);
    const real a = (z[0] * z[0] + z[1] * z[1] - z[2] * z[2] - z[3] * z[3]) / 2;
    const real b = z[0] * z[2] + z[1] * z[3];
    two += count == 2;
    four += count == 4;
    told += count == (inside_astroid(z) > 0 ? 4 : 2);
    by_magnitude += count == (a * a + b * b > z[1] * z[1] + z[3] * z[3] ? 4 : 2);
  }
  tap_ok(two + four == DRAWN && two >= 20 && four >= 20,
         "linear potential: two critical points on %d fibres, four on %d", two, four);
  tap_ok(told == DRAWN, "which of them, the astroid tells on all of %d", told);
  tap_ok(by_magnitude <= DRAWN - 10, "the larger of two magnitudes on %d only", by_magnitude);
  /* From a fibre with four to one with two: where they change two of the four have met. */
  real from[4] = {R(0.9), 0, R(0.3), R(0.1)}, to[4] = {R(0.1), R(0.7), R(0.2), R(0.65)}, z[4], s[8];
  real low = 0, high = 1;
  for (int pass = 0; pass < 40; pass++) {
    const real middle = (low + high) / 2;
    real length = 0;
    for (int i = 0; i < 4; i++) {
      z[i] = from[i] + middle * (to[i] - from[i]);
      length += z[i] * z[i];
    }
    for (int i = 0; i < 4; i++)
      z[i] /= real_sqrt(length);
    if (inside_astroid(z) > 0)
      low = middle;
    else
      high = middle;
  }
  /* The last point is 1e-12 from the change: N there is the root of it. */
  real least = 1, steepest = 0;
  for (int k = 0; k < 100 * SAMPLES; k++) {
    const real at = 2 * real_acos(-1) * k / (100 * SAMPLES);
    if (real_fabs(slope(&f, z, at)) < R(1e-7))
      least = real_min(least, real_fabs(bent(&f, z, at)));
    steepest = real_max(steepest, real_fabs(bent(&f, z, at)));
  }
  const int left = critical(&f, z, s);
  tap_ok((left == 2 || left == 4) && least < R(1e-3) && steepest > R(0.1),
         "between them one is degenerate: |N| = %.1e, elsewhere up to %.2g", (double)least,
         (double)steepest);
  shk_drive_end(&f.d);
}

/* Figure 6: along SHAKE's path from z_a fibres have two and four. */
static void check_path(void)
{
  struct fibre f;
  DRIVE d = {0};
  if (!begin_fibre(&f, "harmonic-sphere"))
    return;
  bool ok = begin(&d, "harmonic-sphere", "shake", "midpoint", "0.1");
  int two = 0, four = 0, steps = 0;
  for (; ok && steps < 100; steps++) {
    real z[4], s[8];
    ok = advance(&d, 1);
    for (int i = 0; ok && i < 2; i++) {
      z[i] = d.current.q[i];
      z[2 + i] = d.current.p[i];
    }
    const int count = ok ? critical(&f, z, s) : 0;
    two += count == 2;
    four += count == 4;
  }
  tap_ok(ok && two > 0 && four > 0 && two + four == steps,
         "along SHAKE's path from z_a: two on %d fibres, four on %d", two, four);
  shk_drive_end(&f.d);
}

int main(void)
{
  static const char *const problems[] = {
      "sprung-pendulum", "double-pendulum", "charged-pendulum",
      "dimer",           "free-rigid-body", "slider-crank(driven=no)",
      "index-one",       "harmonic-sphere", "harmonic-sphere(dimension=3)",
      "coupled-spheres", "lifted-rotation", "zero-angular-momentum"};
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
    check_ranks(problems[i]);
  check_no_fibre();
  random_state = (unsigned)tap_seed(20141127);
  check_without_potential();
  check_linear_potential();
  check_path();
  return tap_done();
}
