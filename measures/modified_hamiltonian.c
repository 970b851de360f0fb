/*
 * Tracks the modified Hamiltonian along a run, a function close to H that symplectic steps
 * conserve.
 *
 * A symplectic map with step size h is the flow of H~ = H + O(h^p) over a time h, up to terms
 * smaller than any power of h. On T*Rⁿ, this is proved by Benettin & Giorgilli, J. Stat. Phys. 74
 * (1994) 1117; for g(q), by Hairer, BIT 43 (2003) Suppl. 1, where H~ is defined on all of M. The
 * argument does not depend on g = g(q): on M^H of any coisotropic M, ω is symplectic, and a
 * modified vector field X~ exists for every smooth map near the identity. The map preserves ω if
 * and only if the one-form ω(X~, ·) is closed on M^H. If so, then locally
 *
 *     H~(b) - H~(a) = ∫ ω(X~, dz)   along any path in M^H from a to b.
 *
 * Along a trajectory, whose tangent is X~, the integral vanishes for every method. A path between
 * two points of a trajectory must therefore leave the trajectory. For a method that is not
 * symplectic, the sum over a run grows like h^p times the area between the path and the trajectory.
 */
#include "measures/structure.h"

#include "mechanics/algebra/gauss.h"
#include "mechanics/algebra/random.h"

#include <stdio.h>

enum {
  NODES = SHK_GAUSS_LIMIT,
  POINTS = NODES + 2, /* including both ends */
  LEAST = 2,          /* minimum number of steps in each direction */
  MOST = 8,
  STENCILS = MOST - LEAST + 1,
  LEAD = MOST + 1,
  SEGMENTS = 10,
  ATTEMPTS = 3
};

/* Rules for differentiating and integrating the polynomial through POINTS values on [0,1]. */
struct line {
  real at[POINTS], weight[POINTS]; /* nodes in [0,1]; the weight is 0 at the ends */
  real derivative[POINTS][POINTS];
};

/* Three integrals over a path: of ω(X~, ·), using differences of each order; of dH, minus the
 * change in H; and of |ω(X~, ·) - dH|, using differences of the highest order. */
struct sums {
  real form[STENCILS], energy, size;
};

/* Paths, their images, and the modified vector field on the images.
 *
 *   path     γ(s) = a + s (b - a) + 4 s (1 - s) e, projected onto M^H, between the ends a and b of
 *            one of ten segments of the run, each about a tenth of the time scale long: e is b - a
 *            rotated by ω, uphill in H, plus a random direction
 *   image    Ψ^L∘γ, L = 9, at Gauss nodes and both ends; its tangent is that of the polynomial
 *            through these points. SHAKE's first step moves the path along the fibre; after L
 *            steps, the integral is over the manifold that the steps reach. The first image is
 *            taken five segments after the start, but not before step L
 *   X~       at each node, computed from central differences along the node's own orbit, with k
 *            steps in each direction,
 *
 *                h X~ = Σ_j c_j (z_j - z_-j) + O(h^(2k+1)),  c_j = -(-1)^j (k!)²/(j (k-j)! (k+j)!)
 *
 *            as Skeel & Hardy (SIAM J. Sci. Comput. 23 (2001) 1172) interpolate trajectories. Their
 *            augmented variable, which a method must supply, is not needed along a path. All
 *            steps have length h, because a step of -h is a different map unless the method is
 *            symmetric */
struct probe {
  struct shk_trial *trial;
  const struct shk_map *map;
  struct line line;
  real weight[STENCILS][MOST + 1]; /* c_j/h; 0 beyond k */
  int n, size;                     /* size = 2n */
  /* arrays of length `size`: e, the tangent of the image, and (H_q, H_p) */
  real *bend, *tangent, *gradient;
  real *image; /* POINTS x size */
  real *field; /* STENCILS x POINTS x size */
  struct shk_state *a, *b, *now, *next;
};

static void fill_line(struct line *line)
{
  real a[NODES * NODES], barycentric[POINTS];
  shk_gauss_tableau(line->at + 1, line->weight + 1, a, NODES);
  line->at[0] = line->weight[0] = line->weight[POINTS - 1] = 0;
  line->at[POINTS - 1] = 1;
  for (int i = 0; i < POINTS; i++) {
    barycentric[i] = 1;
    for (int j = 0; j < POINTS; j++)
      if (j != i)
        barycentric[i] /= line->at[i] - line->at[j];
  }
  for (int i = 0; i < POINTS; i++) {
    line->derivative[i][i] = 0;
    for (int j = 0; j < POINTS; j++)
      if (j != i) {
        const real d = barycentric[j] / barycentric[i] / (line->at[i] - line->at[j]);
        line->derivative[i][j] = d;
        line->derivative[i][i] -= d;
      }
  }
}

