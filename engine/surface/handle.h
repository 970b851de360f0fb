/*
 * Implements the problems and runs behind a client's handle (<shakedown/client.h>), in the
 * precision of the engine. The functions work as described in that header. Codes are those of enum
 * shk_code.
 */
#ifndef ENGINE_HELD_H
#define ENGINE_HELD_H

#include "engine/context.h"
#include "engine/surface/client_method.h"

struct shk_instance;
struct shk_evaluator;
struct shk_manifold;
struct shk_option;
struct shk_values;

struct shakedown_problem {
  const struct shk_engine *engine;
  /* The following members have the engine's precision and are used only by the engine. */
  const struct shk_instance *instance;
  struct shk_evaluator *evaluator;
  struct shk_manifold *manifold;
  /* space for a function's arguments, and for the values of a Jacobian or of g */
  void *vectors, *entries;
  struct shakedown_sizes sizes;
  /* the options of the client's method that is bound to the problem, or NULL if there is no such
   * method */
  const struct shk_values *options;
};

struct shk_handle {
  struct shakedown_problem *(*open)(const struct shk_context *context, const char *specification,
                                    struct shakedown_error *error);
  void (*close)(struct shakedown_problem *problem);
  size_t (*count)(const struct shakedown_problem *problem, int question);
  int (*evaluate)(struct shakedown_problem *problem, int question, double *out, double t,
                  const double *const *vectors, struct shakedown_error *error);
  int (*count_work)(struct shakedown_problem *problem, const char *name, long amount,
                    struct shakedown_error *error);
  char *(*evaluate_text)(struct shakedown_problem *problem, int question, const char *t,
                         const char *const *vectors, struct shakedown_error *error);
  char *(*description)(const struct shakedown_problem *problem, struct shakedown_error *error);
  struct shakedown_run *(*run_open)(const struct shk_context *context,
                                    const struct shakedown_request *request,
                                    struct shakedown_error *error);
  /* Opens a run for a cell of kind "run" and parses the cell's strings. */
  struct shakedown_run *(*run_begin)(const struct shk_context *context, const struct shk_cell *cell,
                                     struct shakedown_error *error);
  void (*run_close)(struct shakedown_run *run);
  int (*run_steps)(struct shakedown_run *run, long count, struct shakedown_error *error);
  void (*run_state)(const struct shakedown_run *run, double *t, double *q, double *p,
                    double *lambda, double *mu);
  char *(*run_state_text)(const struct shakedown_run *run);
  /* Returns a string that contains t, q, p, lambda, the energy (NaN without H), the max norms of g
   * and of the hidden constraint, and the joint columns, separated by spaces. If `of_state` is
   * true, lambda is replaced by the exact multiplier at (t, q, p). The caller must free the string.
   * On failure, returns NULL and sets the reason. */
  char *(*run_row_text)(struct shakedown_run *run, bool of_state, struct shakedown_error *error);
  /* Returns the name of a joint column (measures/joint_columns.h), which the caller must free, or
   * NULL after the last column. */
  char *(*run_column_name)(const struct shakedown_run *run, int column);
  void (*run_place)(struct shakedown_run *run, double t, const double *q, const double *p,
                    const double *lambda);
  /* Creates a struct shk_provision for an integrator from a client's method. `claims` and `options`
   * must outlive the provision, which the caller must release with free(). Returns NULL if memory
   * runs out. */
  void *(*provide)(const struct shakedown_method *method, const struct shk_stated *claims,
                   const struct shk_option *options, unsigned supports);
};

/* the problem must be the first member of a run */
struct shakedown_run;

/* Both functions store the code and the message in `error`, which can be NULL, and return the code.
 * If the status is ok, shk_handle_fail stores nothing; shk_handle_say must not be called with
 * SHK_OK. */
int shk_handle_fail(struct shakedown_error *error, struct shk_status status);
int shk_handle_say(struct shakedown_error *error, enum shk_code code, const char *text);

#endif
