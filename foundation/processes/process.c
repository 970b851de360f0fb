/* Controls programs by exchanging lines of text. See process.h. */
#include "foundation/processes/process.h"

#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_WORD = 127, PIECE = 65536 };
static const double grace_seconds = 1;

struct shk_process {
  pid_t pid; /* 0 once the program has exited, after which `status` is known */
  int status;
  int to, from;
  bool spoke_early, long_word;
  FILE *out;       /* in-memory stream to which the next lines are written */
  bool line_ended; /* true if the last line written is complete */
  char *line;
  size_t line_length;
  /* the received bytes, and a pointer to the unread words of the current line in these bytes, or
   * NULL */
  char *in, *rest;
  /* for `in`: the number of bytes received, the number of bytes up to the end of the line, and the
   * capacity */
  size_t length, taken, room;
};

/* ---- starting ---- */

static bool start_process(struct shk_process *process, char **words, struct shk_message *error)
{
  struct shk_pipe to = SHK_NO_PIPE, from = SHK_NO_PIPE;
  bool ok = shk_pipe_open(&to, error) && shk_pipe_open(&from, error);
  if (ok) {
    process->pid = shk_child_start(&(struct shk_child){.in = to.read_end, .out = from.write_end},
                                   words[0], words);
    ok = process->pid > 0 ||
         shk_message_set(error, "cannot start '%s': %s", words[0], strerror(errno));
  }
  shk_close(&to.read_end);
  shk_close(&from.write_end);
  process->to = to.write_end;
  process->from = from.read_end;
  return ok;
}

static struct shk_process *allocate_process(void)
{
  struct shk_process *process = shk_allocate(1, sizeof *process);
  process->to = process->from = -1;
  process->line_ended = true;
  process->in = shk_allocate(process->room = PIECE, 1);
  process->out = open_memstream(&process->line, &process->line_length);
  if (!process->out)
    shk_out_of_memory();
  return process;
}

struct shk_process *shk_process_start(const char *command, struct shk_message *error)
{
  struct shk_process *process = allocate_process();
  char *const copy = shk_copy_text(command), *rest = copy, **words = NULL;
  int count = 0;
  for (char *word; (word = strsep(&rest, " \t\n")) != NULL;)
    if (*word != '\0')
      *SHK_APPEND(words, count) = word;
  *SHK_APPEND(words, count) = NULL;
  const bool ok = words[0] ? start_process(process, words, error)
                           : shk_message_set(error, "the command is empty");
  free(copy);
  free(words);
  if (ok)
    return process;
  shk_process_end(process);
  return NULL;
}

/* ---- talking ---- */

void shk_process_put(struct shk_process *process, const char *word)
{
  if (!process->line_ended)
    putc_unlocked(' ', process->out);
  process->line_ended = false;
  fputs_unlocked(word, process->out);
}

bool shk_process_answer(struct shk_process *process)
{
  putc_unlocked('\n', process->out);
  process->line_ended = true;
  if (memchr(process->in + process->taken, '\n', process->length - process->taken))
    return true;
  if (fflush(process->out) != 0)
    shk_out_of_memory();
  rewind(process->out);
  return shk_write_all(process->to, process->line, process->line_length);
}

bool shk_process_send(struct shk_process *process)
{
  process->spoke_early |= process->rest || process->taken < process->length;
  return !process->spoke_early && shk_process_answer(process);
}

/* Reads the program's next line. Returns false at the end of its output. */
static bool read_line(struct shk_process *process)
{
  char *end;
  process->length -= process->taken;
  memmove(process->in, process->in + process->taken, process->length);
  process->taken = 0;
  for (size_t seen = 0; !(end = memchr(process->in + seen, '\n', process->length - seen));) {
    seen = process->length;
    if (process->room - seen < PIECE)
      process->in = shk_reallocate(process->in, process->room = 2 * process->room + PIECE, 1);
    const ssize_t count = TEMP_FAILURE_RETRY(read(process->from, process->in + seen, PIECE));
    if (count <= 0)
      return false;
    process->length += (size_t)count;
  }
  *end = '\0';
  process->rest = process->in;
  process->taken = (size_t)(end + 1 - process->in);
  return true;
}

const char *shk_process_word(struct shk_process *process)
{
  static const char blanks[] = " \t\r";
  if (!process->rest && !read_line(process))
    return NULL;
  char *const word = process->rest + strspn(process->rest, blanks);
  const size_t length = strcspn(word, blanks);
  process->long_word = length > LONGEST_WORD;
  process->rest = length == 0 ? NULL : word + length + (word[length] != '\0');
  word[length] = '\0';
  return process->long_word ? NULL : word;
}

/* ---- ending ---- */

static void reap_process(struct shk_process *process)
{
  if (process->pid > 0)
    process->status = shk_child_end(process->pid, 0, grace_seconds);
  process->pid = 0;
}

const char *shk_process_fault(struct shk_process *process, char *buffer, size_t size)
{
  if (!process->spoke_early && !process->long_word)
    reap_process(process);
  if (process->spoke_early)
    snprintf(buffer, size, "it wrote something out of turn");
  else if (process->long_word)
    snprintf(buffer, size, "it sent a word of more than %d characters", LONGEST_WORD);
  else if (WIFSIGNALED(process->status))
    snprintf(buffer, size, "it was terminated by signal %d (%s)", WTERMSIG(process->status),
             strsignal(WTERMSIG(process->status)));
  else
    snprintf(buffer, size, "it ended with exit status %d", WEXITSTATUS(process->status));
  return buffer;
}

void shk_process_end(struct shk_process *process)
{
  if (!process)
    return;
  shk_close(&process->to);
  shk_close(&process->from);
  reap_process(process);
  fclose(process->out);
  free(process->line);
  free(process->in);
  free(process);
}
