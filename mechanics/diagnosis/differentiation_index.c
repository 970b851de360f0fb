/* Computes derivative arrays numerically. Let lambda(t) = Σ_j lambda_j s^j with s = (t - t_0)/τ,
 * where τ is the problem's time scale. Let z(t) be the solution of the differential equation,
 * without the constraints, that starts at z_0. Then
 *
 *     g(z(t),t) = Σ_k c_k s^k,   c_k = c_k(z_0, lambda_0, …, lambda_{k-1})
 *
 * and the equations c_k = 0, k = 0 … K, form the derivative array after K differentiations. At a
 * solution for the largest K, let J = (J_z J_lambda) be the Jacobian of this array, and let W span
 * the left null space of J_lambda. Then
 *
 *     rank W J_z                            is the number of conditions on (q,p),
 *     {f_lambda nu_0 : J_lambda nu = 0}     are the undetermined directions of motion.
 *
 * Every quantity is scaled to its own unit, so that the ranks do not depend on the choice of units.
 * The unit of z_i is its size in the motion (floors.h), the unit of lambda_j moves z by one unit
 * within τ, and the unit of g_i is its change when each z_j moves by one unit.
 *
 * The c_k are computed by Picard iteration on Chebyshev nodes over |s| ≤ 1/50, and their
 * derivatives are computed by finite differences. Only quadruple precision provides enough digits
 * for this. */
#include "mechanics/diagnosis/differentiation_index.h"

#include "mechanics/algebra/jacobi.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/evaluate.h"
#include <shakedown/bind.h>

#include <stdio.h>

enum { NODES = 16, SWEEPS = 100, NEWTON = 40, K = SHK_CHAIN_LEVELS };

/* Half-length of the interval, divided by the time scale. */
#define REACH R(0.02)
/* Bounds on singular values, relative to the largest one. Values below the first bound are
 * round-off, and values above the second are not. A value between the bounds leaves the index
 * undecided. */
#define SURELY_ZERO R(1e-11)
#define SURELY_NOT R(1e-7)
/* Smallest scale used for the response of the constraints to their multipliers, relative to |J_z| τ
 * |f_lambda|, which estimates this response after one differentiation. It is far above 1e-14, which
 * is the error of fifth derivatives computed by finite differences. */
#define LEAST_RESPONSE R(0.1)

#define TOO_FAST                                                                                   \
  "the motion is too fast for its time scale: a fiftieth of the time scale cannot be integrated "  \
  "in one step"
static const struct shk_iteration_rule sweeps_rule = {
    .stops = {4, 1000, R(0.5), 1, 0}, .diverged = TOO_FAST, .at_limit = TOO_FAST};

struct chain {
  struct shk_evaluator *evaluator;
  int n, m, size, unknowns, rows; /* size is 2n, unknowns is 2n + K m, and rows is (K+1) m */
  real t, scale;
  real s[NODES], integrate[NODES][NODES], coefficients[K + 1][NODES];
  real *z, *slopes; /* NODES x 2n */
  real *fresh;      /* 2n */
  real *g;          /* NODES x m */
  /* lambda has m entries; the Jacobian has one per entry of the pattern, or is m x 2n for
   * constraints g(q,p) */
  real *lambda, *jacobian;
  real *x, *trial; /* the unknowns, scaled to their units */
  real *unit;      /* 2n + m entries: units of z and lambda */
  real *row_unit;  /* m entries: units of g */
  real *at;        /* 2n entries: z in the problem's units */
  real *F, *F1;    /* rows */
  real *J;         /* rows x unknowns */
  real *A, *L, *B; /* work space for decompositions: (rows + unknowns)² entries each */
  real *force;     /* m x 2n: f_lambda, where row j is the derivative with respect to lambda_j */
  /* 2n x 2n each: gradients of the conditions at this level and at the previous one */
  real *basis, *old;
  real response; /* the largest entry of J_lambda */
  bool decided;  /* true if no singular value was in the gap */
  struct shk_iteration sweeps;
};

