/* The meaning of the return values of a problem's functions. */
#ifndef MECHANICS_SYSTEM_CALLBACK_H
#define MECHANICS_SYSTEM_CALLBACK_H

#include <shakedown/system.h>

static inline struct shk_status shk_callback_status(const struct shk_system *s, int returned)
{
  if (returned == 0)
    return shk_ok();
  if (s->why && *s->why)
    return shk_failure(returned > 0 ? SHK_TRY_SMALLER : SHK_STOPPED, *s->why, 0, 0);
  if (returned > 0)
    return shk_failure(SHK_TRY_SMALLER,
                       "a function of the problem returned %g, which asks for a smaller step",
                       returned, 0);
  return shk_failure(SHK_STOPPED, "a function of the problem failed (%g)", returned, 0);
}

#endif
