/*
 * The client's side of a cell server, which is a fork of the client: its process id and the two
 * pipes to and from it.
 */
#ifndef HARNESS_RUN_LINK_H
#define HARNESS_RUN_LINK_H

#include "harness/run/requests.h"
#include <stdbool.h>
#include <sys/types.h>

/* Parameters of new cell servers: the plug-ins to load, and the context with their rights of
 * access. The context's remote provider is not passed on. */
struct shk_servers {
  const struct shk_context *context;
  const char *const *plugins;
  int plugin_count;
};

struct shk_server {
  pid_t pid;              /* a child process; 0: none */
  int to, from;           /* pipes for its requests and its replies */
  struct shk_inbox inbox; /* received data */
  bool ended;             /* it closed its pipe, and all complete replies were taken */
  char *temporary;        /* its folder for temporary files, removed when it ends */
};

/* Starts a server, with no file descriptors but its pipes and standard error. With a plug-in in
 * Python it is `python3 -m shakedown worker --plugin FILE …`. False with the reason. */
bool shk_server_start(struct shk_server *server, const struct shk_servers *servers,
                      struct shk_message *error);
/* Waits for the server's first message, the descriptors of its plug-ins; the caller frees it. A
 * server that is not ready within 60 s is killed. NULL with the reason, which names the plug-ins,
 * since their constructors run at loading; the server has then ended. */
char *shk_server_greet(struct shk_server *server, const struct shk_servers *servers, size_t *size,
                       struct shk_message *error);

/* Sends a request; false if the server has ended or does not read it within 10 s. */
bool shk_server_send(struct shk_server *server, const struct shk_request *request);

/* Returns the next reply, which the caller frees, without waiting. NULL if none is complete; sets
 * `ended` if none will come. */
char *shk_server_receive(struct shk_server *server, size_t *size);
/* Waits up to `seconds` for a reply, which the caller frees; NULL with the reason. */
char *shk_server_wait(struct shk_server *server, size_t *size, double seconds,
                      struct shk_message *error);

/* Ends the server by closing the pipe of its requests and, unless `politely`, by SIGTERM. Kills it
 * after 2 s. Returns its wait status. */
int shk_server_end(struct shk_server *server, bool politely);
/* Kills a server that does not reply, with all its descendants. */
void shk_server_kill(struct shk_server *server);

#endif
