/* Creates worker processes. See spawn.h. */
#include "harness/run/spawn.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "foundation/processes/sandbox.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Returns the Python interpreter that runs the worker, or NULL if no plug-in needs one. */
static const char *interpreter_of(const struct shk_workers *setup)
{
  const char *const python = getenv("SHAKEDOWN_PYTHON");
  for (int i = 0; i < setup->plugin_count; i++)
    if (shk_ends_with(setup->plugins[i], SHK_FOREIGN_ENDING))
      return python ? python : "python3";
  return NULL;
}

/* Sets two environment variables for the interpreter unless they are already set: SHAKEDOWN to the
 * path of the program, and PYTHONPATH to the package next to it in a source tree or an
 * installation. Returns the path of the interpreter, which the caller frees. This is the
 * interpreter named by SHAKEDOWN_PYTHON or, if that is not set, the one in the virtual environment
 * that contains the program. */
static char *interpreter_beside(const char *program, const char *python)
{
  static const char *const folders[] = {"python", "share/shakedown/python", "."};
  char *const folder = shk_folder_of(program);
  char *config = shk_print_text("%s/../pyvenv.cfg", folder);
  const bool is_in_venv = access(config, R_OK) == 0 && !getenv("SHAKEDOWN_PYTHON");
  free(config);
  setenv("SHAKEDOWN", program, 0);
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    char *const place = shk_print_text("%s/../%s", folder, folders[i]);
    char *const file = shk_print_text("%s/shakedown/worker.py", place);
    if (access(file, R_OK) == 0)
      setenv("PYTHONPATH", place, 0);
    free(file);
    free(place);
  }
  char *const found = is_in_venv ? shk_print_text("%s/python3", folder) : shk_copy_text(python);
  free(folder);
  return found;
}

/* Adds the arguments of a worker's command line (work.h), without the program name. */
static void add_options(struct shk_text_list *words, const struct shk_workers *setup)
{
  const struct shk_access *const access = &setup->context->access;
  for (int i = 0; i < setup->plugin_count; i++) {
    shk_list_text(words, "--plugin");
    shk_list_text(words, setup->plugins[i]);
  }
  if (access->programs)
    shk_list_text(words, "--allow-external");
  if (access->sandbox)
    shk_list_text(words, "--once");
}

/* ---- a copy of a running Python interpreter ---- */

/* Sends the command-line arguments and four file descriptors. */
static bool send_streams(int host, const char *text, const struct shk_child *child)
{
  const int streams[] = {child->in, child->out, child->error, child->fourth};
  const uint32_t length = (uint32_t)strlen(text);
  unsigned char size[4] = {length & 255, length >> 8 & 255, length >> 16 & 255, length >> 24};
  union {
    char bytes[CMSG_SPACE(sizeof streams)];
    struct cmsghdr head;
  } control = {{0}};
  struct iovec part = {size, sizeof size};
  const struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = control.bytes,
                                 .msg_controllen = sizeof control.bytes};
  struct cmsghdr *const head = CMSG_FIRSTHDR(&message);
  *head = (struct cmsghdr){
      .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof streams)};
  memcpy(CMSG_DATA(head), streams, sizeof streams);
  return sendmsg(host, &message, MSG_NOSIGNAL) == sizeof size && shk_write_all(host, text, length);
}

static int borrow_python(const char *place, const struct shk_workers *setup,
                         const struct shk_child *child, struct shk_message *error)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct shk_text_list words = {0};
  json_t *const request = json_array();
  shk_text_fit(address.sun_path, sizeof address.sun_path, place);
  shk_list_text(&words, child->temporary ? child->temporary : "");
  shk_list_text(&words, "--guard");
  add_options(&words, setup);
  for (int i = 0; i < words.count; i++)
    json_array_append_new(request, json_stringn_nocheck(words.all[i], strlen(words.all[i])));
  char *const text = json_dumps(request, JSON_ENSURE_ASCII);
  int host = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (host < 0 || connect(host, (struct sockaddr *)&address, sizeof address) != 0 || !text ||
      !send_streams(host, text, child)) {
    shk_message_set(error, "the Python at %s cannot be reached: %s", place, strerror(errno));
    shk_close(&host);
  }
  free(text);
  json_decref(request);
  shk_list_clear(&words);
  return host;
}

/* ---- a program ---- */

static pid_t start_program(const struct shk_workers *setup, const struct shk_child *child,
                           struct shk_message *error)
{
  struct shk_text_list words = {0};
  char program[PATH_MAX] = "";
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = '\0';
  const char *const wanted = interpreter_of(setup);
  char *const python = wanted ? interpreter_beside(program, wanted) : NULL;
  const char *const runs = python ? python : program;
  const struct shk_access *const access = &setup->context->access;
  if (access->sandbox)
    shk_sandbox_words(&words, access, setup->plugins, setup->plugin_count, program, runs,
                      child->temporary);
  shk_list_text(&words, runs);
  if (python) {
    shk_list_text(&words, "-m");
    shk_list_text(&words, "shakedown");
  }
  shk_list_text(&words, "worker");
  add_options(&words, setup);
  const pid_t process = shk_child_start(child, words.all[0], words.all);
  if (process < 0 && access->sandbox && errno == ENOENT)
    shk_message_set(error, "--sandbox runs code under bubblewrap, which is not installed: "
                           "`apt-get install bubblewrap`");
  else if (process < 0)
    shk_message_set(error, "%s cannot be started as a worker: %s", runs, strerror(errno));
  free(python);
  shk_list_clear(&words);
  return process;
}

pid_t shk_spawn(const struct shk_workers *setup, const struct shk_child *child, int *host,
                struct shk_message *error)
{
  const char *const place = getenv("SHAKEDOWN_PYTHON_SERVER");
  if (!place || !interpreter_of(setup))
    return start_program(setup, child, error);
  if (setup->context->access.sandbox) {
    shk_message_set(error, "--sandbox: a method in a running Python process cannot be confined; "
                           "put its class in a file");
    return -1;
  }
  *host = borrow_python(place, setup, child, error);
  return *host < 0 ? -1 : 0;
}
