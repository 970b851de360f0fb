/*
 * Explicit symmetric multistep methods for q'' = -M⁻¹ (V_q + Gᵀ lambda), g(q) = 0. The multiplier
 * lambda_{n+k-1} is determined by g(q_{n+k}) = 0. ρ(ζ) = (ζ-1)² Π (ζ² + 2 a_i ζ + 1) has the double
 * root 1, and all of its other roots are simple and on the unit circle. The a_i are chosen such
 * that the roots of σ(ζ)/ζ are also simple and on the unit circle, because lambda satisfies the
 * recursion of σ. α and the order k determine β.
 *
 * The state at t_n contains q_{n-k/2}…q_{n+k/2}. p_n = M v_n is the central difference of order k,
 * projected onto G v = 0, and is not fed back. The memory contains the positions other than q_n,
 * the accelerations and multipliers at n-k/2+1…n+k/2-1, and h. Time reversal reverses the order of
 * these entries. If the length of a step differs from h, the method restarts. The starting
 * procedure takes k/2 steps forward and k/2 steps backward with another method, which has order 8
 * by default. `lambda` is lambda_n, and `mu` is lambda_{n+1}. Only separable systems are supported.
 *
 * Console, Hairer & Lubich, Numer. Math. 124 (2013) 517; Quinlan & Tremaine, Astron. J. 100 (1990)
 * 1694.
 */

static const char equations[] =
    "Σ_j α_j q_{n+j} = -h² Σ_j β_j M⁻¹ (V_q + Gᵀ lambda)_{n+j},  g(q_{n+k}) = 0     (1)\n"
    "j = 0…k on the left, 1…k-1 on the right; α_j = α_{k-j}, β_j = β_{k-j}; k = 4, 6, 8\n"
    "p_n: the central difference of order k, projected; not fed back                (2)\n";

#include <shakedown/plugin.h>

enum { MOST = 8 };

struct multistep {
  struct shk_evaluator *evaluator;
  int n, m, k;
  long order, half, inner; /* k, which the option sets, k/2, and k-1 */
  struct shk_base start;
  struct shk_state at, next;
  struct shk_manifold *manifold;
  struct shk_multiplier_solver *solver;
  real alpha[MOST + 1], beta[MOST + 1];
  /* k+1 positions, and M⁻¹(V_q + Gᵀ lambda) and lambda at k-1 of them, beginning with the second */
  real *x, *f, *l;
  real *base, *dp, *zero, *carry, *G0, *G1;
};

/* The data that a state at t_n contains in addition to q_n, in chronological order. */
struct multistep_memory {
  real *before, *after; /* k/2 positions each */
  real *f, *lambda;     /* k-1 accelerations and k-1 multipliers */
  real *h;              /* the step size between them */
};

static const struct shk_array memory[] = SHK_LIST(
    SHK_ARRAYS(multistep_memory, (.n = 1, .times = SHK_AT(multistep, half)), before, after),
    SHK_ARRAY(multistep_memory, f, .n = 1, .times = SHK_AT(multistep, inner)),
    SHK_ARRAY(multistep_memory, lambda, .m = 1, .times = SHK_AT(multistep, inner)),
    SHK_ARRAY(multistep_memory, h, .ones = 1));

/* Computes α from the a_i, and β from α by matching moments of orders 2 to k about the centre. */
static bool find_coefficients(struct multistep *self)
{
  static const int tenths[3][3] = {{0}, {-8, 7}, {-8, -4, 7}};
  const int k = self->k, size = k - 1, pairs = k / 2 - 1;
  real A[(MOST - 1) * (MOST - 1)];
  int pivots[MOST - 1];
  shk_fill(self->alpha, 0, MOST + 1);
  self->alpha[0] = self->alpha[2] = 1;
  self->alpha[1] = -2;
  for (int i = 0; i < pairs; i++)
    for (int j = 2 * i + 4; j > 0; j--)
      self->alpha[j] +=
          (real)tenths[pairs - 1][i] / 5 * self->alpha[j - 1] + (j > 1 ? self->alpha[j - 2] : 0);
  for (int row = 0; row < size; row++) {
    real *const right = &self->beta[row + 1];
    *right = 0;
    for (int j = 0; j <= k; j++) {
      real power = 1;
      for (int i = 0; i < row; i++)
        power *= j - k / 2;
      if (j > 0 && j < k)
        A[row * size + j - 1] = (row + 2) * (row + 1) * power;
      *right += self->alpha[j] * power * (j - k / 2) * (j - k / 2);
    }
  }
  if (!shk_lu_factor(A, pivots, size))
    return false;
  shk_lu_solve(self->beta + 1, A, pivots, size);
  return true;
}