static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAYS(chain, (.n = 2 * NODES), z, slopes), SHK_ARRAYS(chain, (.n = 2), fresh, at),
    SHK_ARRAY(chain, unit, .n = 2, .m = 1), SHK_ARRAYS(chain, (.m = 1), row_unit, lambda),
    SHK_ARRAY(chain, g, .m = NODES), SHK_ARRAY(chain, jacobian, .entries = 1, .nm = 2),
    SHK_ARRAYS(chain, (.n = 2, .m = K), x, trial), SHK_ARRAYS(chain, (.m = K + 1), F, F1),
    SHK_ARRAY(chain, J, .nm = 2 * (K + 1), .mm = K * (K + 1)),
    SHK_ARRAYS(chain, (.nn = 4, .nm = 4 * (2 * K + 1), .mm = (2 * K + 1) * (2 * K + 1)), A, L, B),
    SHK_ARRAY(chain, force, .nm = 2), SHK_ARRAYS(chain, (.nn = 4), basis, old));

/* Stores z in search->at, in the problem's units. */
static void leave_units(struct chain *search, const real *z)
{
  for (int i = 0; i < search->size; i++)
    search->at[i] = search->unit[i] * z[i];
}

static struct shk_status slope_index(struct chain *search, real *out, const real *z, real t)
{
  struct shk_evaluator *const e = search->evaluator;
  const real *const q = search->at, *const p = search->at + search->n;
  leave_units(search, z);
  SHK_TRY(e->system->features & SHK_GENERAL_DAE
              ? shk_dae_slope(e, out, out + search->n, t, q, p, search->lambda)
              : shk_constrained_slope(e, out, NULL, search->jacobian, t, q, p, search->lambda));
  for (int i = 0; i < search->size; i++)
    out[i] /= search->unit[i];
  return shk_ok();
}

static struct shk_status constraint(struct chain *search, real *out, const real *z, real t)
{
  leave_units(search, z);
  SHK_TRY(shk_constraint_qp(search->evaluator, out, t, search->at, search->at + search->n));
  for (int i = 0; i < search->m; i++)
    out[i] /= search->row_unit[i];
  return shk_ok();
}

/* Evaluates lambda at a node from the coefficients in x, and converts it to the problem's units. */
static void set_lambda(struct chain *search, const real *x, real s)
{
  for (int i = 0; i < search->m; i++) {
    real sum = 0;
    for (int j = K - 1; j >= 0; j--)
      sum = sum * s + x[search->size + j * search->m + i];
    search->lambda[i] = search->unit[search->size + i] * sum;
  }
}

/* Evaluates c_0 … c_K (rows) at x = (z_0, lambda_0, …). */
static struct shk_status derivative_array(struct chain *search, real *out, const real *x)
{
  const int size = search->size, m = search->m;
  shk_iteration_begin(&search->sweeps, &sweeps_rule, 0);
  for (int i = 0; i < NODES; i++)
    shk_copy(search->z + (size_t)i * size, x, size);
  for (;;) {
    for (int i = 0; i < NODES; i++) {
      set_lambda(search, x, REACH * search->s[i]);
      SHK_TRY(slope_index(search, search->slopes + (size_t)i * size, search->z + (size_t)i * size,
                          search->t + REACH * search->scale * search->s[i]));
    }
    real change = 0, largest = 1;
    for (int i = 0; i < NODES; i++)
      for (int k = 0; k < size; k++) {
        real *z = &search->z[(size_t)i * size + k];
        const real integral =
            shk_dot_strided(search->integrate[i], search->slopes + k, size, NODES);
        const real now = x[k] + REACH * search->scale * integral;
        change = real_max(change, real_fabs(now - *z));
        largest = real_max(largest, real_fabs(now));
        *z = now;
      }
    search->sweeps.rounding = REAL_EPSILON * largest;
    SHK_TRY(shk_iteration_next(&search->sweeps, change));
    if (search->sweeps.converged)
      break;
  }
  for (int i = 0; i < NODES; i++)
    SHK_TRY(constraint(search, search->g + (size_t)i * m, search->z + (size_t)i * size,
                       search->t + REACH * search->scale * search->s[i]));
  for (int k = 0; k <= K; k++)
    for (int i = 0; i < m; i++)
      out[k * m + i] = shk_dot_strided(search->coefficients[k], search->g + i, m, NODES);
  return shk_ok();
}

/* Computes the nodes and two matrices, which map values at the nodes to integrals from 0 and to
 * polynomial coefficients. */
