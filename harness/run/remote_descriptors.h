/*
 * Descriptors as JSON: what a worker tells of the plug-ins that it has loaded, and the same
 * structures rebuilt from it where the plug-ins themselves are not.
 */
#ifndef HARNESS_RUN_REMOTE_DESCRIPTORS_H
#define HARNESS_RUN_REMOTE_DESCRIPTORS_H

#include "engine/engine.h"
#include <jansson.h>

json_t *shk_wire_problem_info(const struct shk_problem_info *info);
json_t *shk_wire_integrator_info(const struct shk_integrator_info *info);

json_t *shk_wire_claims(const struct shk_claims *claims);
bool shk_wire_read_claims(struct shk_claims *claims, const json_t *json, struct shk_message *error);
json_t *shk_wire_inspection(const struct shk_inspection *inspection);
bool shk_wire_read_inspection(struct shk_inspection *inspection, const json_t *json,
                              struct shk_message *error);

/* Descriptors read from JSON, with all that they point to. */
struct shk_descriptors {
  int problem_count, integrator_count, solver_count;
  struct shk_problem_info *problems;
  struct shk_integrator_info *integrators, *solvers;
  json_t *json; /* holds the texts */
  void **arrays;
  int array_count;
};

/* Adds those of {"problems": […], "integrators": […], "solvers": […]}. On failure the caller still
 * clears. */
bool shk_descriptors_read(struct shk_descriptors *descriptors, json_t *json,
                          struct shk_message *error);
void shk_descriptors_clear(struct shk_descriptors *descriptors);

#endif