/* ---- the memory ---- */

static struct multistep_memory memory_of(const struct multistep *self,
                                         const struct shk_state *state)
{
  struct multistep_memory view;
  shk_view_memory(&view, memory, self, self->evaluator, state);
  return view;
}

/* Fills the window from a state. All values except q_n are taken from the state's memory. */
static void load_multistep(struct multistep *self, const struct shk_state *from)
{
  const struct multistep_memory was = memory_of(self, from);
  const int n = self->n, half = self->k / 2;
  shk_copy(self->x, was.before, half * n);
  shk_copy(self->x + half * n, from->q, n);
  shk_copy(self->x + (half + 1) * n, was.after, half * n);
  shk_copy(self->f + n, was.f, (self->k - 1) * n);
  shk_copy(self->l + self->m, was.lambda, (self->k - 1) * self->m);
}

static void store_multistep(const struct multistep *self, struct shk_state *to, const real *x,
                            const real *f, const real *l, real h)
{
  const struct multistep_memory now = memory_of(self, to);
  const int n = self->n, k = self->k, half = k / 2;
  shk_copy(now.before, x, half * n);
  shk_copy(now.after, x + (half + 1) * n, half * n);
  shk_copy(now.f, f + n, (k - 1) * n);
  shk_copy(now.lambda, l + self->m, (k - 1) * self->m);
  *now.h = h;
}

/* Computes M⁻¹ (V_q + Gᵀ lambda) at x, or M⁻¹ V_q if lambda is NULL, and stores it in f. Also
 * stores G(x) in G0. */
static struct shk_status accelerate_multistep(struct multistep *self, real *f, real t,
                                              const real *x, const real *lambda)
{
  struct shk_evaluator *const e = self->evaluator;
  SHK_TRY(shk_gradient(e, self->dp, t, x, self->zero));
  SHK_TRY(shk_jacobian(e, self->G0, t, x));
  if (lambda)
    shk_jacobian_transposed_add(e, self->dp, self->G0, 1, lambda);
  for (int i = 0; i < self->n; i++)
    f[i] = shk_over_mass(e, self->dp[i], i);
  return shk_ok();
}

/* Stores a point computed by the starting procedure in the window, at this offset from the
 * middle. */
static struct shk_status note_multistep(struct multistep *self, const struct shk_state *s,
                                        int offset)
{
  const int i = self->k / 2 + offset;
  shk_copy(self->x + i * self->n, s->q, self->n);
  if (i == 0 || i == self->k)
    return shk_ok();
  SHK_TRY(shk_exact_multiplier(self->manifold, self->l + i * self->m, s->t, s->q, s->p));
  return accelerate_multistep(self, self->f + i * self->n, s->t, s->q, self->l + i * self->m);
}

static struct shk_status start_window(struct multistep *self, const struct shk_state *start, real h)
{
  for (int side = -1; side <= 1; side += 2) {
    shk_state_copy(&self->at, start);
    SHK_TRY(note_multistep(self, &self->at, 0));
    for (int i = 1; i <= self->k / 2; i++) {
      SHK_TRY(shk_base_step(&self->start, &self->next, &self->at, side * h));
      shk_state_copy(&self->at, &self->next);
      SHK_TRY(note_multistep(self, &self->at, side * i));
    }
  }
  return shk_ok();
}

