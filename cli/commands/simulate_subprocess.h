/*
 * Integration in a process of its own, with rows that arrive one by one: a plug-in's crash ends
 * only that process and leaves the rows before it.
 */
#ifndef CLI_COMMANDS_SIMULATE_SUBPROCESS_H
#define CLI_COMMANDS_SIMULATE_SUBPROCESS_H

#include "engine/engine.h"

/* Receives a row: its numbers separated by commas, without a newline. */
typedef void shk_row_reader(void *user, int n, int m, const char *row);

struct shk_simulated {
  bool finished;  /* true: the outcome is below; false: `reason` says how the process ended */
  bool no_plugin; /* a plug-in did not load */
  enum shk_code code;
  long rows;
  char reason[1024];
  char reached[64]; /* t - t0 of the last valid state; empty if there was none */
};

/* Integrates `cell`. The standard output of the process is redirected to standard error. Returns
 * false with the reason if it could not be started. */
bool shk_simulate_in_subprocess(const struct shk_context *context, struct shk_simulated *result,
                                const struct shk_cell *cell, long every, const char *const *plugins,
                                int plugin_count, shk_row_reader *reader, void *user,
                                struct shk_message *error);

#endif
