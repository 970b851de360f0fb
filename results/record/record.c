/*
 * Clears records, and describes their status and reason in words. See record.h.
 */
#include "results/record/record.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include <ctype.h>
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

/* Returns the last line printed by the process that contains a letter, without surrounding blanks.
 * This line usually explains a crash. The caller frees the line. Returns NULL if there is none. */
static char *last_words(const char *output)
{
  const char *first = NULL, *end = NULL;
  for (const char *line = output; line && *line; line += *line == '\n') {
    const char *const begin = line + strspn(line, " \t\r");
    line += strcspn(line, "\n");
    const size_t length = (size_t)(line > begin ? line - begin : 0);
    bool has_letter = false;
    for (size_t i = 0; i < length && !has_letter; i++)
      has_letter = isalpha((unsigned char)begin[i]);
    first = has_letter ? begin : first;
    end = has_letter ? line : end;
  }
  while (first && isspace((unsigned char)end[-1]))
    end--;
  return first ? shk_print_text("%.*s", (int)(end - first), first) : NULL;
}

static void add_last_words(char *buffer, size_t size, const struct shk_record *record)
{
  char *const words = last_words(record->output);
  char *const all = words ? shk_print_text("%s" SHK_LAST_WORDS "%s", buffer, words) : NULL;
  if (all)
    shk_text_fit(buffer, size, all);
  free(all);
  free(words);
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
    if (record->end_detail == SHK_CROWDED) {
      snprintf(buffer, size,
               "it had more than %d processes at once, so it was ended with all of them",
               SHK_MOST_PROCESSES);
      break;
    }
    const char *const name = sigabbrev_np(record->end_detail);
    snprintf(buffer, size, "the process was terminated by signal %d%s%s%s%s", record->end_detail,
             name ? " (SIG" : "", name ? name : "", name ? ")" : "",
             record->end_detail == SIGKILL ? ", by hand or because memory ran out" : "");
    add_last_words(buffer, size, record);
    break;
  }
  case SHK_END_TIMED_OUT:
    snprintf(buffer, size, "stopped at the time limit of %g s%s", record->limit_seconds,
             record->end_detail == SHK_WAS_STOPPED
                 ? ": its process was suspended, by a signal or a debugger"
             : record->end_detail == SHK_IN_PROBE ? ", in its first steps"
                                                  : "");
    break;
  case SHK_END_OUT_OF_MEMORY:
    snprintf(buffer, size, "the memory limit of %g MB was reached", record->limit_megabytes);
    break;
  case SHK_END_EXITED:
    snprintf(buffer, size, "the process ended with exit code %d and without a result",
             record->end_detail);
    add_last_words(buffer, size, record);
    break;
  }
}
