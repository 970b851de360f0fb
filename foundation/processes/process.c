/* Programs that are talked to in lines. See process.h. */
#include "foundation/processes/process.h"

#include "foundation/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_WORD = 127, BUFFER = 65536, GRACE_MILLISECONDS = 1000 };

struct shk_process {
  pid_t pid; /* 0: ended, and `status` is known */
  int status;
  int to, from;
  bool spoke_early, long_word, line_begun;
  size_t written, length, taken; /* of `out`; of `in`, and what was handed out of it */
  char word[LONGEST_WORD + 1];
  char out[BUFFER], in[BUFFER];
};

/* ---- starting ---- */

/* The command's words, ended by NULL; all of them in one piece of memory that the first owns. */
static char **split(const char *command)
{
  const size_t length = strlen(command);
  char **words = shk_allocate(length / 2 + 2, sizeof *words);
  char *copy = shk_copy_text(command), *rest = copy;
  size_t count = 0;
  for (char *word; (word = strsep(&rest, " \t\n")) != NULL;)
    if (*word != '\0')
      words[count++] = shk_copy_text(word);
  free(copy);
  return words;
}

static void free_words(char **words)
{
  for (char **word = words; *word != NULL; word++)
    free(*word);
  free(words);
}

/* In the child. `report` tells the parent that there is no such program. */
static void become(char **words, int in, int out, int report, pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  signal(SIGPIPE, SIG_DFL);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  execvp(words[0], words);
  const int fault = errno;
  const ssize_t told = write(report, &fault, sizeof fault);
  _exit(told == sizeof fault ? 127 : 126);
}

struct ends {
  int to[2], from[2], report[2];
};

static void close_all(const struct ends *ends)
{
  const int all[] = {ends->to[0],   ends->to[1],     ends->from[0],
                     ends->from[1], ends->report[0], ends->report[1]};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i] >= 0)
      close(all[i]);
}

/* 0, or the errno of what went wrong. */
static int start(struct shk_process *process, char **words)
{
  struct ends ends = {{-1, -1}, {-1, -1}, {-1, -1}};
  if (pipe2(ends.to, O_CLOEXEC) != 0 || pipe2(ends.from, O_CLOEXEC) != 0 ||
      pipe2(ends.report, O_CLOEXEC) != 0) {
    const int fault = errno;
    close_all(&ends);
    return fault;
  }
  const pid_t parent = getpid();
  process->pid = fork();
  if (process->pid == 0)
    become(words, ends.to[0], ends.from[1], ends.report[1], parent);
  int fault = process->pid < 0 ? errno : 0;
  close(ends.report[1]);
  ends.report[1] = -1;
  /* exec closes the pipe: nothing to read means that the program runs. */
  while (process->pid > 0 && read(ends.report[0], &fault, sizeof fault) < 0 && errno == EINTR)
    continue;
  if (fault != 0) {
    if (process->pid > 0)
      waitpid(process->pid, NULL, 0);
    close_all(&ends);
    return fault;
  }
  close(ends.report[0]);
  close(ends.to[0]);
  close(ends.from[1]);
  process->to = ends.to[1];
  process->from = ends.from[0];
  return 0;
}

struct shk_process *shk_process_start(const char *command, struct shk_message *error)
{
  char **words = split(command);
  struct shk_process *process = NULL;
  if (words[0] == NULL) {
    shk_message_set(error, "the command is empty");
  } else {
    process = shk_allocate(1, sizeof *process);
    const int fault = start(process, words);
    if (fault != 0) {
      shk_message_set(error, "cannot start '%s': %s", words[0], strerror(fault));
      free(process);
      process = NULL;
    }
  }
  free_words(words);
  return process;
}

/* ---- talking ---- */

/* A program that has ended must not take us along by SIGPIPE. */
static bool flush(struct shk_process *process)
{
  struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
  sigaction(SIGPIPE, &ignore, &old);
  size_t sent = 0;
  while (sent < process->written) {
    const ssize_t count = write(process->to, process->out + sent, process->written - sent);
    if (count > 0)
      sent += (size_t)count;
    else if (errno != EINTR)
      break;
  }
  sigaction(SIGPIPE, &old, NULL);
  const bool good = sent == process->written;
  process->written = 0;
  return good;
}

static void put_bytes(struct shk_process *process, const char *bytes, size_t count)
{
  while (count > 0) {
    if (process->written == BUFFER && !flush(process))
      return; /* shk_process_send finds the same */
    const size_t room = BUFFER - process->written, part = count < room ? count : room;
    memcpy(process->out + process->written, bytes, part);
    process->written += part;
    bytes += part;
    count -= part;
  }
}

void shk_process_put(struct shk_process *process, const char *word)
{
  if (process->line_begun)
    put_bytes(process, " ", 1);
  process->line_begun = true;
  put_bytes(process, word, strlen(word));
}

bool shk_process_send(struct shk_process *process)
{
  if (process->taken < process->length)
    process->spoke_early = true;
  process->line_begun = false;
  put_bytes(process, "\n", 1);
  return flush(process) && !process->spoke_early;
}

/* The next byte, or -1 at the end. */
static int next(struct shk_process *process)
{
  if (process->taken == process->length) {
    ssize_t count;
    do
      count = read(process->from, process->in, BUFFER);
    while (count < 0 && errno == EINTR);
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
    process->taken--; /* the end of the line is told by itself */
  process->word[length] = '\0';
  return process->word;
}

/* ---- ending ---- */

static void reap(struct shk_process *process, int milliseconds)
{
  if (process->pid <= 0)
    return;
  const int watch = pidfd_open(process->pid, 0);
  struct pollfd ended = {watch, POLLIN, 0};
  if (watch < 0 || poll(&ended, 1, milliseconds) != 1)
    kill(process->pid, SIGKILL);
  if (watch >= 0)
    close(watch);
  while (waitpid(process->pid, &process->status, 0) < 0 && errno == EINTR)
    continue;
  process->pid = 0;
}

const char *shk_process_fault(struct shk_process *process, char *buffer, size_t size)
{
  if (process->spoke_early) {
    snprintf(buffer, size, "it spoke when it was not its turn");
    return buffer;
  }
  if (process->long_word) {
    snprintf(buffer, size, "it sent a word of more than %d characters", LONGEST_WORD);
    return buffer;
  }
  reap(process, GRACE_MILLISECONDS);
  if (WIFSIGNALED(process->status))
    snprintf(buffer, size, "it was ended by signal %d (%s)", WTERMSIG(process->status),
             strsignal(WTERMSIG(process->status)));
  else
    snprintf(buffer, size, "it ended with exit status %d", WEXITSTATUS(process->status));
  return buffer;
}

void shk_process_end(struct shk_process *process)
{
  if (process == NULL)
    return;
  close(process->to);
  close(process->from);
  reap(process, GRACE_MILLISECONDS);
  free(process);
}