/* Fills the memory. If the starting procedure fails, the memory is left empty, so that the first
 * step fails too. */
static struct shk_status begin_multistep(void *method, struct shk_state *start, real h)
{
  struct multistep *self = method;
  if (h != 0 && start_window(self, start, h).code == SHK_OK)
    store_multistep(self, start, self->x, self->f, self->l, h);
  return shk_ok();
}

static void turn_multistep(real *x, int count, int size)
{
  for (int i = 0; i < count / 2; i++)
    for (int j = 0; j < size; j++) {
      const real kept = x[i * size + j];
      x[i * size + j] = x[(count - 1 - i) * size + j];
      x[(count - 1 - i) * size + j] = kept;
    }
}

static void reverse_multistep(void *method, struct shk_state *state, real h)
{
  struct multistep *self = method;
  load_multistep(self, state);
  turn_multistep(self->x, self->k + 1, self->n);
  turn_multistep(self->f + self->n, self->k - 1, self->n);
  turn_multistep(self->l + self->m, self->k - 1, self->m);
  store_multistep(self, state, self->x, self->f, self->l, h);
}

/* ---- a step ---- */

/* Computes q_{n+1+k/2} by (1) and stores it after the window. Stores lambda and f of q_{n+k/2} at
 * index k. */
static struct shk_status advance_multistep(struct multistep *self, const struct shk_state *from,
                                           real h)
{
  const int n = self->n, k = self->k;
  real *const last = self->x + k * n, *const f = self->f + k * n,
              *const lambda = self->l + k * self->m;
  const real t = from->t + k / 2 * h;
  SHK_TRY(accelerate_multistep(self, f, t, last, NULL));
  for (int i = 0; i < n; i++) { /* α_k = 1, and the coefficients of q add up to zero */
    real sum = 0, force_sum = 0;
    for (int j = 0; j < k; j++)
      sum -= self->alpha[j] * (self->x[(j + 1) * n + i] - last[i]);
    for (int j = 1; j < k; j++)
      force_sum += self->beta[j] * self->f[(j + 1) * n + i];
    self->base[i] = last[i] + (sum - h * h * force_sum);
  }
  shk_copy(lambda, self->l + (k - 1) * self->m, self->m);
  const struct shk_state base = {
      .q = self->base, .q_carry = self->zero, .p = self->zero, .p_carry = self->zero};
  struct shk_state next = {.q = last + n, .q_carry = self->carry};
  SHK_TRY(shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_CONSTRAINT,
                                                    .t = t + h,
                                                    .from = &base,
                                                    .to = &next,
                                                    .along = self->G0,
                                                    .by = h * self->beta[k - 1],
                                                    .drift = h,
                                                    .dp = self->dp,
                                                    .multiplier = lambda}));
  shk_fill(self->dp, 0, n);
  shk_jacobian_transposed_add(self->evaluator, self->dp, self->G0, 1, lambda);
  for (int i = 0; i < n; i++)
    f[i] += shk_over_mass(self->evaluator, self->dp[i], i);
  return shk_ok();
}

