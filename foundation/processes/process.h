/*
 * Communicates with a program by exchanging lines of text. The two sides take turns: lines are
 * sent, and then lines are received. Lines can have any length and consist of words of at most 127
 * characters, separated by spaces. Individual calls have no time limit; the caller must limit the
 * time for the task as a whole.
 */
#ifndef FOUNDATION_PROCESSES_PROCESS_H
#define FOUNDATION_PROCESSES_PROCESS_H

#include "foundation/message.h"
#include <stdbool.h>
#include <stddef.h>

struct shk_process;

/* Starts a command that is given as words separated by spaces. The first word is looked up in PATH;
 * no shell is involved. The program reads our lines from its standard input and replies on its
 * standard output. It shares our standard error stream and is killed when our process exits. On
 * failure, returns NULL and sets the reason. */
struct shk_process *shk_process_start(const char *command, struct shk_message *error);

/* Adds a word to the line being written. */
void shk_process_put(struct shk_process *process, const char *word);
/* Ends the line and sends it. Returns false if the program has exited or has written a line out of
 * turn. */
bool shk_process_send(struct shk_process *process);
/* Ends the line, which is an answer. If the program has already sent another complete line, the
 * answer is buffered and sent together with the next one. Returns false if the program has
 * exited. */
bool shk_process_answer(struct shk_process *process);
/* Returns the next word of the program's line, which is valid until the next call. At the end of
 * the line, returns "" and consumes the line. Returns NULL if the program has exited or a word is
 * too long. */
const char *shk_process_word(struct shk_process *process);
/* Writes the reason why one of the calls above failed to `buffer`, for example "it was ended by
 * signal 11 (…)", and returns `buffer`. */
const char *shk_process_fault(struct shk_process *process, char *buffer, size_t size);

/* Closes the program's input, waits up to a second for the program to exit, and kills it if it has
 * not exited by then. Accepts NULL. */
void shk_process_end(struct shk_process *process);

#endif
