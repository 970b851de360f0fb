/*
 * One-step methods for y' = f(t,y): explicit Runge-Kutta of orders 1 to 8 and Gauss collocation, in
 * `real`; GSL's steppers in double.
 *
 *     K_i = f(t + c_i h, y + h Σ_j a_ij K_j),      dy = h Σ_i b_i K_i
 *
 * The explicit tableaus are exact (runge_kutta.def, with citations). Gauss' nodes are the zeros of
 * the shifted Legendre polynomials in closed form; a and b follow from the collocation conditions
 * Σ_j a_ij c_j^(k-1) = c_i^k / k, Σ_j b_j c_j^(k-1) = 1/k, k = 1…s (Hairer, Lubich & Wanner, GNI,
 * §II.1.2). Implicit stages are found by fixed-point iteration, which needs h times the Lipschitz
 * constant of f to be small, to round-off (GNI, §VIII.6.1).
 */
#include "integrators/kit/gsl_stepper.h"
#include "integrators/kit/stepping.h"

#define STAGES 11
#define GAUSS_STAGES 4

static const struct shk_iteration_rule stages_rule = {
    .at_once = R(0.25),
    .slow = 1000,
    .from = 1,
    .least = true,
    .patience = 6,
    .corrections = true,
    .diverged = "the implicit stages are not finite",
    .stopped = "the fixed-point iteration for the implicit stages did not converge: last relative "
               "change %g",
    .limit = "the fixed-point iteration for the implicit stages did not converge: last relative "
             "change %g"};

#define STAGE_SWEEPS 1000

/* Indices of the implicit methods in SHK_ONE_STEP_CHOICES. */
enum { BASE_MIDPOINT = 6, BASE_GAUSS = 7 };

/* (n + r √21)/d */
struct exact {
  int n, r, d;
};

struct tableau {
  int order, stages;
  const char *citation;
  const struct exact *a, *b;
};

#define Q(n, d) S(n, 0, d)
#define S(n, r, d)                                                                                 \
  {                                                                                                \
    n, r, d                                                                                        \
  }
#define ROWS(...)                                                                                  \
  {                                                                                                \
    __VA_ARGS__                                                                                    \
  }
#define SHK_TABLEAU(name, order, stages, citation, a, b)                                           \
  static const struct exact name##_a[] = a, name##_b[] = b;
#include "integrators/kit/runge_kutta.def"
#undef SHK_TABLEAU

