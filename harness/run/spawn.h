/*
 * A worker process and the two pipes to it.
 */
#ifndef HARNESS_RUN_SPAWN_H
#define HARNESS_RUN_SPAWN_H

#include "foundation/message.h"
#include "foundation/specifications/access.h"
#include "harness/run/lines.h"
#include "results/record/record.h"
#include <stdbool.h>
#include <sys/types.h>

struct shk_spawned {
  pid_t pid;              /* 0: none */
  int to, from;           /* its standard input and output */
  struct shk_lines lines; /* what has arrived from it */
  char *temporary;        /* its folder for temporary files, which is removed with it */
};

/* A worker that is not ready after so many seconds, or to which nothing can be sent for so many, is
 * given up. */
enum { SHK_READY_SECONDS = 15, SHK_SEND_SECONDS = 10 };

enum shk_heard { SHK_HEARD_NOTHING, SHK_HEARD_LINE, SHK_HEARD_END };

/* Starts `program worker --plugin FILE …` (NULL: this program), with --allow-external if programs
 * are allowed; with a plug-in in Python, `python3 -m shakedown worker --plugin FILE …`. It dies
 * with us. False with the reason, and errno set. */
bool shk_spawn(struct shk_spawned *worker, const char *program, const struct shk_access *access,
               const char *const *plugins, int plugin_count, struct shk_message *error);

/* Reads the answer to a cell: a record, or {"error": …}, whose text is then the reason. */
bool shk_spawn_record(struct shk_record *record, const char *message, struct shk_message *error);

/* Sends a line; false if the worker is gone, or takes nothing in. */
bool shk_spawn_send(struct shk_spawned *worker, const char *line);

/* Takes what has arrived without waiting. A line is without its newline; the caller frees it. */
enum shk_heard shk_spawn_hear(struct shk_spawned *worker, char **line);
/* Waits for a line for so many seconds; NULL with the reason. */
char *shk_spawn_wait(struct shk_spawned *worker, double seconds, struct shk_message *error);

/* Reads the worker's first line; false with the reason if it is not ready. */
bool shk_spawn_ready(const char *line, struct shk_message *error);

/* Why it did not become ready, with the plug-ins that it loads first of all, whose constructors run
 * then: by its wait status; negative: it has not ended. */
void shk_spawn_blame(struct shk_message *error, const char *const *plugins, int plugin_count,
                     int status);

/* Whether its process has ended, or does within a fifth of a second. */
bool shk_spawn_gone(const struct shk_spawned *worker);

/* Lets the worker finish (`politely`: by the end of its input; otherwise by SIGTERM), kills it
 * after two seconds, and returns its wait status. */
int shk_spawn_end(struct shk_spawned *worker, bool politely);
/* Kills one that does not answer, with all that it has started. */
void shk_spawn_kill(struct shk_spawned *worker);

#endif
