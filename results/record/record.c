/*
 * Records: clearing them, and their status and reason in words. See record.h.
 */
#include "results/record/record.h"
#include "foundation/message.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shk_record_clear(struct shk_record *record)
{
  shk_cell_clear(&record->cell);
  shk_outcome_clear(&record->outcome);
  free(record->output);
  *record = (struct shk_record){0};
}

void shk_record_free(struct shk_record *record)
{
  if (record)
    shk_record_clear(record);
  free(record);
}

bool shk_record_finished(const struct shk_record *record)
{
  return record && record->end == SHK_END_FINISHED && record->outcome.code == SHK_OK;
}

const char *const shk_end_names[SHK_ENDS] = {
#define END(id, name) [SHK_END_##id] = name,
#include "results/record/statuses.def"
#undef END
};

const char *shk_record_status(const struct shk_record *record)
{
  if (!record)
    return "not-run";
  return record->end == SHK_END_FINISHED ? shk_code_name(record->outcome.code)
                                         : shk_end_names[record->end];
}

void shk_record_reason(char *buffer, unsigned long size, const struct shk_record *record)
{
  if (size == 0)
    return;
  buffer[0] = '\0';
  switch (record->end) {
  case SHK_END_FINISHED:
    shk_text_fit(buffer, size, record->outcome.reason);
    break;
  case SHK_END_CRASHED: {
    const char *const name = sigabbrev_np(record->end_detail);
    snprintf(buffer, size, "the process was ended by signal %d%s%s%s%s", record->end_detail,
             name ? " (SIG" : "", name ? name : "", name ? ")" : "",
             record->end_detail == SIGKILL ? ", by hand or because memory ran out" : "");
    break;
  }
  case SHK_END_TIMED_OUT:
    snprintf(buffer, size, "stopped at the time limit of %g s%s%s", record->limit_seconds,
             record->end_detail ? ", and its cell server did not answer" : "",
             record->end_detail == SHK_SILENT_STOPPED ? ": it was stopped by a signal or a debugger"
                                                      : "");
    break;
  case SHK_END_OUT_OF_MEMORY:
    snprintf(buffer, size, "the memory limit of %g MB was reached", record->limit_megabytes);
    break;
  case SHK_END_EXITED:
    snprintf(buffer, size, "the process ended with exit code %d and no result", record->end_detail);
    break;
  }
}
