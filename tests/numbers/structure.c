/*
 * Measures of structure on maps that are known: the defects they find are the defects that are
 * there, and where nothing is wrong they find round-off.
 */
#include "measures/structure.h"
#include "foundation/message.h"
#include "mechanics/system/state.h"
#include "tests/kit/instance.h"
#include "tests/kit/tap.h"

/* ---- maps ---- */

/* What the maps below do to (q,p); the method is a pointer to one of these. */
struct maker {
  const struct shk_system *system;
  real scale;   /* p <- (1 - scale) p */
  real kick;    /* p <- p - kick V_q: symplectic on T M, but it leaves M^H */
  real slide;   /* p <- p - slide (q_0 + p_1) Gᵀ 1: along the fibre */
  real shift;   /* q_0 <- q_0 + shift: leaves the constraint */
  bool forward; /* only where h > 0, so that -h does not undo it */
  int evaluations;
};

static struct shk_status made_step(void *method, struct shk_state *to, const struct shk_state *from,
                                   real h)
{
  struct maker *maker = method;
  const int n = from->n, m = from->m;
  real gradient[16], jacobian[64];
  maker->evaluations++;
  shk_state_copy(to, from);
  if (maker->forward && h < 0)
    return shk_ok();
  if (maker->system->gradient(maker->system->context, gradient, from->t, from->q) != 0 ||
      maker->system->jacobian(maker->system->context, jacobian, from->t, from->q) != 0)
    return shk_failure(SHK_STOPPED, "a callback failed", 0, 0);
  for (int i = 0; i < n; i++)
    to->p[i] -= maker->scale * from->p[i] + maker->kick * (h < 0 ? -1 : 1) * gradient[i];
  if (maker->slide != 0 && !maker->system->row_start)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        to->p[j] -= maker->slide * (from->q[0] + from->p[1]) * jacobian[i * n + j];
  to->q[0] += maker->shift;
  return shk_ok();
}

static const struct shk_integrator made = {
    .struct_size = sizeof made, .info = {.name = "made"}, .step = made_step};

/* ---- one measurement ---- */

struct setting {
  struct bound_problem *problem;
  struct shk_manifold *manifold;
  struct shk_floors floors;
  real scales[2 * 120];
  struct shk_state start;
  struct shk_outcome outcome;
};

static void set_up(struct setting *s, const char *problem)
{
  *s = (struct setting){.problem = bind_or_stop("%s", problem)};
  const struct shk_system *system = &s->problem->instance.system;
  if (shk_bind_manifold(&s->manifold, BINDING_OF(&s->problem->evaluator)).code != SHK_OK ||
      shk_floors_create(&s->floors, &s->problem->evaluator, s->problem->instance.time_scale).code !=
          SHK_OK ||
      !shk_state_init(&s->start, system->n, system->m))
    abort();
  memcpy(s->start.q, s->problem->q, (size_t)system->n * sizeof(real));
  memcpy(s->start.p, s->problem->p, (size_t)system->n * sizeof(real));
  s->start.t = s->problem->instance.initial_time;
  shk_floors_note(&s->floors, s->start.t, s->start.q, s->start.p);
}

static void take_down(struct setting *s)
{
  shk_outcome_clear(&s->outcome);
  shk_state_clear(&s->start);
  unbind_problem(s->problem);
}

static struct shk_map map_of(struct setting *s, struct maker *maker, real step)
{
  maker->system = &s->problem->instance.system;
  const struct shk_map map = {.instance = &s->problem->instance,
                              .manifold = s->manifold,
                              .integrator = &made,
                              .method = maker,
                              .start = &s->start,
                              .step = step,
                              .q_scale = s->scales,
                              .p_scale = s->scales + s->start.n};
  shk_map_find_scales(&map, &s->floors);
  return map;
}

static double found(const struct setting *s, const char *name)
{
  return shk_outcome_scalar(&s->outcome, name);
}

static struct shk_status measured(struct setting *s, const struct shk_structure *structure,
                                  const char *name, const struct shk_map *map,
                                  const struct shk_map *other)
{
  return shk_structure_measure(&s->outcome, structure, name, map, other);
}

/* Measures symplecticity of a map; false if that fails. */
static bool measure(struct setting *s, struct maker *maker, bool on_fibres)
{
  const struct shk_map map = map_of(s, maker, R(0.1));
  shk_outcome_clear(&s->outcome);
  const struct shk_structure *const structure =
      on_fibres ? &shk_structure_presymplecticity : &shk_structure_symplecticity;
  const struct shk_status status =
      measured(s, structure, on_fibres ? "presymplecticity" : "symplecticity", &map, NULL);
  if (status.code != SHK_OK) {
    char text[256];
    tap_diag("%s", shk_status_text(text, sizeof text, status));
  }
  return status.code == SHK_OK;
}

/* ---- tests ---- */