static void fill_stencils(struct probe *probe)
{
  for (int s = 0; s < STENCILS; s++) {
    const int k = LEAST + s;
    real c = (real)k / (k + 1);
    for (int j = 0; j <= MOST; j++)
      probe->weight[s][j] = 0;
    for (int j = 1; j <= k; j++) {
      probe->weight[s][j] = c / probe->map->step;
      c *= -(real)(j * (k - j)) / ((j + 1) * (k + j + 1));
    }
  }
}

static real *image_at(const struct probe *probe, int node)
{
  return probe->image + (size_t)node * (size_t)probe->size;
}

static real *field_at(const struct probe *probe, int stencil, int node)
{
  return probe->field + ((size_t)stencil * POINTS + (size_t)node) * (size_t)probe->size;
}

/* Adds the contribution of the state that is `away` steps from a node's image to the differences
 * for X~ at that node. */
static void add_to_fields(struct probe *probe, int node, const struct shk_state *z, int away)
{
  for (int s = 0; s < STENCILS; s++) {
    real *const field = field_at(probe, s, node);
    const real c = away < 0 ? -probe->weight[s][-away] : probe->weight[s][away];
    for (int i = 0; i < probe->n; i++) {
      field[i] += c * z->q[i] + c * z->q_carry[i];
      field[probe->n + i] += c * z->p[i] + c * z->p_carry[i];
    }
  }
}

/* Follows the orbit of a node, starting at probe->now, and stores the image and X~. */
static struct shk_status follow_modified(struct probe *probe, int node)
{
  real *const image = image_at(probe, node);
  for (int s = 0; s < STENCILS; s++)
    for (int i = 0; i < probe->size; i++)
      field_at(probe, s, node)[i] = 0;
  for (int away = 1 - LEAD; away <= MOST; away++) {
    SHK_TRY(shk_map_step(probe->map, probe->next, probe->now, probe->map->step));
    shk_state_copy(probe->now, probe->next);
    if (away != 0) {
      add_to_fields(probe, node, probe->now, away);
      continue;
    }
    for (int i = 0; i < probe->n; i++) {
      image[i] = probe->now->q[i] + probe->now->q_carry[i];
      image[probe->n + i] = probe->now->p[i] + probe->now->p_carry[i];
    }
  }
  return shk_ok();
}

/* Projects the path's point at s onto the manifold and stores it in probe->now. */
static struct shk_status path_point(struct probe *probe, real s, real bending)
{
  const real away = 4 * s * (1 - s) * bending;
  shk_state_copy(probe->now, s < 1 ? probe->a : probe->b);
  for (int i = 0; i < probe->n && s > 0 && s < 1; i++) {
    probe->now->q[i] = (1 - s) * probe->a->q[i] + s * probe->b->q[i] + away * probe->bend[i];
    probe->now->p[i] =
        (1 - s) * probe->a->p[i] + s * probe->b->p[i] + away * probe->bend[probe->n + i];
    probe->now->q_carry[i] = probe->now->p_carry[i] = 0;
  }
  probe->now->t = probe->map->start->t;
  return shk_manifold_project(probe->map->manifold, probe->now->q, probe->now->p, probe->now->t);
}

/* Sets e, the bend of the path: half of b - a after rotation by ω, plus a random direction half as
 * long. */
static void choose_bend(struct probe *probe, uint64_t *random)
{
  real length = 0;
  for (int i = 0; i < probe->n; i++) {
    const real dq = (probe->b->q[i] - probe->a->q[i]) / probe->map->q_scale[i],
               dp = (probe->b->p[i] - probe->a->p[i]) / probe->map->p_scale[i];
    length = real_max(length, real_max(real_fabs(dq), real_fabs(dp)));
    probe->bend[i] = -dp;
    probe->bend[probe->n + i] = dq;
  }
  for (int i = 0; i < probe->n; i++) {
    real drawn[2];
    shk_random_gaussian_pair(drawn, random);
    probe->bend[i] = (probe->bend[i] + length * drawn[0] / 2) / 2 * probe->map->q_scale[i];
    probe->bend[probe->n + i] =
        (probe->bend[probe->n + i] + length * drawn[1] / 2) / 2 * probe->map->p_scale[i];
  }
}