static void set_nodes(struct chain *search)
{
  real V[NODES * NODES], column[NODES];
  int pivots[NODES];
  const real pi = 4 * real_atan2(1, 1);
  for (int i = 0; i < NODES; i++) {
    search->s[i] = -real_cos((2 * i + 1) * pi / (2 * NODES));
    real power = 1;
    for (int k = 0; k < NODES; k++, power *= search->s[i])
      V[i * NODES + k] = power;
  }
  shk_lu_factor(V, pivots, NODES); /* regular, because the points are distinct */
  for (int j = 0; j < NODES; j++) {
    for (int i = 0; i < NODES; i++)
      column[i] = i == j;
    shk_lu_solve(column, V, pivots, NODES); /* Lagrange polynomial j, expanded in monomials */
    real unit = 1;
    for (int k = 0; k <= K; k++, unit *= REACH)
      search->coefficients[k][j] = column[k] / unit;
    for (int i = 0; i < NODES; i++) {
      real sum = 0;
      for (int k = NODES - 1; k >= 0; k--)
        sum = (sum + column[k] / (k + 1)) * search->s[i];
      search->integrate[i][j] = sum;
    }
  }
}

/* Computes (*up - *down) / *step, a central difference of a function of x with respect to its c-th
 * unknown. */
static struct shk_status
central_difference(struct chain *search, int c, real *step, real *up, real *down,
                   struct shk_status (*function)(struct chain *search, real *out, const real *x))
{
  const real d = real_sqrt(real_sqrt(REAL_EPSILON)) * real_max(1, real_fabs(search->x[c]));
  shk_copy(search->trial, search->x, search->unknowns);
  search->trial[c] = search->x[c] + d;
  SHK_TRY(function(search, up, search->trial));
  search->trial[c] = search->x[c] - d;
  *step = 2 * d;
  return function(search, down, search->trial);
}

/* J at x. */
static struct shk_status differentiate_index(struct chain *search)
{
  real step;
  for (int c = 0; c < search->unknowns; c++) {
    SHK_TRY(central_difference(search, c, &step, search->F, search->F1, derivative_array));
    for (int r = 0; r < search->rows; r++)
      search->J[(size_t)r * search->unknowns + c] = (search->F[r] - search->F1[r]) / step;
  }
  return shk_ok();
}

/* Returns the largest absolute value in the first `rows` rows of J, restricted to the `columns`
 * columns that start at column `first`. */
static real largest_of(const struct chain *search, int rows, int first, int columns)
{
  real largest = 0;
  for (int r = 0; r < rows; r++)
    largest =
        real_max(largest, real_max_norm(search->J + (size_t)r * search->unknowns + first, columns));
  return largest;
}

/* Computes the singular value decomposition of A, whose rows are `rows` vectors of length
 * `columns`. Stores the singular values in sizes (rows), replaces the rows of A with sigma_k v_k,
 * and stores the left singular vectors in L unless it is NULL. `scale` is a lower bound on the
 * largest singular value. Clears `decided` if a value falls within the gap. Returns the rank, or -1
 * if the iteration does not converge. */
static int decompose_rows(struct chain *search, real *A, real *L, real *sizes, int rows,
                          int columns, real scale)
{
  real largest = scale;
  for (int i = 0; i < rows; i++)
    largest = real_max(largest, real_max_norm(A + (size_t)i * columns, columns));
  if (!shk_jacobi_svd(A, L, rows, columns, SURELY_ZERO / 10 * largest))
    return -1;
  int rank = 0;
  for (int i = 0; i < rows; i++) {
    sizes[i] = real_sqrt(real_dot(A + (size_t)i * columns, A + (size_t)i * columns, columns));
    largest = real_max(largest, sizes[i]);
  }
  for (int i = 0; i < rows; i++) {
    search->decided =
        search->decided && !(sizes[i] > SURELY_ZERO * largest && sizes[i] < SURELY_NOT * largest);
    if (sizes[i] > real_sqrt(SURELY_ZERO * SURELY_NOT) * largest)
      rank++;
    else
      sizes[i] = 0;
  }
  return rank;
}

/* Takes minimum-norm Gauss-Newton steps in the unknowns with index `first` and above, until the
 * array is solved or the residual no longer decreases. */
