/*
 * The multipliers of linear=svd and linear=qr where constraints are redundant, against LAPACK's
 * least-squares solution of least norm (dgelsd), which knows nothing of ours: with the force
 * f = Gᵀλ of a step, x = D λ is the shortest solution of
 *
 *     (D⁻¹ G M^(-1/2))ᵀ x = M^(-1/2) f,      D the lengths of the rows of G M^(-1/2)
 *
 * svd's λ is that of its own force and of qr's, and qr's has as many exact zeros as there are rows
 * too many, with the same force. In quad the numbers are compared as far as double goes.
 */
#include "tests/driving.h"

#include <math.h>
#include <stdlib.h>

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
  real lambda[MOST], force[MOST], G[MOST][MOST], mass[MOST];
};

static bool run(struct push *push, const struct redundant *its, const char *linear)
{
  char integrator[DRIVING_TEXT], reason[256];
  struct shk_drive d;
  struct shk_state before = {0};
  real values[MOST * MOST] = {0};
  snprintf(integrator, sizeof integrator, "rattle(linear=%s)", linear);
  bool well =
      begin_at(&d, reason, its->problem, integrator, its->step, NULL, NULL, false) == SHK_OK;
  if (!well)
    tap_diag("%s on %s: %s", integrator, its->problem, reason);
  well = well && shk_state_init(&before, d.current.n, d.current.m) && advance(&d, STEPS);
  if (well)
    shk_state_copy(&before, &d.current);
  well = well && advance(&d, 1) && before.n <= MOST && before.m <= MOST;
  if (well) {
    struct shk_evaluator *const e = &d.bound.observer;
    *push = (struct push){.n = before.n, .m = before.m};
    memcpy(push->lambda, d.current.lambda, (size_t)before.m * sizeof(real));
    memcpy(push->mass, e->system->mass, (size_t)before.n * sizeof(real));
    well = shk_jacobian(e, values, before.t, before.q).code == SHK_OK;
    shk_jacobian_transposed_add(e, push->force, values, 1, push->lambda);
    for (int i = 0; i < before.m; i++)
      for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
        push->G[i][e->columns[k]] = values[k];
  }
  shk_state_clear(&before);
  shk_drive_end(&d);
  return well;
}

/* lambda <- the shortest with the force, in the scaling of the rows. Returns the rank; -1 if
 * LAPACK fails. */
static int shortest(double *lambda, const struct push *push)
{
  static double a[MOST * MOST], b[MOST], s[MOST], work[ROOM];
  static int iwork[ROOM];
  double length[MOST];
  const int one = 1, room = ROOM, rows = push->n, columns = push->m;
  const int larger = rows > columns ? rows : columns;
  const double limit = 1e-10;
  int rank, info;
  for (int i = 0; i < columns; i++) {
    real square = 0;
    for (int j = 0; j < rows; j++)
      square += push->G[i][j] * push->G[i][j] / push->mass[j];
    length[i] = (double)real_sqrt(square);
    for (int j = 0; j < rows; j++)
      a[i * rows + j] = (double)(push->G[i][j] / real_sqrt(push->mass[j])) / length[i];
  }
  for (int j = 0; j < larger; j++)
    b[j] = j < rows ? (double)(push->force[j] / real_sqrt(push->mass[j])) : 0;
  dgelsd_(&rows, &columns, &one, a, &rows, b, &larger, s, &limit, &rank, work, &room, iwork, &info);
  for (int i = 0; i < columns; i++)
    lambda[i] = b[i] / length[i];
  return info == 0 ? rank : -1;
}

/* Largest difference over the largest of b. */
static double apart(const real *a, const double *b, int count)
{
  double worst = 0, size = 0;
  for (int i = 0; i < count; i++) {
    const double here = fabs((double)a[i] - b[i]);
    worst = here <= worst ? worst : here; /* keeps a NaN */
    size = fmax(size, fabs(b[i]));
  }
  return worst / size;
}

int main(void)
{
  for (size_t k = 0; k < sizeof problems / sizeof problems[0]; k++) {
    const struct redundant *const its = &problems[k];
    static struct push svd, qr;
    double lambda[MOST], force[MOST];
    if (!tap_ok(run(&svd, its, "svd") && run(&qr, its, "qr") && svd.m == its->rows,
                "%s: both strategies run", its->problem))
      continue;
    const int rank = shortest(lambda, &svd);
    const double own = apart(svd.lambda, lambda, svd.m);
    tap_ok(rank == its->rank && own < 1e-11,
           "%s: svd's multipliers are LAPACK's of least norm (rank %d, off by %.1g)", its->problem,
           rank, own);
    for (int j = 0; j < svd.n; j++)
      force[j] = (double)svd.force[j];
    /* A solved multiplier carries a few eps/h² of round-off. */
    const double same = apart(qr.force, force, qr.n);
    tap_ok(same < 1e-7, "%s: qr's force is svd's (off by %.1g)", its->problem, same);
    shortest(lambda, &qr);
    const double its_other = apart(svd.lambda, lambda, svd.m);
    tap_ok(its_other < 1e-7, "%s: the shortest with qr's force are svd's (off by %.1g)",
           its->problem, its_other);
    int zeros = 0;
    for (int i = 0; i < qr.m; i++)
      zeros += qr.lambda[i] == 0;
    tap_ok(zeros == its->rows - its->rank && apart(qr.lambda, lambda, qr.m) > 1e-3,
           "%s: qr's are zero on what it dropped (%d), and not the shortest", its->problem, zeros);
  }
  return tap_done();
}