static void symplecticity(const char *problem)
{
  struct setting s;
  set_up(&s, problem);
  const real small = SHK_PRECISION == 64 ? R(1e-3) : R(1e-12);

  struct maker identity = {0};
  bool ok = measure(&s, &identity, false);
  tap_ok(ok && found(&s, "symplecticity-defect") <= 1e3 * found(&s, "symplecticity-floor"),
         "%s: the identity is symplectic, %.1e at floor %.1e", problem,
         found(&s, "symplecticity-defect"), found(&s, "symplecticity-floor"));
  tap_ok(found(&s, "symplecticity-floor") < (SHK_PRECISION == 64 ? 1e-7 : 1e-20),
         "... and the floor is far down");
  tap_ok(found(&s, "symplecticity-departure") <= 1e3 * found(&s, "symplecticity-departure-floor"),
         "... and stays on the manifold");

  /* ω(q,(1-c)p) = (1-c) ω: the defect is c times the largest entry of ω on the basis, which is at
   * least 1/sqrt(2) where degrees of freedom are coupled and at most 1. */
  struct maker scaled = {.scale = small};
  ok = measure(&s, &scaled, false);
  const double share = found(&s, "symplecticity-defect") / (double)small;
  tap_ok(ok && share > 0.2 && share < 1 + 1e-6, "a contraction of p by %.0e shows as %.3f of it",
         (double)small, share);
  tap_ok(found(&s, "symplecticity-spread") < 1e-3 * found(&s, "symplecticity-defect"),
         "... the same with both increments");
  scaled.scale = 2 * small;
  ok = measure(&s, &scaled, false);
  tap_is_near(found(&s, "symplecticity-defect") / (2 * (double)small), share, 1e-6,
              "... and in proportion");

  struct maker kicked = {.kick = R(0.01)};
  ok = measure(&s, &kicked, true);
  tap_ok(ok && found(&s, "presymplecticity-defect") <= 1e3 * found(&s, "presymplecticity-floor"),
         "a kick by the potential is presymplectic: %.1e", found(&s, "presymplecticity-defect"));
  tap_ok(found(&s, "presymplecticity-departure") <=
             1e3 * found(&s, "presymplecticity-departure-floor"),
         "... and stays on M");
  ok = measure(&s, &kicked, false);
  tap_ok(ok && found(&s, "symplecticity-departure") >
                   1e6 * found(&s, "symplecticity-departure-floor"),
         "... but leaves M^H: %.1e", found(&s, "symplecticity-departure"));

  if (!s.problem->instance.system.row_start) {
    /* dp = -f(q,p) Gᵀ adds f_z ∧ dg to the pull-back of ω, and dg vanishes on T M. */
    struct maker slid = {.slide = R(0.1)};
    ok = measure(&s, &slid, true);
    tap_ok(ok && found(&s, "presymplecticity-defect") <= 1e3 * found(&s, "presymplecticity-floor"),
           "a slide along the fibre is presymplectic: %.1e", found(&s, "presymplecticity-defect"));
  }

  struct maker shifted = {.shift = R(1e-4)};
  ok = measure(&s, &shifted, true);
  tap_ok(ok && found(&s, "presymplecticity-departure") > 1e-6,
         "a shift leaves the constraint: %.1e", found(&s, "presymplecticity-departure"));
  take_down(&s);
}

/* Compares the control, the change by one rounding of the state, with epsilon, and the floor with
 * the control and the rounding of a step. */
static void is_floor(const struct setting *s, const char *name, const struct shk_map *map)
{
  char text[2][64];
  snprintf(text[0], sizeof text[0], "%s-control", name);
  snprintf(text[1], sizeof text[1], "%s-floor", name);
  const double eps = (double)REAL_EPSILON, control = found(s, text[0]), least = found(s, text[1]);
  tap_ok(control > 0.1 * eps && control < 10 * eps && least >= control &&
             least >= (double)shk_map_rounding(map, map->step),
         "... and its control is %.1f eps, the floor %.1f eps", control / eps, least / eps);
}