static struct shk_status energy_at(struct probe *probe, real *value, int node)
{
  const real *const z = image_at(probe, node);
  return shk_hamiltonian(&probe->trial->evaluator, value, probe->map->start->t, z, z + probe->n);
}

/* Returns ω(x, y) = Σ x_q y_p - x_p y_q. */
static real form(const struct probe *probe, const real *x, const real *y)
{
  return real_dot(x, y + probe->n, probe->n) - real_dot(x + probe->n, y, probe->n);
}

static void find_tangent(struct probe *probe, int node)
{
  for (int i = 0; i < probe->size; i++) {
    probe->tangent[i] = 0;
    for (int j = 0; j < POINTS; j++)
      probe->tangent[i] += probe->line.derivative[node][j] * probe->image[j * probe->size + i];
  }
}

static struct shk_status integrate_modified(struct probe *probe, struct sums *sums)
{
  real before, after;
  *sums = (struct sums){.size = 0};
  for (int node = 1; node < POINTS - 1; node++) {
    const real *const z = image_at(probe, node);
    const real weight = probe->line.weight[node];
    real along = 0;
    find_tangent(probe, node);
    for (int s = 0; s < STENCILS; s++) {
      along = form(probe, field_at(probe, s, node), probe->tangent);
      sums->form[s] += weight * along;
    }
    SHK_TRY(shk_gradient(&probe->trial->evaluator, probe->gradient, probe->map->start->t, z,
                         z + probe->n));
    SHK_TRY(shk_velocity(&probe->trial->evaluator, probe->gradient + probe->n, probe->map->start->t,
                         z, z + probe->n));
    const real exact = real_dot(probe->gradient, probe->tangent, probe->size);
    sums->energy += weight * exact;
    sums->size += weight * real_fabs(along - exact);
  }
  SHK_TRY(energy_at(probe, &before, 0));
  SHK_TRY(energy_at(probe, &after, POINTS - 1));
  sums->energy -= after - before;
  return shk_ok();
}

static struct shk_status take_path(struct probe *probe, struct sums *sums, real bending)
{
  for (int node = 0; node < POINTS; node++) {
    SHK_TRY(path_point(probe, probe->line.at[node], bending));
    SHK_TRY(follow_modified(probe, node));
  }
  return integrate_modified(probe, sums);
}

/* Integrates along a path over one segment. If steps from points near the trajectory fail, which
 * can happen near an impasse, less strongly bent paths are tried. */
static struct shk_status take_segment(struct probe *probe, struct sums *sums, uint64_t *random)
{
  struct shk_status status = shk_ok();
  real bending = 1;
  choose_bend(probe, random);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++, bending /= 4) {
    status = take_path(probe, sums, bending);
    if (status.code == SHK_OK || status.code == SHK_NO_MEMORY)
      break;
  }
  return status;
}

static struct shk_status advance_modified(struct probe *probe, long steps)
{
  shk_state_copy(probe->b, probe->a);
  for (long i = 0; i < steps; i++) {
    SHK_TRY(shk_map_step(probe->map, probe->next, probe->b, probe->map->step));
    shk_state_copy(probe->b, probe->next);
  }
  return shk_ok();
}

/* Sums over the segments so far. For each order, the struct also stores the largest absolute value
 * of these sums and the largest change from the previous order, and it stores the largest
 * control. */
struct run {
  struct sums total;
  real largest[STENCILS], change[STENCILS], control;
};

static void add_segment(struct run *run, const struct sums *sums)
{
  for (int s = 0; s < STENCILS; s++) {
    run->total.form[s] += sums->form[s];
    run->largest[s] = real_max(run->largest[s], real_fabs(run->total.form[s]));
    if (s > 0)
      run->change[s] =
          real_max(run->change[s], real_fabs(run->total.form[s] - run->total.form[s - 1]));
  }
  run->total.energy += sums->energy;
  run->total.size += sums->size;
  run->control = real_max(run->control, real_fabs(run->total.energy));
}

