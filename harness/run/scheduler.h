/*
 * The scheduler distributes the cells of a plan to workers and stores their records. The records do
 * not depend on the number of workers or on the order in which cells finish.
 */
#ifndef HARNESS_RUN_SCHEDULER_H
#define HARNESS_RUN_SCHEDULER_H

#include "harness/plan/plan.h"
#include "harness/run/worker.h"
#include "results/store/store.h"

/* Workers left over from one plan that the next plan can reuse. Both plans must have the same
 * plug-ins and access rights. Reusing workers saves time, because loading a Python class takes as
 * long as running a hundred small cells. Initialize with zeros. */
enum { SHK_MOST_IDLE = 64 };
struct shk_idle_workers {
  struct shk_worker all[SHK_MOST_IDLE];
  int count;
};
void shk_idle_workers_end(struct shk_idle_workers *idle);

struct shk_schedule_options {
  int jobs;                 /* number of workers; 0 means one per available core */
  struct shk_workers setup; /* parameters of the workers */
  /* idle workers, reused on entry and left in place on exit; NULL if there are none */
  struct shk_idle_workers *idle;
  const struct shk_keys *keys; /* keys of the plug-ins; NULL if there are none */
  const char *plugin_text;     /* strings for the provenance; NULL if there are none */
  const char *study_text;
  bool quiet;     /* if true, prints no progress */
  bool untimed;   /* if true, does not record cpu-seconds and does not repeat runs for timing */
  double seconds; /* time, in s, after which the whole run is stopped; 0 means no limit */
  bool again;     /* if true, reruns cells that crashed, timed out or ran out of memory */
  /* runs only the cells in this part (shk_key_part), or all cells if `parts` is 0 */
  int part, parts;
};

struct shk_schedule_result {
  /* the number of cells in the part, and the number of those that kept an earlier record */
  int planned, kept;
  int damaged; /* number of damaged records that were removed from the store */
  /* the numbers of cells that were run this time; `failed` counts all other outcomes */
  int ok, refused, failed;
  int left;         /* the number of cells that still have no record at the end */
  bool interrupted; /* true if the run was stopped by SIGINT, SIGTERM or SIGHUP */
};

/* Runs every cell that has no record, or that was stopped by a limit that has since been raised. A
 * cell whose process dies is recorded as crashed or exited. If the run is interrupted, running
 * cells are abandoned. Returns false and sets the reason if no worker can be started or the store
 * cannot be written. *result is valid in either case. */
bool shk_schedule(const struct shk_plan *plan, struct shk_store *store,
                  const struct shk_schedule_options *options, struct shk_schedule_result *result,
                  struct shk_message *error);

#endif
