/* References as files: what is read, and what is refused with its place. */
#include "foundation/memory.h"
#include "harness/references/reference.h"
#include "tests/kit/tap.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/shakedown-references-XXXXXX";

static char *path_of(const char *name)
{
  return shk_print_text("%s/%s", folder, name);
}

static void write_file(const char *name, const char *text)
{
  char *path = path_of(name);
  FILE *file = fopen(path, "w");
  if (!file || fputs(text, file) == EOF || fclose(file) != 0)
    tap_diag("%s cannot be written", path);
  free(path);
}

static void remove_file(const char *name)
{
  char *path = path_of(name);
  unlink(path);
  free(path);
}

/* ---- files of references ---- */

static const char good[] = "problem: \"pendulum(angle=0.7)\"\n"
                           "method: \"reference, quad, tolerance 1e-28\"\n"
                           "checks:\n"
                           "  - {method: \"ida, double\", q: 11, p: 10, lambda: 9}\n"
                           "values:\n"
                           "  - {t: 1.5, component: q1, value: 0.25, digits: 26}\n"
                           "  - {t: 1.5, component: lambda1, value: -1e-3, digits: 24}\n";

static char *printed(const struct shk_reference *reference)
{
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  shk_reference_print(file, reference);
  fclose(file);
  return text;
}

static void test_round_trip(void)
{
  struct shk_reference first, second;
  struct shk_message error = {.text = ""};
  char *path = path_of("pendulum.yaml");
  write_file("pendulum.yaml", good);
  tap_ok(shk_reference_read(&first, path, &error), "a reference is read (%s)", error.text);
  tap_is_text(first.problem, "pendulum(angle=0.7)", "its problem");
  tap_is_int(first.row_count, 2, "its values");
  tap_is_text(first.rows[1].component, "lambda1", "a component");
  tap_is_int(first.rows[1].digits, 24, "its digits");
  tap_is_int(first.checks[0].digits[SHK_GROUP_MULTIPLIERS], 9, "digits of a check");
  char *text = printed(&first);
  write_file("pendulum.yaml", text);
  tap_ok(shk_reference_read(&second, path, &error), "what is printed is read (%s)", error.text);
  char *again = printed(&second);
  tap_is_text(again, text, "and printed the same");
  free(text);
  free(again);
  shk_reference_clear(&first);
  shk_reference_clear(&second);

  tap_ok(shk_reference_find(&first, folder, "pendulum(angle=0.7)", &error), "it is found");
  shk_reference_clear(&first);
  tap_ok(!shk_reference_find(&first, folder, "pendulum", &error) && error.text[0] == '\0',
         "for no other parameters");
  tap_ok(!shk_reference_find(&first, folder, "pend", &error) && error.text[0] == '\0',
         "and for no other problem");
  free(path);
}

static void expect_fault(const char *from, const char *to, const char *place, const char *what)
{
  struct shk_reference reference;
  struct shk_message error = {.text = ""};
  const char *at = strstr(good, from);
  char *text = shk_print_text("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
  char *path = path_of("bad.yaml");
  write_file("bad.yaml", text);
  tap_ok(!shk_reference_read(&reference, path, &error) && strstr(error.text, place) &&
             strstr(error.text, what),
         "%s: %s at %s", to, what, place);
  tap_diag("%s", error.text);
  remove_file("bad.yaml");
  free(text);
  free(path);
}

static void test_faults(void)
{
  expect_fault("digits: 26", "digits: 99", "bad.yaml:6:", "from 0 to 34");
  expect_fault("value: 0.25", "value: nearly", "bad.yaml:6:", "a number");
  expect_fault("component", "component-of", "bad.yaml:6:", "did you mean");
  expect_fault("q: 11, ", "", "bad.yaml:4:", "\"q\" is missing");
  expect_fault("method: \"ref", "methods: \"ref", "bad.yaml:2:", "did you mean");
}

int main(void)
{
  if (!mkdtemp(folder)) {
    tap_ok(false, "a folder to write to");
    return tap_done();
  }
  test_round_trip();
  remove_file("pendulum.yaml");
  test_faults();
  rmdir(folder);
  return tap_done();
}
