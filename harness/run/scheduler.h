/*
 * The scheduler distributes the cells of a plan to workers and stores their records. The records do
 * not depend on the number of workers or on the order in which cells finish.
 */
#ifndef HARNESS_RUN_SCHEDULER_H
#define HARNESS_RUN_SCHEDULER_H

#include "harness/plan/plan.h"
#include "harness/run/worker.h"
#include "results/store/store.h"

/* Workers that one plan leaves for the next, which must have the same plug-ins and access rights.
 * They save time, because loading a class in Python takes as long as a hundred small cells.
 * Initialize with zeros. */
enum { SHK_MOST_IDLE = 64 };
struct shk_idle_workers {
  struct shk_worker all[SHK_MOST_IDLE];
  int count;
};
void shk_idle_workers_end(struct shk_idle_workers *idle);

struct shk_schedule_options {
  int jobs;                      /* number of workers; 0 means one per available core */
  struct shk_workers setup;      /* parameters of the workers */
  struct shk_idle_workers *idle; /* reused at the start, left at the end; NULL: none */
  const struct shk_keys *keys;   /* keys of the plug-ins; NULL if there are none */
  const char *plugin_text;       /* texts for the provenance; NULL if none */
  const char *study_text;
  bool quiet;      /* if true, prints no progress */
  bool untimed;    /* if true, records no cpu-seconds and does not repeat runs for timing */
  double seconds;  /* time in s after which the whole run is stopped; 0: no limit */
  bool again;      /* if true, reruns cells that crashed, timed out or ran out of memory */
  int part, parts; /* runs only this part (shk_key_part); if parts is 0, runs all cells */
};

struct shk_schedule_result {
  int planned, kept;       /* cells in the part, and those whose earlier record was kept */
  int damaged;             /* damaged records of the store, which were removed */
  int ok, refused, failed; /* of the cells that were run now; `failed` counts all other outcomes */
  int left;                /* cells that have no record at the end */
  bool interrupted;        /* true if stopped by SIGINT, SIGTERM or SIGHUP */
};

/* Runs the cells that have no record, or whose record stopped at a limit that has since been
 * raised. A cell whose process dies is recorded as crashed or exited. If the run is interrupted,
 * running cells are abandoned. Returns false and sets the reason if no worker can be started or the
 * store cannot be written. *result is valid in any case. */
bool shk_schedule(const struct shk_plan *plan, struct shk_store *store,
                  const struct shk_schedule_options *options, struct shk_schedule_result *result,
                  struct shk_message *error);

#endif
