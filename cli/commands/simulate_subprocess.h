/*
 * An integration in a process of its own, whose rows arrive one by one: what a plug-in does there,
 * a crash among it, costs that process and leaves the rows that were reached.
 */
#ifndef CLI_COMMANDS_SIMULATE_SUBPROCESS_H
#define CLI_COMMANDS_SIMULATE_SUBPROCESS_H

#include "engine/engine.h"

/* Told of a row: its numbers with commas between them, without a newline. */
typedef void shk_row_reader(void *user, int n, int m, const char *row);

struct shk_simulated {
  bool finished;  /* the engine's own word is below; otherwise `reason` says how it ended */
  bool no_plugin; /* a plug-in did not load */
  enum shk_code code;
  long rows;
  char reason[1024];
  char reached[64]; /* t - t0 of the last good state; empty if there was none */
};

/* What the process prints on standard output goes to standard error. False with the reason if there
 * could be no such process. */
bool shk_simulate_in_subprocess(const struct shk_context *context, struct shk_simulated *result,
                                const struct shk_cell *cell, long every, const char *const *plugins,
                                int plugin_count, shk_row_reader *reader, void *user,
                                struct shk_message *error);

#endif
