/*
 * A program controlled by lines of text: lines are sent, then lines are received, in turn.
 * Lines have any length and consist of words separated by blanks, each of at most 127 characters.
 * No call has a time limit; the caller limits the task as a whole.
 */
#ifndef FOUNDATION_PROCESSES_PROCESS_H
#define FOUNDATION_PROCESSES_PROCESS_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>

struct shk_process;

/* Starts a command: words separated by blanks, the first looked up in PATH, no shell. The program
 * reads our lines on its standard input and replies on its standard output; it shares our standard
 * error and is killed when we end. NULL with the reason. */
struct shk_process *shk_process_start(const char *command, struct shk_message *error);

/* Adds a word to the line being written. */
void shk_process_put(struct shk_process *process, const char *word);
/* Ends the line and sends it. False if the program has ended or wrote out of turn. */
bool shk_process_send(struct shk_process *process);
/* Ends the line, an answer. If the program has sent another complete line already, the answer waits
 * and is sent together with the next one. False if the program has ended. */
bool shk_process_answer(struct shk_process *process);
/* Returns the next word of the program's line, valid until the next call; "" at the end of the
 * line, which is consumed. NULL if the program has ended or a word is too long. */
const char *shk_process_word(struct shk_process *process);
/* Writes the reason why one of the calls above failed to `buffer` ("it was ended by signal 11
 * (…)"), and returns it. */
const char *shk_process_fault(struct shk_process *process, char *buffer, size_t size);

/* Closes the program's input, waits up to a second for its end, then kills it. Accepts NULL. */
void shk_process_end(struct shk_process *process);

#endif
