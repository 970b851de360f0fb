/* Creates and frees problem instances, which are problems with given parameters. */
#ifndef PROBLEMS_KIT_INSTANCE_H
#define PROBLEMS_KIT_INSTANCE_H

#include <shakedown/parts/problem.h>

/* Creates the problem with the given parameters, which must outlive the instance. If the function
 * fails, it frees everything it allocated. */
struct shk_status shk_instance_create(struct shk_instance *instance,
                                      const struct shk_problem *problem,
                                      const struct shk_values *parameters);
void shk_instance_destroy(struct shk_instance *instance);

#endif