/* Adds the measure's scalars.
 *
 *   NAME-residual-N  largest |H~(x_i) - H~(x_0)| over the ends x_i of segments, computed from
 *                    differences of order N = 2k = 4 … 16, with errors O(h^N), in units of the
 *                    scale of q times the scale of p divided by the time scale
 *   NAME-defect      the residual for the order at which it changes least from the previous order,
 *                    which is not the highest order if steps are large
 *   NAME-control     largest integral of dH along the same paths, minus the change in H
 *   NAME-floor       the largest of that change, the control and the rounding error r (1 + τ/h)
 *   NAME-size        ∫ |ω(X~, dz) - dH|: the size of the modification of the vector field */
static void report_modified(const struct probe *probe, const struct run *run)
{
  const real time_scale = probe->map->instance->time_scale;
  const real unit = shk_map_action(probe->map) / time_scale;
  const real rounding = shk_map_rounding(probe->map, probe->map->step) *
                        (1 + time_scale / real_fabs(probe->map->step));
  int best = 1;
  for (int s = 0; s < STENCILS; s++) {
    char what[32];
    snprintf(what, sizeof what, "residual-%d", 2 * (LEAST + s));
    shk_trial_add(probe->trial, what, run->largest[s] / unit);
    if (s > 0 && run->change[s] < run->change[best])
      best = s;
  }
  shk_trial_add(probe->trial, "defect", run->largest[best] / unit);
  shk_trial_add(probe->trial, "control", run->control / unit);
  shk_trial_add(probe->trial, "floor",
                real_max(rounding, real_max(run->change[best], run->control) / unit));
  shk_trial_add(probe->trial, "size", run->total.size / unit);
}

/* Returns the number of steps in a segment, the power of two for which a segment is nearest to a
 * tenth of the time scale. Step sizes that differ by powers of two then have the same segments. */
static long steps_of_segment(const struct probe *probe)
{
  const real wanted = probe->map->instance->time_scale / real_fabs(probe->map->step) / 10;
  long steps = 1;
  while (3 * steps <= 2 * wanted)
    steps *= 2;
  return steps;
}

static struct shk_status allocate_modified(struct probe *probe)
{
  struct shk_workspace *const workspace = probe->trial->evaluator.workspace;
  const size_t size = (size_t)probe->size;
  SHK_TRY(shk_reals(workspace, &probe->bend, size));
  SHK_TRY(shk_reals(workspace, &probe->tangent, size));
  SHK_TRY(shk_reals(workspace, &probe->gradient, size));
  SHK_TRY(shk_reals(workspace, &probe->image, POINTS * size));
  return shk_reals(workspace, &probe->field, STENCILS * POINTS * size);
}

static struct shk_status measure_modified(struct shk_trial *trial)
{
  struct probe made = {.trial = trial,
                       .map = trial->map,
                       .n = trial->map->start->n,
                       .size = 2 * trial->map->start->n,
                       .a = trial->state,
                       .b = trial->state + 1,
                       .now = trial->state + 2,
                       .next = trial->state + 3},
               *const probe = &made;
  const long steps = steps_of_segment(probe), before = 5 * steps - LEAD;
  struct run run = {.control = 0};
  uint64_t random = 1;
  SHK_TRY(allocate_modified(probe));
  fill_line(&probe->line);
  fill_stencils(probe);
  shk_state_copy(probe->a, probe->map->start);
  SHK_TRY(advance_modified(probe, before > 0 ? before : 0));
  shk_state_copy(probe->a, probe->b);
  for (int i = 0; i < SEGMENTS; i++) {
    struct sums sums;
    SHK_TRY(advance_modified(probe, steps));
    SHK_TRY(take_segment(probe, &sums, &random));
    add_segment(&run, &sums);
    shk_state_copy(probe->a, probe->b);
  }
  report_modified(probe, &run);
  return shk_ok();
}

const struct shk_structure shk_structure_modified_hamiltonian = {
    .asks = {.meaningless = {{SHK_RHEONOMIC | SHK_FORCES, 0,
                              "the problem itself conserves no Hamiltonian"}},
             .undecidable = {{0, SHK_LINEAR_CONSTRAINTS,
                              "linear constraints: any projection appears symplectic"},
                             {0, SHK_ONE_DEGREE_OF_FREEDOM,
                              "one degree of freedom: symplectic only means area-preserving"}}},
    .states = 4,
    .measure = measure_modified};
