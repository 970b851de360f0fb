/* Programs controlled by lines of text. See process.h. */
#include "foundation/processes/process.h"

#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_WORD = 127, BUFFER = 65536 };
static const double grace_seconds = 1;

struct shk_process {
  pid_t pid; /* 0: ended; `status` is then known */
  int status;
  int to, from;
  bool spoke_early, long_word, line_begun;
  FILE *out; /* the line being written, in memory */
  char *line;
  size_t line_length;
  size_t length, taken; /* bytes in `in`, and bytes of it already returned */
  char word[LONGEST_WORD + 1];
  char in[BUFFER];
};

/* ---- starting ---- */

/* Splits the command into words, ended by NULL. */
static char **split(const char *command, int *count)
{
  const size_t length = strlen(command);
  char **words = shk_allocate(length / 2 + 2, sizeof *words);
  char *copy = shk_copy_text(command), *rest = copy;
  *count = 0;
  for (char *word; (word = strsep(&rest, " \t\n")) != NULL;)
    if (*word != '\0')
      words[(*count)++] = shk_copy_text(word);
  free(copy);
  return words;
}

/* False with the reason, and all descriptors closed. */
static bool start(struct shk_process *process, char **words, struct shk_message *error)
{
  struct shk_pipe to = SHK_NO_PIPE, from = SHK_NO_PIPE;
  pid_t made = -1;
  if (shk_pipe_open(&to, error) && shk_pipe_open(&from, error)) {
    made = shk_child_start(&(struct shk_child){.in = to.read_end, .out = from.write_end}, words[0],
                           words);
    if (made < 0)
      shk_message_set(error, "cannot start '%s': %s", words[0], strerror(errno));
  }
  if (made < 0) {
    shk_pipe_close(&to);
    shk_pipe_close(&from);
    return false;
  }
  shk_close(&to.read_end);
  shk_close(&from.write_end);
  process->pid = made;
  process->to = to.write_end;
  process->from = from.read_end;
  return true;
}

static struct shk_process *make(void)
{
  struct shk_process *const process = shk_allocate(1, sizeof *process);
  process->out = open_memstream(&process->line, &process->line_length);
  if (!process->out)
    shk_out_of_memory();
  return process;
}

static void release(struct shk_process *process)
{
  fclose(process->out);
  free(process->line);
  free(process);
}

struct shk_process *shk_process_start(const char *command, struct shk_message *error)
{
  int count;
  char **const words = split(command, &count);
  struct shk_process *process = NULL;
  if (!words[0]) {
    shk_message_set(error, "the command is empty");
  } else {
    process = make();
    if (!start(process, words, error)) {
      release(process);
      process = NULL;
    }
  }
  shk_free_texts(words, count);
  return process;
}

/* ---- talking ---- */

void shk_process_put(struct shk_process *process, const char *word)
{
  if (process->line_begun)
    putc_unlocked(' ', process->out);
  process->line_begun = true;
  fputs_unlocked(word, process->out);
}

bool shk_process_send(struct shk_process *process)
{
  if (process->taken < process->length)
    process->spoke_early = true;
  process->line_begun = false;
  putc_unlocked('\n', process->out);
  if (fflush(process->out) != 0)
    shk_out_of_memory();
  const size_t length = (size_t)ftell(process->out);
  rewind(process->out);
  return shk_write_all(process->to, process->line, length) && !process->spoke_early;
}

/* The next byte, or -1 at the end. */
static int next(struct shk_process *process)
{
  if (process->taken == process->length) {
    const ssize_t count = TEMP_FAILURE_RETRY(read(process->from, process->in, BUFFER));
    process->taken = 0;
    process->length = count > 0 ? (size_t)count : 0;
    if (count <= 0)
      return -1;
  }
  return (unsigned char)process->in[process->taken++];
}

const char *shk_process_word(struct shk_process *process)
{
  int byte = next(process);
  while (byte == ' ' || byte == '\t' || byte == '\r')
    byte = next(process);
  size_t length = 0;
  for (; byte >= 0 && byte != '\n' && byte != ' ' && byte != '\t' && byte != '\r';
       byte = next(process)) {
    if (length == LONGEST_WORD) {
      process->long_word = true;
      return NULL;
    }
    process->word[length++] = (char)byte;
  }
  if (byte < 0)
    return NULL;
  if (byte == '\n' && length > 0)
    process->taken--; /* the end of the line is returned by the next call */
  process->word[length] = '\0';
  return process->word;
}

/* ---- ending ---- */

static void reap(struct shk_process *process)
{
  if (process->pid > 0)
    process->status = shk_child_end(process->pid, 0, grace_seconds);
  process->pid = 0;
}

const char *shk_process_fault(struct shk_process *process, char *buffer, size_t size)
{
  if (process->spoke_early) {
    snprintf(buffer, size, "it wrote out of turn");
    return buffer;
  }
  if (process->long_word) {
    snprintf(buffer, size, "it sent a word of more than %d characters", LONGEST_WORD);
    return buffer;
  }
  reap(process);
  if (WIFSIGNALED(process->status))
    snprintf(buffer, size, "it was ended by signal %d (%s)", WTERMSIG(process->status),
             strsignal(WTERMSIG(process->status)));
  else
    snprintf(buffer, size, "it ended with exit status %d", WEXITSTATUS(process->status));
  return buffer;
}

void shk_process_end(struct shk_process *process)
{
  if (!process)
    return;
  close(process->to);
  close(process->from);
  reap(process);
  release(process);
}
