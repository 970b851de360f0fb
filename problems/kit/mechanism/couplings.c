/*
 * Rows that prescribe a joint's coordinate as a function of time, or that couple the coordinates of
 * two joints. A coordinate is either a displacement x, whose form β (mechanism.h) is x itself, or
 * an angle, whose forms are its cosine and sine. With z = c + is for one angle and w = c' - is' for
 * the other,
 *
 *     drive  Im(E) = 0, E = e^(-if) z, or x - f = 0,
 *            f(t) = offset + rate t + ½ acceleration t² + amplitude sin(frequency t + phase)
 *     gear   Im(E) = 0, E = z^k w^l: k times the angle is l times the other; or k x - l x' = 0
 *
 * With these forms, angles do not jump. Derivatives along a direction are computed from the
 * logarithm of E: E' = E L, E'' = E (L² + L'), L = k z'/z + l w'/w - i f'. The second derivatives
 * of β contribute Σ φ_i ∇²β_i, where φ_i = ∂Im(E)/∂β_i.
 */
#include "problems/kit/mechanism/mechanism.h"

struct complex {
  real re, im;
};

/* E, which is 1 + i (x - f) or 1 + i (k x - l x') for displacements; k/z and l/w; f, f' and f'';
 * and φ_i. */
struct jet {
  struct complex E, slopes[2];
  real f[3], first[4];
};

static struct complex complex_product(struct complex a, struct complex b)
{
  return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

void shk_drive_value(real f[3], const struct shk_coupling *drive, real t)
{
  const real w = drive->frequency, turn = w * t + drive->phase, sine = real_sin(turn);
  f[0] = drive->offset + t * (drive->rate + t * drive->acceleration / 2) + drive->amplitude * sine;
  f[1] = drive->rate + drive->acceleration * t + drive->amplitude * w * real_cos(turn);
  f[2] = drive->acceleration - drive->amplitude * w * w * sine;
}

static bool couples_slides(const struct shk_coupling *c)
{
  return c->count == (c->drives ? 1 : 2);
}

static struct jet evaluate(const struct shk_coupling *c, real t, const real *q)
{
  struct jet x = {.f = {0}};
  shk_drive_value(x.f, c, t);
  x.E = (struct complex){real_cos(x.f[0]), -real_sin(x.f[0])};
  if (couples_slides(c)) {
    x.E = (struct complex){1, -x.f[0]};
    for (int k = 0; k < c->count; k++) {
      x.first[k] = (real)(k == 0 ? c->powers[0] : -c->powers[1]);
      x.E.im += x.first[k] * shk_form_value(&c->forms[k], q);
    }
    return x;
  }
  for (int k = 0; k < c->count / 2; k++) {
    const real re = shk_form_value(&c->forms[2 * k], q);
    const real im = (k == 0 ? 1 : -1) * shk_form_value(&c->forms[2 * k + 1], q);
    const real part = (real)c->powers[k] / (re * re + im * im);
    for (int j = 0; j < c->powers[k]; j++)
      x.E = complex_product(x.E, (struct complex){re, im});
    x.slopes[k] = (struct complex){part * re, -part * im};
  }
  for (int k = 0; k < c->count / 2; k++) {
    const struct complex slope = complex_product(x.E, x.slopes[k]);
    x.first[2 * k] = slope.im;
    x.first[2 * k + 1] = k == 0 ? slope.re : -slope.re;
  }
  return x;
}

real shk_row_value(const struct shk_form *row, real t, const real *q)
{
  return row->coupling ? evaluate(row->coupling, t, q).E.im : shk_form_value(row, q);
}

real shk_row_rate(const struct shk_form *row, real t, const real *q)
{
  const struct jet x = row->coupling ? evaluate(row->coupling, t, q) : (struct jet){.f = {0}};
  return -x.f[1] * x.E.re;
}

void shk_row_gradient(real *values, const struct shk_form *row, real t, const real *q)
{
  const struct shk_coupling *const c = row->coupling;
  const struct jet x = c ? evaluate(c, t, q) : (struct jet){.f = {0}};
  real own[2 * SHK_MARK_PARTS];
  shk_form_gradient(values, row, q); /* for a coupling, this stores zeros */
  for (int i = 0; c && i < c->count; i++) {
    shk_form_gradient(own, &c->forms[i], q);
    for (int k = 0, at = 0; k < c->forms[i].count; k++, at++) {
      while (row->columns[at] < c->forms[i].columns[k])
        at++;
      values[at] += x.first[i] * own[k];
    }
  }
}

real shk_row_curvature(const struct shk_form *row, real t, const real *q, const real *v)
{
  const struct shk_coupling *const c = row->coupling;
  const struct jet x = c ? evaluate(c, t, q) : (struct jet){.f = {0}};
  struct complex L = {0, -x.f[1]}, second = {0, -x.f[2]};
  real sum = c ? 0 : shk_form_second(row, v), rates[4], own[2 * SHK_MARK_PARTS];
  for (int i = 0; c && i < c->count; i++) {
    shk_form_gradient(own, &c->forms[i], q);
    rates[i] = shk_form_rate(&c->forms[i], own, v, NULL);
    sum += x.first[i] * shk_form_second(&c->forms[i], v);
  }
  for (int k = 0; c && k < c->count / 2; k++) {
    const struct complex rate = {rates[2 * k], k == 0 ? rates[1] : -rates[3]};
    const struct complex part = complex_product(x.slopes[k], rate),
                         square = complex_product(part, part);
    L = (struct complex){L.re + part.re, L.im + part.im};
    second.re -= square.re / (real)c->powers[k];
    second.im -= square.im / (real)c->powers[k];
  }
  if (c && couples_slides(c))
    return sum - x.f[2];
  return sum + complex_product(x.E, complex_product(L, L)).im + complex_product(x.E, second).im;
}

void shk_coupling_wrench(real *out, const struct shk_coupling *c, real lambda, real t,
                         const real *q)
{
  const real along = (c->drives ? -lambda : (real)c->powers[1] * lambda) * evaluate(c, t, q).E.re;
  const struct shk_form *const forms = c->forms + (c->drives ? 0 : c->count / 2);
  real u[3], w[3], axis[3];
  shk_mark_value(u, &forms[0].u, q);
  shk_mark_value(w, &forms[1].u, q);
  shk_cross(axis, u, w);
  shk_vector_add(couples_slides(c) ? out : out + 3, along, couples_slides(c) ? u : axis, 3);
}

const char *shk_coupling_row(struct shk_form *row, const struct shk_mechanism *s,
                             struct shk_joint *joint)
{
  struct shk_coupling *const c = &joint->coupling;
  row->coupling = c;
  c->count = 0;
  for (int side = 0; side < (c->drives ? 1 : 2); side++)
    c->count += shk_joint_forms(c->forms + c->count, s,
                                c->drives ? joint : &s->joints[c->joints[side]], 0) == SHK_TWIST
                    ? 2
                    : 1;
  for (int k = 0; k < c->count; k++) {
    if (c->forms[k].u.lacks || c->forms[k].w.lacks)
      return "turns a direction that the thin body lacks; give the body a thickness";
    shk_form_insert_columns(row, &c->forms[k].u, &c->forms[k].w);
    shk_form_insert_columns(row, &c->forms[k].w, &c->forms[k].u);
  }
  return NULL;
}
