/*
 * A conversation with a program that integrates, or solves for multipliers: words, numbers and the
 * greeting of the protocols of docs/reference/line-protocol.md and docs/guides/engines.md. A line
 * that is not understood ends the conversation: that request and all later ones fail with the same
 * reason, which the options that name the program keep.
 */
#ifndef MECHANICS_OUTSIDE_LINE_PROTOCOL_H
#define MECHANICS_OUTSIDE_LINE_PROTOCOL_H

#include "foundation/processes/process.h"

#include <shakedown/integrator.h>

/* What the program says it is. */
enum shk_talker { SHK_TALKER_INTEGRATOR, SHK_TALKER_ENGINE, SHK_TALKER_SOLVER };

struct shk_talk {
  enum shk_talker is;
  const struct shk_values *options; /* `command` is the program */
  struct shk_process *process;
  const char *said; /* of the last failure; kept by the options */
  bool lost;        /* it cannot go on */
};

/* The program's description of itself. */
struct shk_greeting {
  struct shk_claims claims;
  unsigned supports;
  bool double_only;
  /* Of engines: velocities half a step before their positions; what follows these in a state. */
  bool half, energy, multipliers, iterations, seconds;
};

/* The features that the protocol has questions for. */
#define SHK_TALK_FEATURES                                                                          \
  (SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT)

/* Starts the program that x->options name, which ends with the workspace, and reads its greeting.
 * Refuses one that works in double only in any other precision. */
struct shk_status shk_talk_begin(struct shk_talk *x, struct shk_greeting *greeting,
                                 struct shk_workspace *workspace);
/* The claims of the program's greeting; none for one that does not answer, whose cells then say
 * why. */
void shk_talk_claims(struct shk_claims *claims, enum shk_talker is,
                     const struct shk_values *options);
/* Sends the line that describes the system; the program is ready, or refuses with its reason.
 * Stores the number that follows `ready`, 0 if there is none; NULL: none may. */
struct shk_status shk_talk_introduce(struct shk_talk *x, long *number);

/* Begins a line that asks for something, with its first word. */
struct shk_status shk_talk_request(struct shk_talk *x, const char *word);
/* The first word of an answer: `word`, or `fail` with the code of a step and a reason, which is the
 * status then. */
struct shk_status shk_talk_expect(struct shk_talk *x, const char *word);
/* What follows `fail`. */
struct shk_status shk_talk_failed(struct shk_talk *x);
/* A failure with `what` and `detail` for a reason; the same where the conversation cannot go on. */
struct shk_status shk_talk_failure(struct shk_talk *x, enum shk_code code, const char *what,
                                   const char *detail);
struct shk_status shk_talk_lose(struct shk_talk *x, const char *what, const char *detail);

/* Adds to the line that is being written, and sends it. */
void shk_talk_put(struct shk_talk *x, const char *word);
void shk_talk_put_reals(struct shk_talk *x, const real *values, size_t count);
void shk_talk_put_integer(struct shk_talk *x, long value);
struct shk_status shk_talk_send(struct shk_talk *x);

/* The next word of the program's line, "" at its end; so many finite decimal numbers; the end of
 * the line. */
struct shk_status shk_talk_word(const char **text, struct shk_talk *x);
struct shk_status shk_talk_take_reals(struct shk_talk *x, real *values, int count);
struct shk_status shk_talk_line_ends(struct shk_talk *x);

#endif
