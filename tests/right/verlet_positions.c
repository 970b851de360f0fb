/*
 * Verlet's recursion of positions, with SHAKE, as it was first written; there are no velocities but
 * central differences:
 *
 *     q_{n+1} = 2 q_n - q_{n-1} - h² M⁻¹ (V_q(q_n) + G(q_n)ᵀ lambda_n),   g(q_{n+1}) = 0
 *     p_n = M (q_{n+1} - q_{n-1})/(2h)
 *
 * The velocity at t_n needs q_{n+1}, which is the method's memory: a step takes it as its end, and
 * computes the next one. The start is q_1 = q_0 + h v_0 - h²/2 M⁻¹ (V_q(q_0) + G(q_0)ᵀ lambda).
 * lambda_n acts over a whole step, and is reported as mu of the step that ends at t_n. Central
 * differences are off the hidden constraint by O(h²). Constraint force -Gᵀ lambda. Sources: Verlet,
 * Phys. Rev. 159 (1967) 98; Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327.
 * Separable systems with independent constraints only.
 */
#include "dense.h"

struct verlet {
  struct shk_evaluator *evaluator;
  int n, m;
  struct dense dense;
  real *G0, *G1, *gradient, *free, *g, *sum;
};

/* next <- free - h² share M⁻¹ G(q)ᵀ lambda with g(next) = 0 at t + h; `free` is given. */
static struct shk_status constrain(struct verlet *verlet, real *next, real *lambda, real t,
                                   const real *q, real share_h2, real h)
{
  struct shk_evaluator *e = verlet->evaluator;
  SHK_TRY(shk_jacobian(e, verlet->G0, t, q));
  memset(verlet->sum, 0, (size_t)verlet->m * sizeof(real));
  memcpy(next, verlet->free, (size_t)verlet->n * sizeof(real));
  dense_begin(&verlet->dense, e);
  while (!verlet->dense.iteration.converged) {
    real *const move = verlet->dense.row;
    e->counters.iterations++;
    SHK_TRY(shk_constraint(e, verlet->g, t + h, next));
    SHK_TRY(shk_jacobian(e, verlet->G1, t + h, next));
    SHK_TRY(dense_matrix(&verlet->dense, e, verlet->G1, verlet->G0));
    dense_solve(&verlet->dense, verlet->g, verlet->m);
    for (int j = 0; j < verlet->m; j++)
      verlet->sum[j] += verlet->g[j];
    memset(move, 0, (size_t)verlet->n * sizeof(real));
    shk_jacobian_transposed_add(e, move, verlet->G0, 1, verlet->sum);
    real size = 0;
    for (int i = 0; i < verlet->n; i++) {
      const real moved = verlet->free[i] - move[i] / e->system->mass[i];
      size = real_max(size, real_fabs(moved - next[i]));
      next[i] = moved;
    }
    SHK_TRY(shk_iteration_next(&verlet->dense.iteration,
                               size / real_max(real_max_norm(q, verlet->n), REAL_SMALLEST)));
  }
  for (int j = 0; j < verlet->m; j++)
    lambda[j] = verlet->sum[j] / share_h2;
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct verlet *verlet = method;
  struct shk_evaluator *e = verlet->evaluator;
  const real *mass = e->system->mass, *q1 = from->memory;
  SHK_TRY(shk_gradient(e, verlet->gradient, from->t + h, q1, NULL));
  for (int i = 0; i < verlet->n; i++)
    verlet->free[i] = q1[i] + ((q1[i] - from->q[i]) - h * h * verlet->gradient[i] / mass[i]);
  SHK_TRY(constrain(verlet, to->memory, to->mu, from->t + h, q1, h * h, h));
  for (int i = 0; i < verlet->n; i++) {
    to->q[i] = q1[i];
    to->p[i] = mass[i] * (to->memory[i] - from->q[i]) / (2 * h);
    to->q_carry[i] = to->p_carry[i] = 0;
  }
  memset(to->lambda, 0, (size_t)verlet->m * sizeof(real));
  return shk_ok();
}

static struct shk_status begin(void *method, struct shk_state *start, real h)
{
  struct verlet *verlet = method;
  struct shk_evaluator *e = verlet->evaluator;
  SHK_TRY(shk_gradient(e, verlet->gradient, start->t, start->q, start->p));
  for (int i = 0; i < verlet->n; i++)
    verlet->free[i] =
        start->q[i] + h * (start->p[i] - h / 2 * verlet->gradient[i]) / e->system->mass[i];
  return constrain(verlet, start->memory, start->lambda, start->t, start->q, h * h / 2, h);
}

/* A state's memory is this vector. */
struct verlet_memory {
  real *q1;
};
static const struct shk_array memory[] = SHK_LIST(SHK_ARRAY(verlet_memory, q1, .n = 1));

static const struct shk_array arrays[] = SHK_LIST(
    DENSE_ARRAYS(verlet), SHK_ARRAY(verlet, G0, .entries = 1), SHK_ARRAY(verlet, G1, .entries = 1),
    SHK_ARRAY(verlet, gradient, .n = 1), SHK_ARRAY(verlet, free, .n = 1),
    SHK_ARRAY(verlet, g, .m = 1), SHK_ARRAY(verlet, sum, .m = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(ORDER_Q, 2), SHK_CLAIM(ORDER_P, 2), SHK_CLAIM(ORDER_MU, 2),
             SHK_CLAIM(SYMPLECTIC, SHK_NO), SHK_CLAIM(PRESYMPLECTIC, SHK_YES),
             SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES), SHK_CLAIM(KEEPS_HIDDEN, SHK_NO),
             SHK_CLAIM(KEEPS_MOMENTA, SHK_YES), SHK_CLAIM(ENERGY_BOUNDED, SHK_YES),
             SHK_COORDINATES(SHK_YES));

static const struct shk_integrator verlet_positions = {
    SHK_INTEGRATOR(verlet, arrays, NULL, step, NULL),
    .info = {.name = "verlet-positions",
             .summary =
                 "Verlet's recursion of positions with SHAKE, velocities by central differences",
             .claims = claims},
    .memory = memory, .begin = begin};

SHK_PROVIDE(verlet_positions, .integrators = SHK_INTEGRATORS(&verlet_positions));
