/*
 * The dialogue with an external program, which is an integrator, an engine, a solver or a problem.
 * This file implements the words, the numbers and the greeting of the protocol in
 * docs/reference/line-protocol.md. A line that cannot be parsed ends the dialogue. The current
 * request and all later ones then fail for the same reason, which is stored with the options that
 * name the program.
 */
#ifndef MECHANICS_OUTSIDE_LINE_PROTOCOL_H
#define MECHANICS_OUTSIDE_LINE_PROTOCOL_H

#include "foundation/processes/process.h"

#include <shakedown/parts/integrator.h>

/* The role of the program. */
enum shk_talker {
  SHK_TALKER_INTEGRATOR,
  SHK_TALKER_ENGINE,
  SHK_TALKER_SOLVER,
  SHK_TALKER_PROBLEM,
  SHK_TALKERS
};

struct shk_talk {
  enum shk_talker is;
  const struct shk_values *options; /* options whose entry `command` names the program */
  struct shk_process *process;
  const char *said; /* reason for the last failure, which the options own */
  bool lost;        /* whether the dialogue has ended */
};

/* The program's description of itself in its greeting. */
struct shk_greeting {
  struct shk_claims claims;
  unsigned supports;
  bool double_only;
  /* Used by engines only. `half` is true if velocities belong to half a step before their
   * positions. The other flags indicate which numbers follow the velocities in a state. */
  bool half, energy, multipliers, iterations, seconds;
  /* Problems only. */
  int n, m;
  unsigned features, undecidable; /* enum shk_feature, enum shk_undecidable */
  real time_scale, horizon;
};

/* The features that the protocol supports. */
#define SHK_TALK_FEATURES (SHK_HOLONOMIC | SHK_MOMENTUM_CONSTRAINT)

/* Starts the program named in x->options and reads its greeting. The program ends when the
 * workspace is freed. Programs that support only double are refused in other precisions. */
struct shk_status shk_talk_begin(struct shk_talk *x, struct shk_greeting *greeting,
                                 struct shk_workspace *workspace);
/* Stores the claims that the program's greeting contains. If the program does not answer, leaves
 * *claims unchanged. The cells then report the reason. */
void shk_talk_claims(struct shk_claims *claims, enum shk_talker is,
                     const struct shk_values *options);
/* Sends the line that describes the system. The program replies that it is ready, or it refuses the
 * system and gives a reason. *number receives the number that follows `ready`, or 0 if there is
 * none. If `number` is NULL, no number may follow. */
struct shk_status shk_talk_introduce(struct shk_talk *x, long *number);

/* Begins a request line by writing its first word. */
struct shk_status shk_talk_request(struct shk_talk *x, const char *word);
/* Reads the first word of an answer, which must be `word` or `fail`. The word `fail` is followed by
 * a step's failure code and a reason, which become the status. */
struct shk_status shk_talk_expect(struct shk_talk *x, const char *word);
/* Reads the code and the reason that follow `fail`, and stores them in the status. */
struct shk_status shk_talk_failed(struct shk_talk *x);
/* Both of these functions return a failure whose reason is `what` followed by `detail`.
 * shk_talk_lose also ends the dialogue. */
struct shk_status shk_talk_failure(struct shk_talk *x, enum shk_code code, const char *what,
                                   const char *detail);
struct shk_status shk_talk_lose(struct shk_talk *x, const char *what, const char *detail);

/* The first three functions append to the line that is being written. The last two send the line,
 * either as a request or as an answer to a line from the program (shk_process_answer). */
void shk_talk_put(struct shk_talk *x, const char *word);
void shk_talk_put_reals(struct shk_talk *x, const real *values, size_t count);
void shk_talk_put_integer(struct shk_talk *x, long value);
struct shk_status shk_talk_send(struct shk_talk *x);
struct shk_status shk_talk_answer(struct shk_talk *x);

/* These functions read, respectively, the next word of the program's line ("" at its end), `count`
 * finite decimal numbers, and the end of the line. If a number is not finite, in the notation of
 * any programming language, the result is SHK_NOT_FINITE. The rest of the line is then read, so
 * that the dialogue can continue. */
struct shk_status shk_talk_word(const char **text, struct shk_talk *x);
struct shk_status shk_talk_take_reals(struct shk_talk *x, real *values, int count);
struct shk_status shk_talk_line_ends(struct shk_talk *x);

#endif