static struct shk_status approach_solution(struct chain *search, real *residual, bool *solved,
                                           int first)
{
  const int columns = search->unknowns - first;
  real *sizes = search->B;
  *solved = false;
  for (int pass = 0; pass < NEWTON; pass++) {
    const real before = *residual;
    SHK_TRY(differentiate_index(search));
    SHK_TRY(derivative_array(search, search->F, search->x));
    *residual = real_max_norm(search->F, search->rows);
    if (!real_isfinite(*residual))
      return shk_ok();
    const real scale = real_max(1, largest_of(search, search->rows, 0, search->unknowns));
    *solved = *residual <= real_pow(REAL_EPSILON, R(0.6)) * scale;
    if (*solved || (pass > 8 && *residual > before / 2))
      return shk_ok();
    for (int r = 0; r < search->rows; r++)
      shk_copy(search->A + (size_t)r * columns, search->J + (size_t)r * search->unknowns + first,
               columns);
    if (decompose_rows(search, search->A, search->L, sizes, search->rows, columns, 0) < 0)
      return shk_ok();
    for (int k = 0; k < search->rows; k++) {
      if (sizes[k] == 0)
        continue;
      const real part = real_dot(search->L + (size_t)k * search->rows, search->F, search->rows) /
                        (sizes[k] * sizes[k]);
      for (int c = 0; c < columns; c++)
        search->x[first + c] -= part * search->A[(size_t)k * columns + c];
    }
  }
  return shk_ok();
}

/* Moves x to a nearby solution of the whole array. If a change in lambda alone suffices, (q,p) is
 * unchanged. */
static struct shk_status solve_index(struct chain *search)
{
  real residual = 0;
  bool solved;
  SHK_TRY(approach_solution(search, &residual, &solved, search->size));
  if (!solved)
    SHK_TRY(approach_solution(search, &residual, &solved, 0));
  return solved ? shk_ok()
                : shk_failure(SHK_NOT_CONVERGED,
                              "no point near the start satisfies the constraints and "
                              "their first five derivatives: the residual is %g",
                              (double)residual, 0);
}

/* Copies the rows of J for all levels up to `level` to `out`, omitting the columns before `first`.
 * If `transposed` is true, `out` is column-major. */
static void take_index(const struct chain *search, real *out, int level, int first, int columns,
                       bool transposed)
{
  const int rows = (level + 1) * search->m;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      out[transposed ? (size_t)c * rows + r : (size_t)r * columns + c] =
          search->J[(size_t)r * search->unknowns + first + c];
}

/* Fills the first rows of L with orthonormal vectors v that satisfy vᵀK = 0, and returns the number
 * of these vectors, or -1 if the decomposition does not converge. K consists of the columns of A
 * (or of its rows if `transposed` is true) that belong to the multipliers of levels up to
 * `level`. */
static int annihilate_index(struct chain *search, int rows, int columns, int level, bool transposed)
{
  real *sizes = search->B;
  for (int i = 0; i < rows * rows; i++)
    search->L[i] = i % (rows + 1) == 0;
  shk_fill(sizes, 0, rows);
  take_index(search, search->A, level, search->size, level * search->m, transposed);
  if (level > 0 &&
      decompose_rows(search, search->A, search->L, sizes, rows, columns, search->response) < 0)
    return -1;
  int count = 0;
  for (int i = 0; i < rows; i++)
    if (sizes[i] == 0)
      memmove(search->L + (size_t)count++ * rows, search->L + (size_t)i * rows,
              (size_t)rows * sizeof(real));
  return count;
}

/* Multiplies the first `count` rows of L, which have length `length`, by M (rows x 2n, `stride`
 * apart). Returns the rank of the product, or -1 if the decomposition does not converge. Unless
 * `basis` is NULL, stores an orthonormal basis of the product's row space in it. `scale` has the
 * same meaning as in decompose. */
static int rank_of_product(struct chain *search, real *basis, int count, int length, const real *M,
                           int rows, int stride, real scale)
{
  const int size = search->size;
  real *sizes = search->B, *vectors = search->B + search->rows + search->unknowns, *next = basis;
  shk_fill(vectors, 0, (count > 0 ? count : 0) * size);
  for (int i = 0; i < count; i++)
    for (int r = 0; r < rows; r++)
      shk_vector_add(vectors + (size_t)i * size, search->L[(size_t)i * length + r],
                     M + (size_t)r * stride, size);
  const int rank =
      count < 0 ? -1 : decompose_rows(search, vectors, NULL, sizes, count, size, scale);
  for (int i = 0; rank >= 0 && basis && i < count; i++)
    for (int c = 0; sizes[i] > 0 && c < size; c++)
      *next++ = vectors[(size_t)i * size + c] / sizes[i];
  return rank;
}

/* Stores an orthonormal basis of the gradients (2n each) of the conditions on z after `level`
 * differentiations in `basis`. Returns the number of basis vectors, or -1 if a decomposition does
 * not converge. */
