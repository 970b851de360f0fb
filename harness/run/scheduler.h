/*
 * The scheduler: keeps cell servers busy with the cells of a plan and hands their records to the
 * store. The records do not depend on how many servers there are or which finishes first.
 */
#ifndef HARNESS_RUN_SCHEDULER_H
#define HARNESS_RUN_SCHEDULER_H

#include "harness/plan/plan.h"
#include "harness/run/link.h"
#include "results/store/store.h"

struct shk_schedule_options {
  int jobs;                    /* cell servers; 0: as many as there are cores to run on */
  struct shk_servers servers;  /* how they are made */
  const struct shk_keys *keys; /* what the plug-ins provide; NULL without plug-ins */
  const char *plugin_text;     /* for the provenance; NULL without */
  const char *study_text;      /* for the provenance; NULL without */
  bool quiet;                  /* no progress */
  bool untimed;                /* without cpu-seconds, for which runs are repeated */
  bool again;                  /* run anew what crashed, timed out or ran out of memory */
  int part, parts; /* only the cells of this part out of so many (shk_key_part); 0: all */
  /* Told of every record of the plan as it is stored; not of those that were there. NULL: nobody.
   */
  void (*done)(void *user, int index, const struct shk_record *record);
  void *user;
};

struct shk_schedule_result {
  int planned, kept;       /* cells of the part; those of which the store had a record */
  int damaged;             /* records of the store that were not as they were written: removed */
  int ok, refused, failed; /* of those run now; failed: every other outcome */
  int left;                /* without a record in the end */
  bool interrupted;        /* by SIGINT, SIGTERM or SIGHUP */
};

/* Runs what has no record yet. A cell that was stopped at a limit is run again if its limit has
 * been raised. A server that dies is replaced and its cell tried once more; the second time the
 * cell is recorded as crashed. On an interruption the running cells are given up and all that was
 * recorded stays. False with the reason if it could not go on (no server starts, the store cannot
 * be written); the result is filled in all the same. */
bool shk_schedule(const struct shk_plan *plan, struct shk_store *store,
                  const struct shk_schedule_options *options, struct shk_schedule_result *result,
                  struct shk_message *error);

#endif
