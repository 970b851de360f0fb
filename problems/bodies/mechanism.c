/*
 * Rigid bodies and joints read from a file, in natural coordinates (mechanism.h):
 *
 *     H = ½ Σ |p_r|²/m + ½ Σ |p_k|²/D_k - Σ m a·x + Σ ½ k (f - f_0)²,     Q = Σ (τ - c f') ∇f
 *     0 = ½ (|d_k|² - 1),   0 = d_k·d_l               for every body; these rows come first
 *     0 = joint rows, at most quadratic (joints.c); drive and gear rows (couplings.c)
 *
 * Here x is a body's centre of mass, a is gravity, f is a length, an angle or a displacement, and τ
 * is a constant load along f (forces.c). The constraint force is -Gᵀλ. The rows of a closed loop
 * can be redundant; those of a planar loop in space always are.
 *
 * The initial state is assembled in two stages. First, Newton's method finds the positions by
 * moving them along M⁻¹Gᵀ. If the initial guess is far off, the joints are softened (assembly.c).
 * Then the velocities are projected orthogonally in the mass metric (kit/consistent_start.c). If
 * the assembly fails, the error message names the joint whose row has the largest residual.
 */
#include "problems/kit/mechanism/mechanism.h"
#include "problems/kit/problem.h"

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct shk_mechanism *s = context;
  for (int i = 0; i < s->m; i++)
    g[i] = shk_row_value(&s->rows[i], t, q);
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct shk_mechanism *s = context;
  for (int i = 0; i < s->m; i++)
    shk_row_gradient(values + s->row_start[i], &s->rows[i], t, q);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct shk_mechanism *s = context;
  for (int i = 0; i < s->m; i++)
    out[i] = shk_row_curvature(&s->rows[i], t, q, v);
  return 0;
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  const struct shk_mechanism *s = context;
  for (int i = 0; i < s->m; i++)
    g_t[i] = shk_row_rate(&s->rows[i], t, q);
  return 0;
}

SHK_STORED_START(shk_mechanism, s->n)

/* ---- refusals ---- */

/* Stores the name of the joint with the largest gap. */
static struct shk_status refuse_open(const struct shk_instance *instance,
                                     const struct shk_mechanism *s)
{
  struct shk_gap gap;
  shk_mechanism_gap(&gap, s);
  if (s->joint_count == 0)
    return shk_mechanism_fail(instance, SHK_INCONSISTENT, "%s: the bodies have no consistent start",
                              s->path);
  const struct shk_joint *const joint = &s->joints[gap.joint];
  const real near = SHK_LOOP_TOLERANCE * gap.size;
  if (gap.length <= near && gap.angle <= SHK_LOOP_TOLERANCE)
    return shk_mechanism_fail(
        instance, SHK_INCONSISTENT,
        "%s:%d: joint \"%s\" closes only to %.2g (length) and %.2g rad, and its frames cannot be "
        "moved to close it. Specify the joint by `at` and `axis` in space, or give more digits",
        s->path, joint->line, joint->name, (double)gap.length, (double)gap.angle);
  return shk_mechanism_fail(instance, SHK_INCONSISTENT,
                            "%s:%d: joint \"%s\" does not close: its frames remain %.3g (length) "
                            "and %.3g rad apart, expected at most %.2g and %.2g. Correct the "
                            "frames or poses, or specify the joint by `at` and `axis` in space",
                            s->path, joint->line, joint->name, (double)gap.length,
                            (double)gap.angle, (double)near, (double)SHK_LOOP_TOLERANCE);
}

/* Rejects a joint whose rows are also satisfied by an orientation other than the intended one. */
static struct shk_status refuse_reversed(const struct shk_instance *instance,
                                         const struct shk_mechanism *s)
{
  for (int i = 0; i < s->joint_count; i++) {
    const struct shk_joint *const joint = &s->joints[i];
    real cosine;
    const int axis = shk_joint_reversed(&cosine, s, joint);
    if (axis > 0)
      return shk_mechanism_fail(
          instance, SHK_INCONSISTENT,
          "%s:%d: joint \"%s\" is assembled the wrong way round: the axes e%d of its frames on "
          "\"%s\" and \"%s\" are %.3g degrees apart, expected the same direction. Rotate the pose "
          "of a body, or one of the frames, by that angle",
          s->path, joint->line, joint->name, axis, s->bodies[joint->bodies[0]].name,
          s->bodies[joint->bodies[1]].name,
          (double)(real_atan2(real_sqrt(real_max(0, 1 - cosine * cosine)), cosine) * 180 /
                   REAL_PI));
  }
  return shk_ok();
}

