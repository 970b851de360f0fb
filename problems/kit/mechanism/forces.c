/*
 * Forces in mechanisms: weights, V = Σ w_i q_i, and springs and dampers that act on scalars f(q),
 *
 *     V = ½ k (f - f_0)²,     Q = (τ - c f') ∇f,     f' = ∇f·v.
 *
 * f = φ(β_1, β_2) is √β_1, atan2(β_2, β_1), β_1 or asin β_1, with the forms β of mechanism.h. Hence
 *
 *     ∇f = Σ φ_i ∇β_i,     ∇²f = Σ φ_ij ∇β_i ∇β_jᵀ + Σ φ_i ∇²β_i.
 *
 * Angles are reduced so that they differ from the rest angle by at most 180°.
 */
#include "problems/kit/mechanism/mechanism.h"

#include <string.h>

/* The value of f, the first and second derivatives of φ, and the gradients of both forms. */
struct scalar {
  real value, first[2], second[2][2];
  const struct shk_form *forms[2];
  real gradients[2][2 * SHK_MARK_PARTS];
};

/* Evaluates the scalar f of a spring at q. */
static void evaluate(struct scalar *f, const struct shk_spring_of_bodies *spring, const real *q)
{
  memset(f, 0, sizeof *f);
  f->forms[0] = &spring->form;
  f->forms[1] = &spring->sine;
  for (int i = 0; i < 2; i++)
    shk_form_gradient(f->gradients[i], f->forms[i], q);
  const real c = shk_form_value(&spring->form, q), s = shk_form_value(&spring->sine, q);
  const real square = c * c + s * s;
  switch (spring->kind) {
  case SHK_STRETCH:
    f->value = real_sqrt(c);
    f->first[0] = 1 / (2 * f->value);
    f->second[0][0] = -1 / (4 * c * f->value);
    break;
  case SHK_TWIST:
    f->value = real_atan2(s, c);
    f->first[0] = -s / square;
    f->first[1] = c / square;
    f->second[0][0] = 2 * c * s / (square * square);
    f->second[1][1] = -f->second[0][0];
    f->second[0][1] = f->second[1][0] = (s * s - c * c) / (square * square);
    break;
  case SHK_TILT:
    f->value = real_asin(c);
    f->first[0] = 1 / real_sqrt(1 - c * c);
    f->second[0][0] = c * f->first[0] * f->first[0] * f->first[0];
    break;
  default:
    f->value = c;
    f->first[0] = 1;
  }
}

/* Returns f - f_0, reduced to within ±π for an angle. */
static real beyond_rest(const struct scalar *f, const struct shk_spring_of_bodies *spring)
{
  const real d = f->value - spring->law.rest;
  return spring->kind != SHK_TWIST ? d : d - 2 * REAL_PI * real_floor(d / (2 * REAL_PI) + R(0.5));
}

/* Returns Σ factors_i β_i' for momenta p, which is f' if the factors are φ_i. */
static real scalar_rate(const struct scalar *f, const real factors[2], const real *p,
                        const real *mass)
{
  return factors[0] * shk_form_rate(f->forms[0], f->gradients[0], p, mass) +
         factors[1] * shk_form_rate(f->forms[1], f->gradients[1], p, mass);
}

/* out += factor ∇f */
static void add_first(real *out, const struct scalar *f, real factor)
{
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < f->forms[i]->count; k++)
      out[f->forms[i]->columns[k]] += factor * f->first[i] * f->gradients[i][k];
}

/* out += factor ∇β_i ∇β_jᵀ, with the columns divided by `mass` unless `mass` is NULL */
static void add_product(real *out, int stride, const struct scalar *f, int i, int j, real factor,
                        const real *mass)
{
  for (int k = 0; k < f->forms[i]->count; k++)
    for (int l = 0; l < f->forms[j]->count; l++) {
      const int row = f->forms[i]->columns[k], column = f->forms[j]->columns[l];
      out[(size_t)row * (size_t)stride + (size_t)column] +=
          factor * f->gradients[i][k] * f->gradients[j][l] / (mass ? mass[column] : 1);
    }
}

/* out += first ∇f ∇fᵀ + second ∇²f */
static void add_second(real *out, int stride, const struct scalar *f, real first, real second)
{
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++)
      add_product(out, stride, f, i, j,
                  first * f->first[i] * f->first[j] + second * f->second[i][j], NULL);
    shk_form_add_hessian(out, stride, f->forms[i], second * f->first[i]);
  }
}

int shk_mechanism_potential(const void *context, real *value, real t, const real *q)
{
  const struct shk_mechanism *const s = context;
  struct scalar f;
  *value = real_dot(s->weight, q, s->n);
  for (int i = 0; i < s->spring_count; i++) {
    evaluate(&f, &s->springs[i], q);
    const real d = beyond_rest(&f, &s->springs[i]);
    *value += s->springs[i].law.stiffness * d * d / 2;
  }
  return 0;
}

int shk_mechanism_gradient(const void *context, real *out, real t, const real *q)
{
  const struct shk_mechanism *const s = context;
  struct scalar f;
  shk_copy(out, s->weight, s->n);
  for (int i = 0; i < s->spring_count; i++) {
    evaluate(&f, &s->springs[i], q);
    add_first(out, &f, s->springs[i].law.stiffness * beyond_rest(&f, &s->springs[i]));
  }
  return 0;
}