/* Computes p at the middle of a window by (2). */
static struct shk_status find_momentum(struct multistep *self, struct shk_state *to,
                                       const struct shk_state *from, const real *x, real h)
{
  static const int weights[3][5] = {{12, 8, -1}, {60, 45, -9, 1}, {840, 672, -168, 32, -3}};
  const int n = self->n, half = self->k / 2, *const weight = weights[half - 2];
  for (int i = 0; i < n; i++) {
    real sum = 0;
    for (int j = 1; j <= half; j++)
      sum += weight[j] * (x[(half + j) * n + i] - x[(half - j) * n + i]);
    self->dp[i] = self->evaluator->system->mass[i] * (sum / (weight[0] * h)) -
                  (from->p[i] + from->p_carry[i]);
  }
  SHK_TRY(shk_jacobian(self->evaluator, self->G1, from->t + h, to->q));
  return shk_kick(self->solver, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                   .t = from->t + h,
                                                   .from = from,
                                                   .to = to,
                                                   .along = self->G1,
                                                   .by = 1,
                                                   .dp = self->dp,
                                                   .multiplier = to->mu});
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct multistep *self = method;
  const int n = self->n, m = self->m, half = self->k / 2;
  if (*memory_of(self, from).h == h)
    load_multistep(self, from);
  else
    SHK_TRY(start_window(self, from, h));
  SHK_TRY(advance_multistep(self, from, h));
  shk_copy(to->q, self->x + (half + 1) * n, n);
  shk_fill(to->q_carry, 0, n);
  SHK_TRY(find_momentum(self, to, from, self->x + n, h));
  shk_copy(to->lambda, self->l + half * m, m);
  shk_copy(to->mu, self->l + (half + 1) * m, m);
  store_multistep(self, to, self->x + n, self->f + n, self->l + m, h);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct multistep *self = method;
  struct shk_binding defaults = *binding;
  const size_t points = (size_t)self->order + 2, n = (size_t)self->n, m = (size_t)self->m;
  self->k = (int)self->order;
  self->half = self->order / 2;
  self->inner = self->order - 1;
  if (self->k % 2 != 0 || !find_coefficients(self))
    return shk_refused("the option order must be 4, 6 or 8");
  SHK_TRY(shk_bind_base(&self->start, binding));
  SHK_TRY(shk_bind_state(&self->at, binding));
  SHK_TRY(shk_bind_state(&self->next, binding));
  SHK_TRY(shk_bind_manifold(&self->manifold, binding));
  SHK_TRY(shk_reals(binding->workspace, &self->x, points * n));
  SHK_TRY(shk_reals(binding->workspace, &self->f, points * n));
  SHK_TRY(shk_reals(binding->workspace, &self->l, points * m));
  defaults.options = NULL;
  return shk_bind_solver(&self->solver, &defaults);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const int k = (int)((const struct multistep *)method)->order;
  claims->order_q = claims->order_p = claims->order_lambda_state = k;
  /* Because the roots of σ are on the unit circle, errors in lambda oscillate without damping, and
   * their order becomes visible only in long runs. */
  claims->order_lambda = claims->order_mu = claims->order_lambda_mean = SHK_NO_ORDER;
}

static const struct shk_option options[] =
    SHK_LIST(SHK_INTEGER(multistep, order, "order", "4", "4, 6 or 8: the number of steps",
                         .minimum = "4", .maximum = "8"),
             SHK_BASE(multistep, start, "start", "composition(scheme=suzuki-umeno8)",
                      "the method that computes the starting values"));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(multistep, (.n = 1), base, dp, zero, carry),
             SHK_ARRAYS(multistep, (.entries = 1), G0, G1));

/* Bounded energy is not claimed, because the energy is bounded only at step sizes smaller than
 * those used by certificates. */
static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(4), SHK_CLAIM(ORDER_LAMBDA_SUM, 0), SHK_CLAIM(SYMMETRIC, SHK_YES),
             SHK_CONSTRAINTS(SHK_YES), SHK_CLAIM(KEEPS_MOMENTA, SHK_NO), SHK_COORDINATES(SHK_YES));

static const struct shk_integrator symmetric_multistep = {
    SHK_INTEGRATOR(multistep, arrays, bind, step, claims_under), .memory = memory,
    .begin = begin_multistep, .reverse = reverse_multistep,
    .info = {.name = "symmetric-multistep",
             .family = "constrained and geometric",
             .summary = "explicit symmetric multistep methods of orders 4, 6 and 8",
             .equations = equations,
             .citation = "Console, Hairer & Lubich, Numer. Math. 124 (2013) 517; Quinlan & "
                         "Tremaine, Astron. J. 100 (1990) 1694",
             .options = options,
             .claims = claims}};

SHK_PROVIDE(symmetric_multistep, .integrators = SHK_INTEGRATORS(&symmetric_multistep));
