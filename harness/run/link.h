/*
 * A cell server, seen from the process that asks it: a fork of that process, its number and the two
 * pipes to it.
 */
#ifndef HARNESS_RUN_LINK_H
#define HARNESS_RUN_LINK_H

#include "harness/run/requests.h"
#include <stdbool.h>
#include <sys/types.h>

/* How cell servers are made: they load these plug-ins, under the access of the context, whose
 * remote provider they do not have. */
struct shk_servers {
  const struct shk_context *context;
  const char *const *plugins;
  int plugin_count;
};

struct shk_server {
  pid_t pid;              /* a child of ours; 0: none */
  int to, from;           /* where it reads requests and writes replies */
  struct shk_inbox inbox; /* what has arrived from it */
  char *temporary;        /* its folder for temporary files, which is removed with it */
};

/* A server that is not ready after so many seconds, or to which nothing can be sent for so many, is
 * given up. */
enum { SHK_READY_SECONDS = 15, SHK_SEND_SECONDS = 10 };

/* Makes a server. It closes all descriptors but its pipes. Its first messages are what its plug-ins
 * offer, and whether it is ready. With a plug-in in Python it is `python3 -m shakedown worker
 * --plugin FILE …`. False with the reason. */
bool shk_server_start(struct shk_server *server, const struct shk_servers *servers,
                      struct shk_message *error);

/* Sends a request; false if the server is gone, or takes nothing in. */
bool shk_server_send(struct shk_server *server, const struct shk_request *request);

enum shk_received { SHK_RECEIVED_NOTHING, SHK_RECEIVED_REPLY, SHK_RECEIVED_END };

/* Takes what has arrived without waiting. The caller frees the reply. */
enum shk_received shk_server_receive(struct shk_server *server, char **reply, size_t *size);
/* Waits for a reply for so many seconds; NULL with the reason. */
char *shk_server_wait(struct shk_server *server, size_t *size, double seconds,
                      struct shk_message *error);

/* Why a server did not become ready, with the plug-ins that it loads first of all, whose
 * constructors run then: by its wait status; negative: it has not ended. */
void shk_server_blame(struct shk_message *error, const struct shk_servers *servers, int status);

/* Whether its process has ended, or does within a fifth of a second. */
bool shk_server_gone(const struct shk_server *server);

/* Lets the server finish (`politely`: by the end of its requests; otherwise by SIGTERM), kills it
 * after two seconds, and returns its wait status. */
int shk_server_end(struct shk_server *server, bool politely);
/* Kills one that does not answer, with all that it has started. */
void shk_server_kill(struct shk_server *server);

#endif