/* In the order of the choices. */
static const struct tableau tableaus[] = {
#define SHK_TABLEAU(name, order, stages, citation, a, b)                                           \
  {order, stages, citation, name##_a, name##_b},
#include "integrators/kit/runge_kutta.def"
#undef SHK_TABLEAU
};

enum { TABLEAUS = sizeof tableaus / sizeof tableaus[0] };
_Static_assert((int)TABLEAUS == (int)BASE_MIDPOINT && BASE_GAUSS + 1 == SHK_FIRST_GSL_CHOICE,
               "the tableaus are in the order of the choices");

const struct shk_option shk_gauss_options[] = {{.name = "stages",
                                                .kind = SHK_OPTION_INTEGER,
                                                .fallback = "2",
                                                .minimum = "1",
                                                .maximum = "4",
                                                .positional = true,
                                                .meaning = "number of stages; order 2·stages "
                                                           "without constraints"},
                                               {0}};

struct shk_one_step {
  struct shk_evaluator *evaluator;
  shk_slope_function *slope;
  void *user;
  int size, stages;
  bool implicit;
  struct shk_iteration iteration; /* of implicit stages */
  real a[STAGES][STAGES], b[STAGES], c[STAGES];
  real *K[STAGES], *y, *increments; /* slopes; argument of a stage; implicit: h Σ a_ij K_j */
  struct shk_gsl_stepper *gsl;
};

struct shk_traits shk_one_step_traits(int base, const struct shk_values *nested)
{
  if (base < TABLEAUS)
    return (struct shk_traits){.order = tableaus[base].order};
  if (base >= SHK_FIRST_GSL_CHOICE) {
    struct shk_traits traits = shk_gsl_traits(base - SHK_FIRST_GSL_CHOICE);
    traits.rounded = true;
    return traits;
  }
  return (struct shk_traits){
      .order = base == BASE_MIDPOINT ? 2 : 2 * (int)shk_values_integer(nested, "stages"),
      .symmetric = true,
      .symplectic = true};
}

static void set_explicit(struct shk_one_step *w, const struct tableau *tableau)
{
  const real root = real_sqrt((real)21);
  w->stages = tableau->stages;
  const struct exact *a = tableau->a;
  for (int i = 0; i < w->stages; i++) {
    for (int j = 0; j < i; j++, a++) {
      w->a[i][j] = ((real)a->n + (real)a->r * root) / (real)a->d;
      w->c[i] += w->a[i][j];
    }
    const struct exact *b = &tableau->b[i];
    w->b[i] = ((real)b->n + (real)b->r * root) / (real)b->d;
  }
}

/* Coefficients of Gauss' method of s stages by its collocation conditions, whose matrix is never
 * singular. */
static void set_gauss(struct shk_one_step *w, int s)
{
  const real half = R(0.5);
  real x[GAUSS_STAGES] = {0}; /* nodes on (-1, 1), ascending */
  if (s == 2)
    x[1] = 1 / real_sqrt((real)3);
  else if (s == 3)
    x[2] = real_sqrt((real)3 / 5);
  else if (s == 4) {
    x[2] = real_sqrt((15 - 2 * real_sqrt((real)30)) / 35);
    x[3] = real_sqrt((15 + 2 * real_sqrt((real)30)) / 35);
  }
  for (int i = 0; i < s / 2; i++)
    x[i] = -x[s - 1 - i];
  real matrix[GAUSS_STAGES * GAUSS_STAGES];
  int pivots[GAUSS_STAGES];
  w->stages = s;
  w->implicit = true;
  for (int i = 0; i < s; i++)
    w->c[i] = half + half * x[i];
  for (int k = 0; k < s; k++)
    for (int j = 0; j < s; j++)
      matrix[k * s + j] = k == 0 ? 1 : matrix[(k - 1) * s + j] * w->c[j];
  shk_lu_factor(matrix, pivots, s);
  for (int i = 0; i <= s; i++) {
    real *row = i < s ? w->a[i] : w->b;
    const real c = i < s ? w->c[i] : 1;
    real power = c;
    for (int k = 0; k < s; k++, power *= c)
      row[k] = power / (real)(k + 1);
    shk_lu_solve(row, matrix, pivots, s);
  }
}

struct shk_status shk_bind_one_step(struct shk_one_step **one_step,
                                    const struct shk_binding *binding, int base,
                                    const struct shk_values *base_options,
                                    shk_slope_function *slope, void *method)
{
  struct shk_workspace *workspace = binding->workspace;
  const size_t size = 2 * (size_t)binding->evaluator->system->n;
  struct shk_one_step *w = *one_step = shk_memory(workspace, sizeof *w);
  if (!w)
    return shk_no_memory();
  w->evaluator = binding->evaluator;
  w->slope = slope;
  w->user = method;
  w->size = (int)size;
  w->iteration.limit = STAGE_SWEEPS;
  w->stages = 1; /* of GSL's */
  if (base < TABLEAUS)
    set_explicit(w, &tableaus[base]);
  else if (base < SHK_FIRST_GSL_CHOICE)
    set_gauss(w, base == BASE_MIDPOINT ? 1 : (int)shk_values_integer(base_options, "stages"));
  SHK_TRY(shk_reals(workspace, &w->y, size));
  for (int i = 0; i < w->stages; i++)
    SHK_TRY(shk_reals(workspace, &w->K[i], size));
  if (w->implicit)
    SHK_TRY(shk_reals(workspace, &w->increments, (size_t)w->stages * size));
  if (base < SHK_FIRST_GSL_CHOICE)
    return shk_ok();
  if (shk_one_step_traits(base, base_options).adaptive_only)
    return shk_failure(SHK_REFUSED,
                       "a multistep method has no step of its own: projection-adaptive takes it", 0,
                       0);
  return shk_bind_gsl(&w->gsl, binding, base - SHK_FIRST_GSL_CHOICE, 0, slope, method);
}

/* Returns h Σ_j row_j K_j of component k, over the first `count` stages. */
static real weighted(const struct shk_one_step *w, const real *row, int count, int k, real h)
{
  real sum = 0;
  for (int j = 0; j < count; j++)
    sum += row[j] * w->K[j][k];
  return h * sum;
}

static struct shk_status explicit_stages(struct shk_one_step *w, real t, const real *y, real h)
{
  for (int i = 0; i < w->stages; i++) {
    for (int k = 0; k < w->size; k++)
      w->y[k] = y[k] + weighted(w, w->a[i], i, k, h);
    SHK_TRY(w->slope(w->user, w->K[i], t + w->c[i] * h, w->y));
  }
  return shk_ok();
}

/* Computes the increments of all stages from the slopes; returns their largest change, each
 * block in units of its own size. */
static real renew_increments(struct shk_one_step *w, const real *y, real h)
{
  const int half = w->size / 2;
  real worst = 0;
  for (int block = 0; block < 2; block++) {
    real change = 0, size = real_max_norm(y + block * half, half);
    for (int i = 0; i < w->stages; i++)
      for (int k = block * half; k < (block + 1) * half; k++) {
        real *increment = &w->increments[(size_t)i * (size_t)w->size + (size_t)k];
        const real renewed = weighted(w, w->a[i], w->stages, k, h);
        const real moved = real_fabs(renewed - *increment);
        change = moved <= change ? change : moved; /* keeps a NaN */
        size = real_max(size, real_fabs(renewed));
        *increment = renewed;
      }
    change = size > 0 ? change / size : change;
    worst = change <= worst ? worst : change;
  }
  return worst;
}

/* Sets all slopes to the slope at (t,y). */
static struct shk_status begin_stages(struct shk_one_step *w, real t, const real *y)
{
  const size_t size = (size_t)w->size;
  SHK_TRY(w->slope(w->user, w->K[0], t, y));
  for (int i = 1; i < w->stages; i++)
    memcpy(w->K[i], w->K[0], size * sizeof(real));
  memset(w->increments, 0, (size_t)w->stages * size * sizeof(real));
  shk_iteration_begin(&w->iteration, &stages_rule, REAL_EPSILON);
  return shk_ok();
}

/* Iterates: increments from the slopes, slopes from the increments. */
static struct shk_status sweep_stages(struct shk_one_step *w, real *change, real t, const real *y,
                                      real h)
{
  *change = renew_increments(w, y, h);
  shk_iteration_note(&w->iteration, *change);
  if (!real_isfinite(*change))
    return shk_failure(SHK_NOT_CONVERGED, stages_rule.diverged, 0, 0);
  for (int i = 0; i < w->stages; i++) {
    for (int k = 0; k < w->size; k++)
      w->y[k] = y[k] + w->increments[(size_t)i * (size_t)w->size + (size_t)k];
    SHK_TRY(w->slope(w->user, w->K[i], t + w->c[i] * h, w->y));
  }
  if (w->evaluator)
    w->evaluator->work.iterations++;
  return shk_ok();
}

static struct shk_status implicit_stages(struct shk_one_step *w, real t, const real *y, real h)
{
  SHK_TRY(begin_stages(w, t, y));
  for (;;) {
    real change;
    SHK_TRY(sweep_stages(w, &change, t, y, h));
    SHK_TRY(shk_iteration_decide(&w->iteration, change));
    if (w->iteration.converged)
      return shk_ok();
  }
}

/* dy <- h Σ b_i K_i */
static void sum_slopes(const struct shk_one_step *w, real *dy, real h)
{
  for (int k = 0; k < w->size; k++)
    dy[k] = weighted(w, w->b, w->stages, k, h);
}

struct shk_status shk_one_step_step(struct shk_one_step *w, real *dy, real t, const real *y, real h)
{
  w->evaluator->solving = w->implicit ? &w->iteration : NULL;
  if (w->gsl) {
    SHK_TRY(w->slope(w->user, w->K[0], t, y));
    return shk_gsl_step(w->gsl, dy, t, y, w->K[0], h);
  }
  SHK_TRY(w->implicit ? implicit_stages(w, t, y, h) : explicit_stages(w, t, y, h));
  sum_slopes(w, dy, h);
  return shk_ok();
}

struct shk_status shk_one_step_sweep(struct shk_one_step *w, real *dy, real *change, real t,
                                     const real *y, real h, bool first)
{
  *change = 0;
  if (!w->implicit)
    return shk_one_step_step(w, dy, t, y, h);
  w->evaluator->solving = &w->iteration;
  if (first)
    SHK_TRY(begin_stages(w, t, y));
  SHK_TRY(sweep_stages(w, change, t, y, h));
  sum_slopes(w, dy, h);
  return shk_ok();
}

struct shk_status shk_one_step_state(struct shk_one_step *method, struct shk_state *to,
                                     const struct shk_state *from, real h, real *y, real *dy)
{
  shk_state_pack(y, from);
  SHK_TRY(shk_one_step_step(method, dy, from->t, y, h));
  shk_move_q(to, from, dy);
  shk_move_p(to, from, dy + from->n);
  memset(to->mu, 0, (size_t)from->m * sizeof(real));
  return shk_ok();
}
