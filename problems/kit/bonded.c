/* Angles and torsions. See bonded.h. */
#include "problems/kit/bonded.h"

/* Stores the vector from one point to another. The vector always has three components. */
static void vector_between(real *d, const struct shk_places *s, int from, int to)
{
  const int n = s->dimension;
  const real *x = from >= 0 ? s->q + from * n : s->fixed + (-1 - from) * n;
  const real *y = to >= 0 ? s->q + to * n : s->fixed + (-1 - to) * n;
  for (int k = 0; k < 3; k++)
    d[k] = k < n ? y[k] - x[k] : 0;
}

static void cross_bonded(real *out, const real *a, const real *b)
{
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Let u be the vector from b to a, v the vector from b to c, and w = u × v. Then θ_a = u ×
 * w/(u²|w|), θ_c = w × v/(v²|w|). */
int shk_angle_at(real *theta, real (*out)[3], const struct shk_places *s, const int *at)
{
  real u[3], v[3], w[3];
  vector_between(u, s, at[1], at[0]);
  vector_between(v, s, at[1], at[2]);
  cross_bonded(w, u, v);
  const real sine = real_sqrt(real_dot(w, w, 3));
  if (!(sine > 0))
    return 1;
  *theta = real_atan2(sine, real_dot(u, v, 3));
  cross_bonded(out[0], u, w);
  cross_bonded(out[2], w, v);
  const real a = 1 / (sine * real_dot(u, u, 3)), c = 1 / (sine * real_dot(v, v, 3));
  for (int k = 0; k < 3; k++) {
    out[0][k] *= a;
    out[2][k] *= c;
    out[1][k] = -(out[0][k] + out[2][k]);
  }
  return 0;
}

/* Let x, y, z be the bonds that lead from a to d, m = x × y and n = y × z. Then φ_a = -|y| m/m² and
 * φ_d = |y| n/n². φ_b and φ_c follow from the invariance of φ under translations and rotations. */
int shk_torsion_at(real *phi, real (*out)[3], const struct shk_places *s, const int *at)
{
  real x[3], y[3], z[3], m[3], n[3];
  vector_between(x, s, at[0], at[1]);
  vector_between(y, s, at[1], at[2]);
  vector_between(z, s, at[2], at[3]);
  cross_bonded(m, x, y);
  cross_bonded(n, y, z);
  const real mm = real_dot(m, m, 3), nn = real_dot(n, n, 3), yy = real_dot(y, y, 3);
  if (!(mm > 0) || !(nn > 0))
    return 1;
  const real axis = real_sqrt(yy), xy = real_dot(x, y, 3) / yy, zy = real_dot(z, y, 3) / yy;
  *phi = real_atan2(axis * real_dot(x, n, 3), real_dot(m, n, 3));
  for (int k = 0; k < 3; k++) {
    const real a = -axis * m[k] / mm, d = axis * n[k] / nn;
    out[0][k] = a;
    out[1][k] = -(1 + xy) * a + zy * d;
    out[2][k] = xy * a - (1 + zy) * d;
    out[3][k] = d;
  }
  return 0;
}

static void add_bonded(real *gradient, int dimension, const int *at, int count, real slope,
                       real (*derivatives)[3])
{
  for (int i = 0; i < count; i++)
    for (int k = 0; at[i] >= 0 && k < dimension; k++)
      gradient[at[i] * dimension + k] += slope * derivatives[i][k];
}

int shk_add_angle(real *value, real *gradient, const struct shk_places *s,
                  const struct shk_angle *angle, bool cosine)
{
  real theta, derivatives[3][3];
  if (shk_angle_at(&theta, derivatives, s, angle->at) != 0)
    return 1;
  const real bent = cosine ? real_cos(theta) - real_cos(angle->rest) : theta - angle->rest;
  const real slope = cosine ? -real_sin(theta) * angle->stiffness * bent : angle->stiffness * bent;
  *value += angle->stiffness * bent * bent / 2;
  if (gradient)
    add_bonded(gradient, s->dimension, angle->at, 3, slope, derivatives);
  return 0;
}

/* Returns a torsion's energy at φ, and stores its derivative in *slope. */
static real torsion_energy(real *slope, const struct shk_torsion *t, real phi)
{
  const real turn = 2 * REAL_PI;
  if (t->kind == SHK_TORSION_PERIODIC) {
    const real inside = t->multiplicity * phi - t->phase;
    *slope = -t->stiffness * t->multiplicity * real_sin(inside);
    return t->stiffness * (1 + real_cos(inside));
  }
  if (t->kind == SHK_TORSION_HARMONIC) {
    const real off = phi - t->phase, near = off - turn * real_floor(off / turn + R(0.5));
    *slope = t->stiffness * near;
    return t->stiffness * near * near / 2;
  }
  const real x = -real_cos(phi); /* the derivative of x is sin φ */
  real sum = 0, derivative = 0;
  for (int i = SHK_COSINES - 1; i >= 0; i--) {
    derivative = derivative * x + sum;
    sum = sum * x + t->cosines[i];
  }
  *slope = derivative * real_sin(phi);
  return sum;
}

int shk_add_torsion(real *value, real *gradient, const struct shk_places *s,
                    const struct shk_torsion *torsion)
{
  real phi, slope, derivatives[4][3];
  if (shk_torsion_at(&phi, derivatives, s, torsion->at) != 0)
    return 1;
  *value += torsion_energy(&slope, torsion, phi);
  if (gradient)
    add_bonded(gradient, s->dimension, torsion->at, 4, slope, derivatives);
  return 0;
}

static real in_metric(const struct shk_places *s, const real *mass, const int *at, int count,
                      real (*derivatives)[3])
{
  real sum = 0;
  for (int i = 0; i < count; i++)
    if (at[i] >= 0)
      sum += real_dot(derivatives[i], derivatives[i], 3) / mass[at[i] * s->dimension];
  return sum;
}

real shk_angle_rate(const struct shk_places *s, const real *mass, const struct shk_angle *angle)
{
  real theta, derivatives[3][3];
  if (shk_angle_at(&theta, derivatives, s, angle->at) != 0)
    return 0;
  return angle->stiffness * in_metric(s, mass, angle->at, 3, derivatives);
}

real shk_torsion_rate(const struct shk_places *s, const real *mass,
                      const struct shk_torsion *torsion)
{
  real phi, derivatives[4][3], stiffness = real_fabs(torsion->stiffness);
  if (shk_torsion_at(&phi, derivatives, s, torsion->at) != 0)
    return 0;
  if (torsion->kind == SHK_TORSION_PERIODIC)
    stiffness *= torsion->multiplicity * torsion->multiplicity;
  for (int i = 1; i < SHK_COSINES; i++) /* the second derivative of cos^i does not exceed i */
    stiffness += i * real_fabs(torsion->cosines[i]);
  return stiffness * in_metric(s, mass, torsion->at, 4, derivatives);
}
