/*
 * A program that we exchange lines with: one line to it, one line back, strictly in turn. Lines
 * have any length and consist of words separated by blanks, each of at most 127 characters. Nothing
 * here has a time limit: whoever runs a task limits it as a whole.
 */
#ifndef FOUNDATION_PROCESSES_PROCESS_H
#define FOUNDATION_PROCESSES_PROCESS_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>

struct shk_process;

/* Starts a command: words separated by blanks, the first looked up in PATH, without a shell. The
 * program gets our lines on its standard input and answers on its standard output; its standard
 * error is ours; it dies with us. NULL with the reason. */
struct shk_process *shk_process_start(const char *command, struct shk_message *error);

/* Adds a word to the line that is being written. */
void shk_process_put(struct shk_process *process, const char *word);
/* Ends the line and sends it. False: the program has ended, or spoke out of turn. */
bool shk_process_send(struct shk_process *process);
/* The next word of the program's line, "" at the line's end, which is consumed; NULL: the program
 * has ended, or a word is too long. Valid until the next call. */
const char *shk_process_word(struct shk_process *process);
/* Why one of the calls above failed ("ended by signal 11 (…)"), in `buffer`. */
const char *shk_process_fault(struct shk_process *process, char *buffer, size_t size);

/* Closes its input, gives it a second to end, then kills it. Accepts NULL. */
void shk_process_end(struct shk_process *process);

#endif