/* ---- rows ---- */

static struct shk_status make_rows(const struct shk_instance *instance, struct shk_mechanism *s)
{
  s->m = s->inner + shk_joints_count(s);
  s->rows = shk_memory(instance->workspace, (size_t)(s->m + 1) * sizeof *s->rows);
  SHK_TRY(shk_allocated(s->rows));
  shk_bodies_rows(s, s->rows);
  for (int i = 0, next = s->inner; i < s->joint_count; i++) {
    int body = 0;
    const char *const reason = shk_joint_rows(s, &s->joints[i], s->rows + next, &body);
    if (reason)
      return shk_mechanism_fail(instance, SHK_BAD_INPUT, "%s:%d: joint \"%s\" of \"%s\" %s",
                                s->path, s->joints[i].line, s->joints[i].name, s->bodies[body].name,
                                reason);
    s->joints[i].first_row = next;
    next += s->joints[i].rows;
  }
  return shk_ok();
}

static struct shk_status make_springs(const struct shk_instance *instance, struct shk_mechanism *s)
{
  int line = 0;
  s->springs =
      shk_memory(instance->workspace,
                 (size_t)(SHK_MOTIONS * s->joint_count + s->link_count + 1) * sizeof *s->springs);
  SHK_TRY(shk_allocated(s->springs));
  const char *const reason = shk_springs_set(s, &line);
  return !reason
             ? shk_ok()
             : shk_mechanism_fail(instance, SHK_BAD_INPUT, "%s:%d: this %s", s->path, line, reason);
}

static struct shk_status bind(struct shk_instance *instance, struct shk_mechanism *s)
{
  struct shk_system *const system = &instance->system;
  int entries = 0;
  for (int i = 0; i < s->m; i++)
    entries += s->rows[i].count;
  SHK_TRY(shk_integers(instance->workspace, &s->row_start, (size_t)s->m + 1));
  SHK_TRY(shk_integers(instance->workspace, &s->columns, (size_t)entries + 1));
  for (int i = 0; i < s->m; i++) {
    s->row_start[i + 1] = s->row_start[i] + s->rows[i].count;
    for (int k = 0; k < s->rows[i].count; k++)
      s->columns[s->row_start[i] + k] = s->rows[i].columns[k];
  }
  system->n = s->n;
  system->m = s->m;
  system->mass = s->mass;
  system->units = s->units;
  system->row_start = s->row_start;
  system->columns = s->columns;
  system->autonomous = true;
  if (s->driven) {
    system->features |= SHK_RHEONOMIC;
    system->constraint_rate = constraint_rate;
  }
  system->potential = shk_mechanism_potential;
  system->gradient = shk_mechanism_gradient;
  system->constraint = constraint;
  system->jacobian = jacobian;
  system->curvature = curvature;
  if (s->pushes) {
    system->features |= SHK_FORCES;
    system->hessian = shk_mechanism_hessian;
    system->force = shk_mechanism_force;
    system->force_gradients = shk_mechanism_force_gradients;
  }
  instance->start = start;
  return shk_ok();
}

/* ---- creation ---- */

/* Tolerance, in rounding errors, for rows that cannot all be exactly zero, such as those of a
 * redundant loop. */
#define ROUNDINGS 10000

/* Returns true if the residuals of the rows are no larger than round-off. */
static bool is_assembled(const struct shk_mechanism *s, struct shk_workspace *workspace)
{
  real *sizes;
  bool holds = shk_reals(workspace, &sizes, (size_t)s->m + 1).code == SHK_OK;
  if (holds)
    shk_mechanism_row_sizes(sizes, s);
  for (int i = 0; i < s->m; i++)
    holds = holds &&
            real_fabs(shk_row_value(&s->rows[i], 0, s->q)) <= ROUNDINGS * REAL_EPSILON * sizes[i];
  return holds;
}

/* Makes the initial state consistent. Velocities that the joints reduce to round-off are set to
 * zero. If only the positions can be made consistent, all velocities are set to zero. */
