/*
 * The multipliers of linear=svd and linear=qr where constraints are redundant, against LAPACK's
 * least-squares solution of least norm (dgelsd), which knows nothing of ours: with the force
 * f = Gᵀλ of a step, x = D λ is the shortest solution of
 *
 *     (D⁻¹ G M^(-1/2))ᵀ x = M^(-1/2) f,      D the lengths of the rows of G M^(-1/2)
 *
 * svd's λ is that of its own force and of qr's, and qr's has as many exact zeros as there are rows
 * too many, with the same force, as far as round-off of a step allows. In quad what comes from
 * LAPACK is compared as far as double goes.
 */
#include "tests/kit/driving.h"

void dgelsd_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b,
             const int *ldb, double *s, const double *rcond, int *rank, double *work,
             const int *lwork, int *iwork, int *info);

enum { MOST = 40, STEPS = 10, ROOM = 20000 };

static const struct redundant {
  const char *problem, *step;
  int rows, rank;
} problems[] = {
    {"beads-on-line(redundant=yes)", "0.01", 3, 2},
    {"duplicate(double-pendulum,row=2)", "0.01", 3, 2},
    {"water(redundant=yes)", "0.001", 4, 3},
    {"bricard", "0.001", 33, 32},
};

/* A step's multipliers and force at the state where it began. */
struct push {
  int n, m;
  real h, lambda[MOST], force[MOST], q[MOST], G[MOST][MOST], mass[MOST];
};

/* The step is from *before: after STEPS steps where it is empty, else from that state. */
static bool run(struct push *push, struct shk_state *before, const struct redundant *its,
                const char *linear)
{
  char integrator[DRIVING_TEXT], reason[256];
  DRIVE d = {0};
  real values[MOST * MOST] = {0};
  snprintf(integrator, sizeof integrator, "rattle(linear=%s)", linear);
  bool ok = begin_at(&d, reason, its->problem, integrator, its->step, NULL, NULL, false) == SHK_OK;
  if (!ok)
    tap_diag("%s on %s: %s", integrator, its->problem, reason);
  if (ok && before->q) {
    shk_state_copy(&d.current, before);
  } else if (ok) {
    ok = shk_state_init(before, d.current.n, d.current.m) && advance(&d, STEPS);
    shk_state_copy(before, &d.current);
  }
  ok = ok && advance(&d, 1) && before->n <= MOST && before->m <= MOST;
  if (ok) {
    struct shk_evaluator *const e = &d.bound.observer;
    *push = (struct push){.n = before->n, .m = before->m, .h = d.bound.step};
    memcpy(push->q, before->q, (size_t)before->n * sizeof(real));
    memcpy(push->lambda, d.current.lambda, (size_t)before->m * sizeof(real));
    memcpy(push->mass, e->system->mass, (size_t)before->n * sizeof(real));
    ok = shk_jacobian(e, values, before->t, before->q).code == SHK_OK;
    shk_jacobian_transposed_add(e, push->force, values, 1, push->lambda);
    for (int i = 0; i < before->m; i++)
      for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
        push->G[i][e->columns[k]] = values[k];
  }
  return ok;
}

/* D: the lengths of the rows of G M^(-1/2). */
static void row_lengths(real *length, const struct push *push)
{
  for (int i = 0; i < push->m; i++) {
    real square = 0;
    for (int j = 0; j < push->n; j++)
      square += push->G[i][j] * push->G[i][j] / push->mass[j];
    length[i] = real_sqrt(square);
  }
}

/* Of A = D⁻¹ G M^(-1/2) by its singular values: how far it stretches, and its pseudo-inverse A⁺. */
struct stretch {
  int rank;                        /* -1: LAPACK fails */
  double most, inverse, frobenius; /* ‖A‖, ‖A⁺‖, and ‖A⁺‖ in Frobenius' norm */
};

/* lambda <- the shortest with the force, in the scaling of the rows. */
static struct stretch shortest(double *lambda, const struct push *push)
{
  static double a[MOST * MOST], b[MOST], s[MOST], work[ROOM];
  static int iwork[ROOM];
  real length[MOST];
  const int one = 1, room = ROOM, rows = push->n, columns = push->m;
  const int larger = rows > columns ? rows : columns;
  const double limit = 1e-10;
  int rank, info;
  row_lengths(length, push);
  for (int i = 0; i < columns; i++)
    for (int j = 0; j < rows; j++)
      a[i * rows + j] = (double)(push->G[i][j] / real_sqrt(push->mass[j]) / length[i]);
  for (int j = 0; j < larger; j++)
    b[j] = j < rows ? (double)(push->force[j] / real_sqrt(push->mass[j])) : 0;
  dgelsd_(&rows, &columns, &one, a, &rows, b, &larger, s, &limit, &rank, work, &room, iwork, &info);
  for (int i = 0; i < columns; i++)
    lambda[i] = b[i] / (double)length[i];
  if (info != 0 || rank < 1)
    return (struct stretch){.rank = -1};
  struct stretch stretch = {rank, s[0], 1 / s[rank - 1], 0};
  for (int k = 0; k < rank; k++)
    stretch.frobenius = hypot(stretch.frobenius, 1 / s[k]);
  return stretch;
}

