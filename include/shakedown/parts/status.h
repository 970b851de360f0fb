/*
 * The status of a computation: a code, a fixed message and up to two numbers. Creating a status
 * inside a step costs almost nothing, because it is formatted only when it is displayed.
 */
#ifndef SHAKEDOWN_STATUS_H
#define SHAKEDOWN_STATUS_H

#include <stddef.h>

enum shk_code {
#define CODE(id, ...) SHK_##id,
#include <shakedown/codes.def>
#undef CODE
  SHK_CODE_COUNT
};

struct shk_status {
  enum shk_code code;
  /* NULL if the code is ok; may contain one %g for `value` and another for `limit` */
  const char *reason;
  double value, limit;
};

static inline struct shk_status shk_ok(void)
{
  return (struct shk_status){SHK_OK, NULL, 0, 0};
}

/* Returns a failure. `reason` must outlive the status. It can contain up to two %g conversions,
 * which shk_status_text replaces with `value` and `limit` in this order. The only other conversion
 * allowed is %%. */
static inline struct shk_status shk_failure(enum shk_code code, const char *reason, double value,
                                            double limit)
{
  return (struct shk_status){code, reason, value, limit};
}

/* Returns a refusal, which means that the method or the problem does not apply. */
static inline struct shk_status shk_refused(const char *reason)
{
  return shk_failure(SHK_REFUSED, reason, 0, 0);
}

/* Makes the calling function return the status of `call`, unless that status is ok. */
#define SHK_TRY(call)                                                                              \
  do {                                                                                             \
    const struct shk_status shk_tried_ = (call);                                                   \
    if (shk_tried_.code != SHK_OK)                                                                 \
      return shk_tried_;                                                                           \
  } while (0)

/* Returns the name of a code as it appears in records: "ok", "refused", "not-converged", … */
const char *shk_code_name(enum shk_code code);

/* Writes the reason as a sentence into `size` bytes; long names in it are shortened if it would not
 * fit. Returns `buffer`. */
const char *shk_status_text(char *buffer, size_t size, struct shk_status status);

#endif
