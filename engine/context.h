/*
 * A context holds the program's options and the plug-ins of this process. A command, a worker or a
 * test creates the context and passes it to all functions that read specifications. A
 * zero-initialized context contains only the built-in parts, looks for files in the working
 * directory, and does not run any programs.
 *
 * Only workers load plug-ins. For planning, a provider obtains the descriptors, claims and
 * inspections of plug-ins from a worker.
 */
#ifndef ENGINE_CONTEXT_H
#define ENGINE_CONTEXT_H

#include "engine/engine.h"
#include "foundation/specifications/access.h"
#include "foundation/specifications/precision.h"

enum { SHK_MOST_LOADED = 64 * SHK_PRECISIONS };

struct shk_context {
  struct shk_access access;
  /* provider of the plug-ins, or NULL if there are none */
  const struct shk_remote_provider *remote;
  double question_seconds; /* maximum time to wait for the provider's answer; 0 means a minute */
  /* The result of an earlier diagnosis, in the same precision, at the start that all cells of this
   * context share. If NULL, each cell performs its own diagnosis. */
  const struct shk_known_start *known;
  const struct shk_foreign_loader *foreign; /* NULL if all plug-ins are shared objects */
  /* true if runs are not repeated for timing, because no result depends on the time */
  bool untimed;
  /* true if runs are not measured because only their codes and reasons are needed */
  bool trial;
  /* The items from the plug-ins that are loaded in this process. Each item is listed in one
   * precision. */
  int loaded_count;
  struct shk_loaded {
    int precision;
    const void *provision; /* a struct shk_provision in the precision of the item */
  } loaded[SHK_MOST_LOADED];
};

/* Loads plug-ins written in other languages into the process of a client that supports them
 * (client/). */
#define SHK_FOREIGN_ENDING ".py"
struct shk_foreign_loader {
  /* Adds all items of the plug-in to the context, in every precision. */
  bool (*load)(void *user, struct shk_context *context, const char *path,
               struct shk_message *error);
  void *user;
};

/* A query about an integrator or a problem. Its specification must be canonical. */
enum shk_query_kind {
  SHK_ASK_CLAIMS,     /* the answer is a struct shk_claims */
  SHK_ASK_INSPECTION, /* the answer is a struct shk_inspection */
  SHK_ASK_BODIES,     /* the answer is a struct shk_bodies, whose rows the caller frees */
  /* the answer is a struct shk_diagnosis; answered by the engine of this process */
  SHK_ASK_DIAGNOSIS,
  /* the answer is a struct shk_checks; answered by the engine of this process */
  SHK_ASK_AUDIT,
  SHK_QUERY_KINDS
};
struct shk_query {
  enum shk_query_kind kind;
  const char *text, *precision;
  /* for SHK_ASK_BODIES: the number of states, and the number of coordinates in each */
  int count, n;
  /* for SHK_ASK_BODIES: the times relative to t0, and the coordinates of all states */
  const double *times, *q;
  /* for a diagnosis, the cell whose q, p and project are used; NULL for the problem's start */
  const struct shk_cell *start;
};

/* An item in a plug-in: SHK_OPTION_PROBLEM, _INTEGRATOR, or _CHOICE for a solver. */
struct shk_offer {
  enum shk_option_kind kind;
  int plugin; /* index of the plug-in, starting from 0 */
  struct shk_item item;
};

/* Provides access to a worker's plug-ins through cached descriptors and queries. */
struct shk_remote_provider {
  int count;
  const struct shk_offer *offers;
  /* Answers a query in the worker, with the engine of the query's precision. Returns false and sets
   * the reason if this fails, for example because the plug-in crashed or hung. */
  bool (*answer)(void *user, const struct shk_context *context, const struct shk_query *query,
                 void *answer, struct shk_message *error);
  /* Runs a cell in the worker and returns its code, or SHK_STOPPED if the cell did not finish. */
  enum shk_code (*code_of)(void *user, const struct shk_context *context,
                           const struct shk_cell *cell, struct shk_message *reason);
  /* Returns true if the claims of an integrator that runs a program are known without running the
   * program. If this function pointer is NULL, the claims are never known in advance. */
  bool (*knows_program)(void *user, const char *integrator);
  void *user;
};

#endif
