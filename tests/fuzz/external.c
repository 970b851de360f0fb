/*
 * The protocol of programs that integrate: the bytes are all that such a program says. It is met as
 * it is by those who ask for its claims and by a run.
 *
 * The process itself is left out: reading, writing, starting and ending are ours, the rest of
 * foundation/processes/process.c is what it is.
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include "foundation/processes/subprocess.h"
#include <stddef.h>
#include <sys/types.h>

static ssize_t fuzz_read(int descriptor, void *buffer, size_t count);
static bool fuzz_write_all(int descriptor, const char *bytes, size_t count);

#define read fuzz_read
#define shk_write_all fuzz_write_all
#define shk_process_start shk_process_really_start
#include "foundation/processes/process.c"
#undef read
#undef shk_write_all
#undef shk_process_start

#include "engine/engine.h"
#include "foundation/specifications/spec.h"
#include "tests/fuzz/fuzz.h"
#include "tests/kit/context.h"

static const uint8_t *said;
static size_t said_size;
static bool in_pieces; /* of inputs that begin with '!' */

static ssize_t fuzz_read(int descriptor, void *buffer, size_t count)
{
  if (count > said_size)
    count = said_size;
  /* A line at a time, as the two take turns, or in pieces that are cut anywhere. */
  const uint8_t *end = count > 0 && !in_pieces ? memchr(said, '\n', count) : NULL;
  if (end)
    count = (size_t)(end - said) + 1;
  if (in_pieces && count > 61)
    count = 61;
  if (count)
    memcpy(buffer, said, count);
  said += count;
  said_size -= count;
  return (ssize_t)count;
}

static bool fuzz_write_all(int descriptor, const char *bytes, size_t count)
{
  return true;
}

/* In place of the one that starts a program. */
struct shk_process *shk_process_start(const char *command, struct shk_message *error);
struct shk_process *shk_process_start(const char *command, struct shk_message *error)
{
  return allocate_process();
}

static void run(const uint8_t *bytes, size_t size, const char *problem)
{
  char *const times[] = {(char[]){"0.2"}};
  const struct shk_cell cell = {.kind = (char[]){"run"},
                                .problem = (char *)problem,
                                .integrator = (char[]){"external(command=\"program\")"},
                                .precision = (char[]){"double"},
                                .step = (char[]){"0.1"},
                                .until = (char[]){"0.2"},
                                .times = (char **)times,
                                .step_counts = (long long[]){2},
                                .time_count = 1};
  struct shk_outcome outcome = {0};
  said = bytes;
  said_size = size;
  shk_engine_f64.run(&test_context, &outcome, &cell);
  if (outcome.code != SHK_OK && outcome.reason[0] == '\0')
    abort();
  shk_outcome_clear(&outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  struct shk_message error = {""};
  struct shk_claims claims;
  test_context.access.programs = true;
  in_pieces = size > 0 && bytes[0] == '!';
  if (in_pieces)
    bytes++, size--;
  said = bytes;
  said_size = size;
  shk_engine_f64.claims(&test_context, &claims, "external(command=\"program\")", &error);
  run(bytes, size, "sprung-pendulum");
  run(bytes, size, "harmonic-sphere");
  return 0;
}