static int hidden_conditions(struct chain *search, int level)
{
  const int rows = (level + 1) * search->m;
  const int count = annihilate_index(search, rows, level * search->m, level, false);
  return rank_of_product(search, search->basis, count, rows, search->J, rows, search->unknowns,
                         largest_of(search, rows, 0, search->size));
}

/* Returns the number of directions of motion that remain undetermined after `level`
 * differentiations, or -1 if a decomposition does not converge. */
static int undetermined_index(struct chain *search, int level)
{
  const int m = search->m,
            unknowns = level > 0 ? level * m : m; /* level 0 does not involve lambda_0 */
  const int count = annihilate_index(search, unknowns, (level + 1) * m, level, true);
  return rank_of_product(search, NULL, count, unknowns, search->force, m, search->size,
                         real_max_norm(search->force, m * search->size));
}

/* Computes the initial slope z' from z_0 and lambda_0, which are stored in x. */
static struct shk_status slope_at(struct chain *search, real *out, const real *x)
{
  set_lambda(search, x, 0);
  return slope_index(search, out, x, search->t);
}

/* f_lambda at x. */
static struct shk_status multiplier_derivatives(struct chain *search)
{
  real step;
  for (int j = 0; j < search->m; j++) {
    real *row = search->force + (size_t)j * search->size;
    SHK_TRY(central_difference(search, search->size + j, &step, search->fresh, row, slope_at));
    for (int c = 0; c < search->size; c++)
      row[c] = (search->fresh[c] - row[c]) / step;
  }
  return shk_ok();
}

static struct shk_status constraint_at(struct chain *search, real *out, const real *x)
{
  return constraint(search, out, x, search->t);
}

/* Sets the units of z, lambda and g at (q,p), and sets x to that point. The initial guess for
 * lambda_0 is the exact multiplier if it exists. */
static struct shk_status set_units(struct chain *search, const struct shk_floors *floors,
                                   struct shk_manifold *manifold, const real *q, const real *p)
{
  const int n = search->n, m = search->m, size = search->size;
  real step, *const guess = search->x + size;
  for (int i = 0; i < n; i++) {
    search->unit[i] = shk_floors_unit(floors->q[i]);
    search->unit[n + i] = shk_floors_unit(floors->p[i]);
    search->x[i] = q[i] / search->unit[i];
    search->x[n + i] = p[i] / search->unit[n + i];
  }
  for (int i = 0; i < m; i++)
    search->unit[size + i] = search->row_unit[i] = 1;
  for (int pass = 0; pass < 2; pass++) { /* the initial estimate of lambda's units may be far off */
    SHK_TRY(multiplier_derivatives(search));
    for (int j = 0; j < m; j++) {
      const real moved = search->scale * real_max_norm(search->force + (size_t)j * size, size);
      search->unit[size + j] /= shk_floors_unit(moved);
    }
  }
  shk_fill(search->F1, 0, m);
  for (int c = 0; c < size; c++) {
    SHK_TRY(central_difference(search, c, &step, search->g, search->g + m, constraint_at));
    for (int i = 0; i < m; i++)
      search->F1[i] += real_fabs(search->g[i] - search->g[m + i]) / step;
  }
  for (int i = 0; i < m; i++)
    search->row_unit[i] = shk_floors_unit(search->F1[i]);
  const bool known = shk_exact_multiplier(manifold, guess, search->t, q, p).code == SHK_OK &&
                     real_isfinite(real_max_norm(guess, m));
  for (int i = 0; i < m; i++)
    guess[i] = known ? guess[i] / search->unit[size + i] : 0;
  return shk_ok();
}

/* Lists the names of the coordinates in which the `count` gradients of the basis have components
 * outside the span of the previous level's `old_count` gradients. */
static void name_coordinates(char *text, size_t room, const struct chain *search, int count,
                             int old_count)
{
  size_t length = 0;
  text[0] = '\0';
  for (int c = 0; c < search->size; c++) {
    /* A diagonal entry of the projector onto the new directions. This is the projector onto all
     * directions minus the projector onto the old ones. */
    real part = 0;
    for (int i = 0; i < count; i++)
      part +=
          search->basis[(size_t)i * search->size + c] * search->basis[(size_t)i * search->size + c];
    for (int i = 0; i < old_count; i++)
      part -= search->old[(size_t)i * search->size + c] * search->old[(size_t)i * search->size + c];
    if (!(part > SURELY_NOT))
      continue;
    if (length + 16 > room) {
      snprintf(text + length, room - length, ", …");
      return;
    }
    length +=
        (size_t)snprintf(text + length, room - length, "%s%c%d", length > 0 ? ", " : "",
                         c < search->n ? 'q' : 'p', c < search->n ? c + 1 : c - search->n + 1);
  }
}