int shk_mechanism_hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct shk_mechanism *const s = context;
  const int n = s->n;
  struct scalar f;
  shk_fill(out, 0, 4 * n * n);
  for (int i = 0; i < s->spring_count; i++) {
    const struct shk_spring_of_bodies *const spring = &s->springs[i];
    evaluate(&f, spring, q);
    add_second(out, 2 * n, &f, spring->law.stiffness,
               spring->law.stiffness * beyond_rest(&f, spring));
  }
  for (int i = 0; i < n; i++)
    out[(size_t)(n + i) * (size_t)(2 * n) + (size_t)(n + i)] = 1 / s->mass[i];
  return 0;
}

int shk_mechanism_force(const void *context, real *Q, real t, const real *q, const real *p)
{
  const struct shk_mechanism *const s = context;
  struct scalar f;
  shk_fill(Q, 0, s->n);
  for (int i = 0; i < s->spring_count; i++) {
    evaluate(&f, &s->springs[i], q);
    add_first(Q, &f,
              s->springs[i].law.load -
                  s->springs[i].law.damping * scalar_rate(&f, f.first, p, s->mass));
  }
  return 0;
}

/* out += factor ∇f (∇²f v)ᵀ, with ∇²f v = Σ_i (φ_i ∇²β_i v + (Σ_j φ_ij β_j') ∇β_i) */
static void add_turning(real *out, int n, const struct scalar *f, real factor, const real *p,
                        const real *mass)
{
  real turned[2 * SHK_MARK_PARTS];
  for (int i = 0; i < 2; i++) {
    const struct shk_form *const form = f->forms[i];
    const real inner = scalar_rate(f, f->second[i], p, mass);
    shk_form_turned(turned, form, p, mass);
    for (int l = 0; l < form->count; l++) {
      const real entry = f->first[i] * turned[l] + inner * f->gradients[i][l];
      for (int a = 0; a < 2; a++)
        for (int k = 0; k < f->forms[a]->count; k++)
          out[(size_t)f->forms[a]->columns[k] * (size_t)n + (size_t)form->columns[l]] +=
              factor * f->first[a] * f->gradients[a][k] * entry;
    }
  }
}

int shk_mechanism_force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                                  const real *p)
{
  const struct shk_mechanism *const s = context;
  const int n = s->n;
  struct scalar f;
  shk_fill(Q_q, 0, n * n);
  shk_fill(Q_p, 0, n * n);
  for (int i = 0; i < s->spring_count; i++) {
    const real damping = s->springs[i].law.damping;
    evaluate(&f, &s->springs[i], q);
    add_turning(Q_q, n, &f, -damping, p, s->mass);
    add_second(Q_q, n, &f, 0,
               s->springs[i].law.load - damping * scalar_rate(&f, f.first, p, s->mass));
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++)
        add_product(Q_p, n, &f, a, b, -damping * f.first[a] * f.first[b], s->mass);
  }
  return 0;
}

/* ---- springs read from the file ---- */

/* Makes a spring act on a joint coordinate. Returns NULL on success, or the reason for the
 * failure. */
static const char *of_joint(struct shk_spring_of_bodies *spring, const struct shk_mechanism *s,
                            const struct shk_joint *joint, int coordinate)
{
  const char *const motion = shk_joint_motions(s, joint);
  struct shk_form forms[2] = {{.count = 0}};
  if (!motion || !motion[0])
    return "has a spring, damper or load, which needs a joint with coordinates";
  spring->kind = shk_joint_forms(forms, s, joint, coordinate);
  spring->form = forms[0];
  spring->sine = forms[1];
  for (int i = 0; i < 2; i++)
    if (forms[i].u.lacks || forms[i].w.lacks)
      return "has a spring, damper or load on a direction that a thin body lacks";
  return NULL;
}

const char *shk_springs_set(struct shk_mechanism *s, int *line)
{
  const char *reason = NULL;
  for (int i = 0; i < SHK_MOTIONS * s->joint_count && !reason; i++) {
    const struct shk_joint *const joint = &s->joints[i / SHK_MOTIONS];
    const struct shk_law *const law = &joint->laws[i % SHK_MOTIONS];
    *line = joint->line;
    if (law->stiffness == 0 && law->damping == 0 && law->load == 0)
      continue;
    struct shk_spring_of_bodies *const spring = &s->springs[s->spring_count++];
    reason = of_joint(spring, s, joint, i % SHK_MOTIONS);
    spring->law = *law;
  }
  for (int i = 0; i < s->link_count && !reason; i++) {
    const struct shk_link_of_bodies *const link = &s->links[i];
    struct shk_spring_of_bodies *const spring = &s->springs[s->spring_count++];
    const struct shk_mark a = shk_mark_of(s, link->bodies[0], link->frames[0].place, true);
    const struct shk_mark b = shk_mark_of(s, link->bodies[1], link->frames[1].place, true);
    const struct shk_mark between = shk_mark_difference(&b, &a);
    *line = link->line;
    *spring = (struct shk_spring_of_bodies){
        .kind = SHK_STRETCH, .form = {.u = between, .w = between, .factor = 1}, .law = link->law};
    shk_form_close(&spring->form);
    reason = between.lacks ? "ends at a point that is not on the directors of a thin body" : NULL;
  }
  for (int i = 0; i < s->spring_count; i++)
    s->pushes = s->pushes || s->springs[i].law.damping > 0 || s->springs[i].law.load != 0;
  return reason;
}
