/*
 * Options of the program, and the plug-ins of this process. A command, a worker or a test
 * makes the context and passes it to all functions that read specifications. A zeroed context has
 * the built-in parts only, finds files in the working directory and runs no programs.
 *
 * Plug-ins are loaded in workers only. Planning gets their descriptors, claims and inspections from a
 * worker through a provider.
 */
#ifndef ENGINE_CONTEXT_H
#define ENGINE_CONTEXT_H

#include "engine/engine.h"
#include "foundation/specifications/access.h"
#include "foundation/specifications/precision.h"

enum { SHK_MOST_LOADED = 64 * SHK_PRECISIONS };

struct shk_context {
  struct shk_access access;
  const struct shk_remote_provider *remote; /* of plug-ins; NULL: there are none */
  double question_seconds; /* longest wait for the provider's answer; 0: a minute */
  /* What an earlier diagnosis found at the start that all cells of this context share, in their
   * precision. NULL: each cell finds it. */
  const struct shk_known_start *known;
  const struct shk_foreign_loader *foreign; /* NULL: plug-ins are shared objects */
  bool untimed; /* runs are not repeated to measure their time: no result needs it */
  bool trial;   /* runs are not measured either: only their codes and reasons are wanted */
  /* The items of the plug-ins loaded in this process, each in one precision. */
  int loaded_count;
  struct shk_loaded {
    int precision;
    const void *provision; /* a struct shk_provision of that precision */
  } loaded[SHK_MOST_LOADED];
};

/* Loader of plug-ins in other languages, in the process of a client that supports them
 * (client/). */
#define SHK_FOREIGN_ENDING ".py"
struct shk_foreign_loader {
  /* Adds the items of the plug-in to the context, in all precisions. */
  bool (*load)(void *user, struct shk_context *context, const char *path,
               struct shk_message *error);
  void *user;
};

/* A query about an integrator or a problem, whose specification is canonical. */
enum shk_query_kind {
  SHK_ASK_CLAIMS,     /* answer: a struct shk_claims */
  SHK_ASK_INSPECTION, /* a struct shk_inspection */
  SHK_ASK_BODIES,     /* a struct shk_bodies, whose rows the caller frees */
  SHK_ASK_DIAGNOSIS,  /* a struct shk_diagnosis, of the engine here */
  SHK_ASK_AUDIT,      /* a struct shk_checks, of the engine here */
  SHK_QUERY_KINDS
};
struct shk_query {
  enum shk_query_kind kind;
  const char *text, *precision;
  int count, n;            /* of bodies: states, and coordinates of each */
  const double *times, *q; /* of bodies: times since t0, and the coordinates of all states */
  const struct shk_cell
      *start; /* of a diagnosis: its q, p and project; NULL: the problem's start */
};

/* An item of a plug-in: SHK_OPTION_PROBLEM, _INTEGRATOR or _CHOICE, a solver. */
struct shk_offer {
  enum shk_option_kind kind;
  int plugin; /* index of the plug-in, from 0 */
  struct shk_item item;
};

/* Access to the plug-ins of a worker, by cached descriptors and queries. */
struct shk_remote_provider {
  int count;
  const struct shk_offer *offers;
  /* Answers a query by the engine of its precision in the worker. False with the reason, also if
   * the plug-in crashed or hung. */
  bool (*answer)(void *user, const struct shk_context *context, const struct shk_query *query,
                 void *answer, struct shk_message *error);
  /* Returns the code of a cell that is run in the worker; SHK_STOPPED if it did not end. */
  enum shk_code (*code_of)(void *user, const struct shk_context *context,
                           const struct shk_cell *cell, struct shk_message *reason);
  /* True if the claims of an integrator that runs a program are known without running it; NULL:
   * always false. */
  bool (*knows_program)(void *user, const char *integrator);
  void *user;
};

#endif
