/* Frobenius' test. See frobenius.h. */
#include "mechanics/diagnosis/frobenius.h"

#include "mechanics/algebra/qr.h"
#include "mechanics/system/callback.h"
#include <shakedown/parts/workspace.h>
#include <shakedown/solve.h>

/* Round-off error of a sum of products, in units of epsilon times the sum of the absolute values of
 * the products. */
#define ROUNDING 1000

struct workspace {
  int n, rows, m;             /* n is the number of coordinates plus 1 for time */
  real *A, *gradients;        /* sizes: rows x n, and rows x n x n */
  real *stack, *tau, *pivots; /* (rows + m) x n, where each row has length 1; n entries each */
  /* n x n: row i is Qᵀ e_i, so the columns with index >= rank are the free directions */
  real *basis;
  real *lengths, *velocity, *jacobian, *rate; /* sizes: rows, n, as in the pattern, m */
  int *order;
};

static struct shk_status prepare_frobenius(struct workspace *room, const struct shk_evaluator *e)
{
  const struct shk_system *s = e->system;
  const size_t n = (size_t)s->n + 1, rows = (size_t)s->velocity_rows, m = (size_t)s->m;
  *room = (struct workspace){.n = s->n + 1, .rows = s->velocity_rows, .m = s->m};
  SHK_TRY(shk_reals(e->workspace, &room->A, rows * n));
  SHK_TRY(shk_reals(e->workspace, &room->gradients, rows * n * n));
  SHK_TRY(shk_reals(e->workspace, &room->stack, (rows + m) * n));
  SHK_TRY(shk_reals(e->workspace, &room->tau, n));
  SHK_TRY(shk_reals(e->workspace, &room->pivots, n));
  SHK_TRY(shk_reals(e->workspace, &room->basis, n * n));
  SHK_TRY(shk_reals(e->workspace, &room->lengths, rows));
  SHK_TRY(shk_reals(e->workspace, &room->velocity, n));
  SHK_TRY(shk_reals(e->workspace, &room->jacobian, (size_t)e->row_start[m]));
  SHK_TRY(shk_reals(e->workspace, &room->rate, m));
  return shk_integers(e->workspace, &room->order, rows + m);
}

/* Scales a row to length 1 and returns its original length. If the row is zero, leaves it unchanged
 * and returns 1. */
static real normalize_frobenius(real *row, int n)
{
  const real square = real_dot(row, row, n);
  const real length = square > 0 ? real_sqrt(square) : 1;
  for (int j = 0; j < n; j++)
    row[j] /= length;
  return length;
}

/* Computes (A a), its derivatives, and the velocity (v 1). Also computes the stack, which contains
 * the rows of (A a) and (G g_t), scaled to length 1. */
static struct shk_status fill_distribution(struct workspace *room, struct shk_evaluator *e, real t,
                                           const real *q, const real *p)
{
  const struct shk_system *s = e->system;
  const int n = room->n;
  SHK_TRY(shk_callback_status(s, s->velocity_forms(s->context, room->A, t, q)));
  SHK_TRY(shk_callback_status(s, s->velocity_form_gradients(s->context, room->gradients, t, q)));
  SHK_TRY(shk_velocity(e, room->velocity, t, q, p));
  room->velocity[n - 1] = 1;
  for (int i = 0; i < room->rows * n; i++)
    room->stack[i] = room->A[i];
  for (int i = 0; i < room->rows; i++)
    room->lengths[i] = normalize_frobenius(room->stack + i * n, n);
  if (room->m == 0)
    return shk_ok();
  SHK_TRY(shk_jacobian(e, room->jacobian, t, q));
  if (s->features & SHK_RHEONOMIC)
    SHK_TRY(shk_constraint_rate(e, room->rate, t, q));
  for (int i = 0; i < room->m; i++) {
    real *row = room->stack + (room->rows + i) * n;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      row[e->columns[k]] = room->jacobian[k];
    row[n - 1] = room->rate[i];
    normalize_frobenius(row, n);
  }
  return shk_ok();
}

/* Computes dα_i(u,v)/|α_i| and the sum of the absolute values of its terms, where u and v are the
 * columns a and b of the basis. */
static void twist_of(const struct workspace *room, real *value, real *moduli, int i, int a, int b)
{
  const int n = room->n;
  const real *dA = room->gradients + (size_t)i * n * n; /* dA[j n + k] = dA_ij/dx_k */
  real sum = 0, size = 0;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) {
      const real area = room->basis[j * n + a] * room->basis[k * n + b];
      sum += (dA[k * n + j] - dA[j * n + k]) * area;
      size += (real_fabs(dA[k * n + j]) + real_fabs(dA[j * n + k])) * real_fabs(area);
    }
  *value = sum / room->lengths[i];
  *moduli = size / room->lengths[i];
}

static void measure_frobenius(struct workspace *room, struct shk_frobenius *r)
{
  const int n = room->n;
  for (int i = 0; i < room->rows; i++) {
    real along = 0;
    for (int j = 0; j < n; j++)
      along += room->A[i * n + j] * room->velocity[j];
    r->violation = real_max(r->violation, real_fabs(along) / room->lengths[i]);
  }
  r->rank = shk_qr_factor(room->stack, room->tau, room->pivots, room->order, room->rows + room->m,
                          n, ROUNDING * REAL_EPSILON);
  for (int i = 0; i < n; i++) {
    room->basis[i * n + i] = 1;
    shk_qr_reflect(room->basis + i * n, room->stack, room->tau, r->rank, n);
  }
  for (int i = 0; i < room->rows; i++)
    for (int a = r->rank; a < n; a++)
      for (int b = a + 1; b < n; b++) {
        real value, moduli;
        twist_of(room, &value, &moduli, i, a, b);
        r->twist = real_max(r->twist, real_fabs(value));
        r->rounding = real_max(r->rounding, ROUNDING * REAL_EPSILON * moduli);
      }
  r->integrable = r->twist <= r->rounding;
}

struct shk_status shk_frobenius_test(struct shk_frobenius *result, struct shk_evaluator *e, real t,
                                     const real *q, const real *p)
{
  const struct shk_system *s = e->system;
  struct workspace room;
  *result = (struct shk_frobenius){0};
  if (!(s->features & SHK_VELOCITY_CONSTRAINT) || !s->velocity_forms ||
      !s->velocity_form_gradients || s->velocity_rows <= 0)
    return shk_failure(SHK_BAD_INPUT,
                       "the system declares no velocity constraints, or lacks their matrix or its "
                       "derivatives",
                       0, 0);
  SHK_TRY(prepare_frobenius(&room, e));
  SHK_TRY(fill_distribution(&room, e, t, q, p));
  measure_frobenius(&room, result);
  return shk_ok();
}
