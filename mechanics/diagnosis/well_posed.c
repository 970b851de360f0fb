/* Tests nondegeneracy and coisotropy at a point. See well_posed.h. */
#include "mechanics/diagnosis/well_posed.h"

#include "mechanics/algebra/jacobi.h"
#include "mechanics/diagnosis/rank.h"
#include "mechanics/system/fibre.h"

/* Round-off error of an eigenvalue of N, in units of epsilon times the largest Σ |b_ik H_kl
 * b_jl|. */
#define ROUNDING 1000

/* Computes the symmetric m x m matrix N = B H_pp Bᵀ, where the rows of B have length 1. Returns the
 * maximum over all entries of the sum of the absolute values of an entry's terms. */
static real nondegeneracy_matrix(real *N, const real *B, const real *hessian, int n, int m)
{
  const real *H_pp = hessian + 2 * (size_t)n * (size_t)n + n;
  real largest = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) {
      real sum = 0, size = 0;
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
          const real term =
              B[(size_t)i * n + k] * H_pp[(size_t)k * 2 * n + l] * B[(size_t)j * n + l];
          sum += term;
          size += real_fabs(term);
        }
      N[(size_t)i * m + j] = N[(size_t)j * m + i] = sum;
      largest = real_max(largest, size);
    }
  return largest;
}

struct shk_folds {
  struct shk_evaluator *evaluator;
  /* sizes: m x n for the first two, then m, 2n x 2n and m x m */
  real *B, *scratch, *lengths, *hessian, *N;
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(shk_folds, (.nm = 1), B, scratch), SHK_ARRAY(shk_folds, lengths, .m = 1),
             SHK_ARRAY(shk_folds, hessian, .nn = 4), SHK_ARRAY(shk_folds, N, .mm = 1));

struct shk_status shk_folds_create(struct shk_folds **folds, struct shk_workspace *workspace,
                                   struct shk_evaluator *e)
{
  struct shk_folds *room = *folds = shk_part(workspace, sizeof *room, arrays, e);
  SHK_TRY(shk_allocated(room));
  room->evaluator = e;
  return shk_ok();
}

struct shk_status shk_folds_signs(struct shk_folds *room, int *negative, int *positive, real t,
                                  const real *q, const real *p)
{
  struct shk_evaluator *e = room->evaluator;
  const int n = e->system->n, m = e->system->m;
  SHK_TRY(shk_rank_rows(room->B, room->lengths, false, room->scratch, e, t, q, p));
  SHK_TRY(shk_hessian(e, room->hessian, t, q, p));
  const real level =
      ROUNDING * REAL_EPSILON * nondegeneracy_matrix(room->N, room->B, room->hessian, n, m);
  shk_eigen_symmetric(room->N, NULL, m);
  *negative = *positive = 0;
  for (int i = 0; i < m; i++) {
    *negative += room->N[(size_t)i * m + i] < -level;
    *positive += room->N[(size_t)i * m + i] > level;
  }
  return shk_ok();
}

static struct shk_status check_well_posed(struct shk_evaluator *e, real t, const real *q,
                                          const real *p)
{
  struct shk_spectrum spectrum;
  struct shk_folds *folds;
  int negative, positive;
  SHK_TRY(shk_spectrum_init(&spectrum, e));
  SHK_TRY(shk_spectrum_find(&spectrum, NULL, e, t, q, p));
  SHK_TRY(shk_folds_create(&folds, e->workspace, e));
  SHK_TRY(shk_folds_signs(folds, &negative, &positive, t, q, p));
  return negative + positive >= spectrum.rank
             ? shk_ok()
             : shk_failure(SHK_REFUSED,
                           "nondegeneracy fails: {{H,g_i},g_j} = G H_pp G' has rank %g where G has "
                           "rank %g",
                           negative + positive, spectrum.rank);
}

struct shk_status shk_well_posed_at(struct shk_manifold *manifold, struct shk_evaluator *e, real t,
                                    const real *q, const real *p)
{
  const struct shk_system *system = e->system;
  if (system->m == 0)
    return shk_ok();
  if (system->features & SHK_MOMENTUM_CONSTRAINT) {
    struct shk_regularity regularity;
    SHK_TRY(shk_manifold_regularity(manifold, &regularity, t, q, p));
    return shk_regularity_fault(&regularity, SHK_REFUSED);
  }
  return !(system->features & SHK_GENERAL_HAMILTONIAN) || system->mass_matrix ||
                 (system->features & SHK_GENERAL_DAE)
             ? shk_ok()
             : check_well_posed(e, t, q, p);
}