static struct shk_status assemble_mechanism(struct shk_instance *instance, struct shk_mechanism *s)
{
  const real before = real_max_norm(s->p, s->n);
  real fastest[2] = {0, 0};
  real *placed;
  SHK_TRY(shk_reals(instance->workspace, &placed, (size_t)s->n));
  shk_copy(placed, s->q, s->n);
  shk_bodies_fastest(fastest, s);
  struct shk_status status = shk_make_consistent(instance, s->q, s->p);
  if (status.code == SHK_NO_MEMORY)
    return status;
  if (status.code != SHK_OK) {
    if (!is_assembled(s, instance->workspace) ||
        real_max_norm(s->p, s->n) > real_sqrt(REAL_EPSILON) * before) {
      shk_copy(s->q, placed, s->n);
      return refuse_open(instance, s);
    }
    shk_fill(s->p, 0, s->n);
  }
  shk_bodies_fastest(fastest, s);
  shk_bodies_clean(s, fastest);
  return shk_ok();
}

/* Assembles the bodies and fills in the final rows. */
static struct shk_status place_bodies(struct shk_instance *instance, struct shk_mechanism *s)
{
  struct shk_gap gap;
  shk_joints_keep_rows(s);
  SHK_TRY(make_rows(instance, s));
  const struct shk_status status = shk_mechanism_close(s, instance->workspace);
  if (status.code != SHK_OK)
    return status.code == SHK_INCONSISTENT ? refuse_open(instance, s) : status;
  SHK_TRY(refuse_reversed(instance, s));
  SHK_TRY(shk_mechanism_close_decimals(&gap, s, instance));
  if (gap.moved == 0 && (s->redundant || s->dimension == 2))
    return shk_ok();
  shk_joints_keep_rows(s);
  if (!s->redundant && s->dimension == 3)
    shk_joints_leave_out(s);
  return make_rows(instance, s);
}

struct shk_status shk_mechanism_set_up(struct shk_instance *instance, struct shk_mechanism *s)
{
  int at;
  const char *const reason = shk_joints_place(s, &at);
  if (reason)
    return shk_mechanism_fail(instance, SHK_BAD_INPUT, "%s:%d: joint \"%s\" %s", s->path,
                              s->joints[at].line, s->joints[at].name, reason);
  SHK_TRY(shk_bodies_assign(s, instance->workspace));
  shk_bodies_start(s);
  SHK_TRY(place_bodies(instance, s));
  SHK_TRY(make_springs(instance, s));
  SHK_TRY(bind(instance, s));
  SHK_TRY(assemble_mechanism(instance, s));
  return shk_mechanism_describe(instance, s);
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  SHK_TRY(shk_mechanism_read_file(context, instance));
  return shk_mechanism_set_up(instance, context);
}

static const struct shk_option options[] = {
    {.name = "file",
     .kind = SHK_OPTION_FILE,
     .meaning =
         "YAML file that describes the bodies and joints, as in mechanism(file=\"four-bar.yaml\")"},
    SHK_FLAG(shk_mechanism, redundant, "redundant", "yes",
             "keep the redundant rows of revolute joints in planar loops in space"),
    {0}};

SHK_PROVIDE_PROBLEM(
    mechanism, shk_mechanism, NULL, .name = "mechanism", .family = "rigid bodies",
    .summary = "rigid bodies, joints, springs and dampers from a file",
    .equations =
        "H = ½ Σ |p_r|²/m + ½ Σ |p_k|²/D_k - Σ m a·x + Σ ½ k (f - f_0)²,  Q = Σ (τ - c f') ∇f\n"
        "D = ½ tr(I) 1 - I;  d_k: principal axes of a body, without those with D_k = 0\n"
        "0 = ½ (|d_k|² - 1),  0 = d_k·d_l of every body: 11, 22, 33, 12, 13, 23\n"
        "0 = rows of joints: (x_b - x_a)·e_j, a_i·b_j, a_i·(x_b - x_a), ½ (|x_b - x_a|² - "
        "l²)\n"
        "0 = x - f(t) or Im(e^(-if(t)) (c + is)) of drives, Im((c + is)^k (c' - is')^l) of gears, "
        "k x - l x' of slides",
    .citation = "P. Betsch & P. Steinmann, Int. J. Numer. Meth. Eng. 51 (2001) 727-750; J. García "
                "de Jalón & E. Bayo, Kinematic and Dynamic Simulation of Multibody Systems, "
                "Springer 1994, ch. 2",
    .units = "the file's units",
    .coordinates = "q = (r, d_1, d_2, d_3) of every body in the file's order; in the plane (r, "
                   "d_1). A pivoted body has no r, and a thin body lacks some directors");