static void round_trips(const char *problem)
{
  struct setting s;
  set_up(&s, problem);
  struct maker even = {.kick = R(0.01)};
  struct shk_map map = map_of(&s, &even, R(0.1));
  bool ok = measured(&s, &shk_structure_symmetry, "symmetry", &map, NULL).code == SHK_OK;
  tap_ok(ok && found(&s, "symmetry-defect") <= 1e3 * found(&s, "symmetry-floor"),
         "a kick of the step's sign is undone: %.1e", found(&s, "symmetry-defect"));
  is_floor(&s, "symmetry", &map);
  shk_outcome_clear(&s.outcome);
  ok = measured(&s, &shk_structure_reversibility, "reversibility", &map, NULL).code == SHK_OK;
  tap_ok(ok && found(&s, "reversibility-defect") <= 1e3 * found(&s, "reversibility-floor"),
         "... and reversible: %.1e", found(&s, "reversibility-defect"));

  struct maker odd = {.scale = R(1e-7), .forward = true};
  map = map_of(&s, &odd, R(0.1));
  const real p_scale = map.p_scale[0];
  shk_outcome_clear(&s.outcome);
  ok = measured(&s, &shk_structure_symmetry, "symmetry", &map, NULL).code == SHK_OK;
  tap_is_near(found(&s, "symmetry-defect"),
              1e-7 * (double)(real_max_norm(s.start.p, s.start.n) / p_scale), 1e-13,
              "a contraction that is not undone shows in its size");
  tap_ok(ok && found(&s, "symmetry-defect") > 1e6 * found(&s, "symmetry-floor"),
         "... far above the floor");
  shk_outcome_clear(&s.outcome);
  ok = measured(&s, &shk_structure_reversibility, "reversibility", &map, NULL).code == SHK_OK;
  tap_is_near(found(&s, "reversibility-defect"),
              2e-7 * (double)(real_max_norm(s.start.p, s.start.n) / p_scale), 1e-13,
              "... and both ways in the reversal");
  take_down(&s);
}

static void fibres(const char *problem)
{
  struct setting s;
  set_up(&s, problem);
  struct maker slid = {.slide = R(0.1)}, identity = {0}, scaled = {.scale = R(1e-7)};
  const struct shk_map shake = map_of(&s, &slid, R(0.1)), rattle = map_of(&s, &identity, R(0.1)),
                       wrong = map_of(&s, &scaled, R(0.1));
  bool ok = measured(&s, &shk_structure_fibre, "fibre", &shake, &rattle).code == SHK_OK;
  tap_ok(ok && found(&s, "fibre-defect") <= 1e3 * found(&s, "fibre-floor"),
         "slides along the fibre are projected away: %.1e", found(&s, "fibre-defect"));
  is_floor(&s, "fibre", &rattle);
  shk_outcome_clear(&s.outcome);
  ok = measured(&s, &shk_structure_fibre, "fibre", &wrong, &rattle).code == SHK_OK;
  tap_ok(ok && found(&s, "fibre-defect") > 1e-7 &&
             found(&s, "fibre-defect") > 1e6 * found(&s, "fibre-floor"),
         "what is across is not: %.1e", found(&s, "fibre-defect"));
  take_down(&s);
}

static void limits(void)
{
  struct setting s;
  set_up(&s, "chain(links=60,start=zigzag)");
  struct maker identity = {0};
  const struct shk_map map = map_of(&s, &identity, R(0.1));
  const struct shk_status status =
      measured(&s, &shk_structure_symplecticity, "symplecticity", &map, NULL);
  tap_ok(status.code == SHK_REFUSED && identity.evaluations == 0,
         "120 coordinates are too many for symplecticity");
  take_down(&s);
}

/* A distance from a start at rest, whose Hamiltonian is general: p has the size of its forces. */
static double from_rest(const char *length)
{
  char text[200];
  struct setting s;
  struct maker maker = {0};
  STATE other = {0};
  snprintf(text, sizeof text,
           "charged-pendulum(polar-rate=0,azimuth-rate=0,charge=0,length=%s,gravity=%s)", length,
           length);
  set_up(&s, text);
  const struct shk_map map = map_of(&s, &maker, R(0.1));
  if (!shk_state_init_like(&other, &s.start))
    abort();
  shk_state_copy(&other, &s.start);
  other.p[0] += real_max_norm(s.start.q, s.start.n) / 64;
  const double away = (double)shk_map_distance(&map, &other, &s.start, false);
  take_down(&s);
  return away;
}

static void scales(void)
{
  const double away = from_rest("1"), small = from_rest("9.31322574615478515625e-10"); /* 2^-30 */
  tap_ok(away > 0 && away == small, "distances from rest have no unit: %.17g, %.17g", away, small);
  struct setting s;
  set_up(&s, "random-mechanism");
  struct maker maker = {0};
  const struct shk_map map = map_of(&s, &maker, R(0.1));
  const int *const units = s.problem->instance.system.units;
  real largest[2] = {0};
  bool apart = true;
  for (int i = 0; i < s.start.n; i++)
    largest[units[i]] = real_max(largest[units[i]], real_fabs(s.start.q[i]));
  for (int i = 0; i < s.start.n; i++)
    apart = apart && map.q_scale[i] == largest[units[i]];
  tap_ok(apart, "positions and directions have scales of their own: %.3g, %.3g", (double)largest[0],
         (double)largest[1]);
  take_down(&s);
}

int main(void)
{
  scales();
  symplecticity("double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4)");
  symplecticity("chain(links=3,spring=2,start=zigzag)");
  symplecticity("spherical-pendulum");
  round_trips("double-pendulum(angle1=0.7,angle2=-0.4,rate1=0.6,rate2=-0.4)");
  round_trips("double-pendulum(rate1=0.6,mass1=0.01,mass2=0.01)");
  fibres("spherical-pendulum");
  limits();
  return tap_done();
}