static struct shk_status read_array(struct shk_chain *chain, struct chain *search)
{
  int total = 0, left[K + 1], clear = -1; /* the highest level up to which all ranks are clear */
  search->decided = true;
  SHK_TRY(multiplier_derivatives(search));
  /* The second bound applies if the response is only round-off, as is the case for g = H - E along
   * the flow of H. */
  search->response =
      real_max(largest_of(search, search->rows, search->size, search->unknowns - search->size),
               LEAST_RESPONSE * largest_of(search, search->rows, 0, search->size) * search->scale *
                   real_max_norm(search->force, search->m * search->size));
  for (int level = 0; level <= K; level++) {
    const int now = hidden_conditions(search, level);
    left[level] = undetermined_index(search, level);
    if (now < 0 || left[level] < 0)
      return shk_failure(SHK_NOT_CONVERGED, "the Jacobi sweeps did not converge", 0, 0);
    if (!search->decided)
      break;
    clear = level;
    chain->conditions[level] = now - total;
    if (now > total) {
      chain->last = level;
      name_coordinates(chain->coordinates[level], sizeof chain->coordinates[level], search, now,
                       total);
    }
    shk_copy(search->old, search->basis, now * search->size);
    total = now;
  }
  chain->undetermined = clear < 0 ? 0 : left[clear];
  chain->index = -1;
  /* A direction of motion that is determined at one level stays determined at the next. Once all
   * directions are determined, levels with unclear ranks therefore do not change the index. High
   * derivatives of stiff forces produce such levels. */
  for (int level = clear; level >= 0 && left[level] == 0; level--)
    chain->index = level + 1;
  /* If the last differentiations produced no new condition and determined no direction, lambda is
   * never determined. */
  if (clear == K && left[K] > 0 && chain->last + 2 <= K && left[K] == left[K - 1])
    chain->index = 0;
  return shk_ok();
}

static struct shk_status find_index(struct shk_chain *chain, const struct shk_floors *floors,
                                    struct shk_workspace *workspace, real t, const real *q,
                                    const real *p)
{
  struct shk_evaluator *const e = floors->evaluator;
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  struct chain *search = shk_part(workspace, sizeof *search, arrays, e);
  SHK_TRY(shk_allocated(search));
  search->evaluator = e;
  search->sweeps.limit = SWEEPS;
  search->n = (int)n;
  search->m = (int)m;
  search->size = 2 * search->n;
  search->unknowns = search->size + K * search->m;
  search->rows = (K + 1) * search->m;
  search->t = t;
  search->scale = floors->time_scale;
  search->decided = true;
  set_nodes(search);
  struct shk_manifold *manifold;
  SHK_TRY(
      shk_bind_manifold(&manifold, &(struct shk_binding){.workspace = workspace, .evaluator = e}));
  SHK_TRY(set_units(search, floors, manifold, q, p));
  SHK_TRY(solve_index(search));
  for (int i = 0; i < search->size; i++)
    chain->moved = (double)real_max(
        (real)chain->moved,
        real_fabs(search->x[i] - (i < search->n ? q[i] : p[i - search->n]) / search->unit[i]));
  SHK_TRY(differentiate_index(search));
  return read_array(chain, search);
}

struct shk_status shk_chain_find(struct shk_chain *chain, const struct shk_floors *floors, real t,
                                 const real *q, const real *p)
{
  const struct shk_evaluator *const e = floors->evaluator;
  const int m = e->system->m, unknowns = 2 * e->system->n + K * m;
  *chain = (struct shk_chain){.index = -1};
  if (SHK_PRECISION != 128)
    return shk_refused("found in quadruple precision only");
  if (m == 0)
    return shk_refused("there are no constraints");
  if (unknowns > SHK_CHAIN_LIMIT)
    return shk_failure(SHK_REFUSED, "too many unknowns in the derivative array: %g (limit %g)",
                       unknowns, SHK_CHAIN_LIMIT);
  struct shk_workspace *workspace = shk_workspace_create(NULL, 0);
  const struct shk_status status =
      workspace ? find_index(chain, floors, workspace, t, q, p) : shk_no_memory();
  shk_workspace_destroy(workspace);
  return status;
}
