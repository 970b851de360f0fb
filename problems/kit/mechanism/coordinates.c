/* Joint coordinates as functions of the state. They make a mechanism's motion easier to interpret.
 * Angles are computed with atan2(sin, cos), or asin(sin) for the second of three angles; the other
 * coordinates are displacements. See mechanism.h. */
#include "problems/kit/mechanism/mechanism.h"

#include <string.h>

int shk_mechanism_place(const void *context, real *values, real *rates, const real *q,
                        const real *v)
{
  const struct shk_mechanism *const s = context;
  for (int i = 0; i < s->coordinate_count; i++) {
    const struct shk_spring_of_bodies *const scalar = &s->scalars[i];
    const struct shk_form *const forms[] = {&scalar->form, &scalar->sine};
    real at[2], rate[2], gradient[2 * SHK_MARK_PARTS];
    for (int k = 0; k < 2; k++) {
      at[k] = shk_form_value(forms[k], q);
      shk_form_gradient(gradient, forms[k], q);
      rate[k] = shk_form_rate(forms[k], gradient, v, NULL);
    }
    /* The squares are 0 if two of the three rotation axes are parallel. The rates are then
     * unknown. */
    const real square = real_max(at[0] * at[0] + at[1] * at[1], REAL_EPSILON * REAL_EPSILON);
    const real sine = real_max(R(-1.0), real_min(R(1.0), at[0]));
    values[i] = at[0];
    rates[i] = rate[0];
    if (scalar->kind == SHK_TWIST) {
      values[i] = real_atan2(at[1], at[0]);
      rates[i] = (at[0] * rate[1] - at[1] * rate[0]) / square;
    } else if (scalar->kind == SHK_TILT) {
      values[i] = real_asin(sine);
      rates[i] = rate[0] / real_sqrt(real_max(1 - sine * sine, REAL_EPSILON));
    }
  }
  return 0;
}

/* Appends a joint's coordinates to those of earlier joints. Appends none of them if one needs a
 * direction that a thin body lacks. */
static void set_coordinates(struct shk_mechanism *s, int joint)
{
  struct shk_joint_coordinate *const out = s->coordinates + s->coordinate_count;
  const struct shk_joint *const this_joint = &s->joints[joint];
  const char *const motions = shk_joint_motions(s, this_joint);
  const int count = motions ? (int)strlen(motions) / 2 : 0;
  const char *const turn = count > 0 ? strchr(motions, 'r') : NULL;
  const int three = turn && strlen(turn) == 6 ? (int)(turn - motions) / 2 : -1;
  bool lacks = false;
  for (int i = 0; i < count; i++) {
    struct shk_form forms[2] = {{.count = 0}};
    const enum shk_scalar_kind kind = shk_joint_forms(forms, s, this_joint, i);
    for (int k = 0; k < 2; k++)
      lacks = lacks || forms[k].u.lacks || forms[k].w.lacks;
    out[i] = (struct shk_joint_coordinate){
        .joint = joint,
        .is_angle = motions[2 * i] == 'r',
        .begins_three = i == three,
        .start = this_joint->start.count > 0 ? this_joint->start.at[i] : 0};
    s->scalars[s->coordinate_count + i] =
        (struct shk_spring_of_bodies){.kind = kind, .form = forms[0], .sine = forms[1]};
  }
  s->coordinate_count += lacks ? 0 : count;
}

struct shk_status shk_mechanism_coordinates(struct shk_instance *instance, struct shk_mechanism *s)
{
  size_t most = 1;
  for (int i = 0; i < s->joint_count; i++) {
    const char *const motions = shk_joint_motions(s, &s->joints[i]);
    most += motions ? strlen(motions) / 2 : 0;
  }
  s->coordinates = shk_memory(instance->workspace, most * sizeof *s->coordinates);
  s->scalars = shk_memory(instance->workspace, most * sizeof *s->scalars);
  SHK_TRY(shk_allocated(s->coordinates && s->scalars ? s->scalars : NULL));
  for (int joint = 0; joint < s->joint_count; joint++)
    set_coordinates(s, joint);
  return shk_ok();
}