/* ‖M^(-1/2) (f - f')‖ over ‖M^(-1/2) f'‖. */
static double force_apart(const struct push *a, const struct push *b)
{
  real apart = 0, size = 0;
  for (int j = 0; j < b->n; j++) {
    apart += (a->force[j] - b->force[j]) * (a->force[j] - b->force[j]) / b->mass[j];
    size += b->force[j] * b->force[j] / b->mass[j];
  }
  return (double)real_sqrt(apart / size);
}

/* ‖D (λ - λ')‖ over ‖D λ‖. */
static double multipliers_apart(const struct push *push, const double *lambda)
{
  real length[MOST], apart = 0, size = 0;
  row_lengths(length, push);
  for (int i = 0; i < push->m; i++) {
    const real here = length[i] * (push->lambda[i] - (real)lambda[i]);
    apart += here * here;
    size += length[i] * push->lambda[i] * length[i] * push->lambda[i];
  }
  return (double)real_sqrt(apart / size);
}

/*
 * What round-off makes of a step's force, over its size. Constraints are solved to the rounding of
 * their terms, of which G_ij q_j are representative: each is wrong by eps at most, eps/2 of q and
 * eps/2 of its own, and independently of the others, so that δg_i is of the size of
 * eps (Σ_j (G_ij q_j)²)^½. A step solves ½ h² G M⁻¹ Gᵀ δλ = δg, that is
 *
 *     M^(-1/2) Gᵀ δλ = 2/h² A⁺ D⁻¹ δg,
 *
 * and of independent errors no larger than δ a matrix makes one of the size of δ times Frobenius'
 * norm.
 */
static double force_round_off(const struct push *push, struct stretch stretch)
{
  real length[MOST], largest = 0, size = 0;
  row_lengths(length, push);
  for (int i = 0; i < push->m; i++) {
    real square = 0;
    for (int j = 0; j < push->n; j++)
      square += push->G[i][j] * push->q[j] * push->G[i][j] * push->q[j];
    largest = real_max(largest, real_sqrt(square) / length[i]);
  }
  for (int j = 0; j < push->n; j++)
    size += push->force[j] * push->force[j] / push->mass[j];
  return (double)(2 * REAL_EPSILON / (push->h * push->h) * largest / real_sqrt(size)) *
         stretch.frobenius;
}

int main(void)
{
  for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++) {
    const struct redundant *const its = &problems[k];
    static struct push svd, qr;
    STATE before = {0};
    double lambda[MOST];
    const bool ran = run(&svd, &before, its, "svd") && run(&qr, &before, its, "qr");
    if (!tap_ok(ran && svd.m == its->rows, "%s: both strategies run", its->problem))
      continue;
    const struct stretch stretch = shortest(lambda, &svd);
    /* LAPACK is backward stable: its answer is that of numbers a few roundings of double away, and
     * so is what it is given. */
    const double solved = 16 * 0x1p-52 * stretch.most * stretch.inverse;
    const double own = multipliers_apart(&svd, lambda);
    tap_ok(stretch.rank == its->rank && own <= solved,
           "%s: svd's multipliers are LAPACK's of least norm (rank %d, off by %.1g of %.1g)",
           its->problem, stretch.rank, own, solved);
    /* Twice, for both steps were solved. */
    const double same = force_apart(&qr, &svd), round_off = 2 * force_round_off(&svd, stretch);
    tap_ok(same <= round_off, "%s: qr's force is svd's (off by %.1g of %.1g)", its->problem, same,
           round_off);
    shortest(lambda, &qr);
    /* Multipliers are (Aᵀ)⁺ of the force. */
    const double its_other = multipliers_apart(&svd, lambda);
    const double allowed = solved + stretch.most * stretch.inverse * same;
    tap_ok(its_other <= allowed, "%s: the shortest with qr's force are svd's (off by %.1g of %.1g)",
           its->problem, its_other, allowed);
    int zeros = 0;
    for (int i = 0; i < qr.m; i++)
      zeros += qr.lambda[i] == 0;
    tap_ok(zeros == its->rows - its->rank && multipliers_apart(&qr, lambda) > 1e-3,
           "%s: qr's are zero on what it dropped (%d), and not the shortest", its->problem, zeros);
  }
  return tap_done();
}
