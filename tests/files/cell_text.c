/* Cells as text that a stranger writes, and keys. What is written reads back the same: tests/fuzz/cell.c. */
#include "results/record/cell_text.h"
#include "foundation/memory.h"
#include "harness/plan/key.h"
#include "tests/kit/store_fixture.h"

static void cells(void)
{
  struct shk_cell back;
  struct shk_message error = {""};
  static const char *const wrong[] = {
      "",
      "run",
      "run problem=a integrator=b precision=c",
      "run problem=a integrator=b precision=c until=1 until=2",
      "run problem=a integrator=b precision=c until=1 colour=red",
      "run problem=a integrator=b precision=c until=1 project=no",
      "run problem=a integrator=b precision=c until=1 blank",
      "run problem=a  integrator=b precision=c until=1",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    tap_ok(!shk_cell_read(&back, wrong[i], &error) && !back.kind, "\"%s\" is none", wrong[i]);
}

static void keys(void)
{
  struct shk_cell cell = fixture_cell("0.05");
  struct shk_keys names = {0};
  char key[SHK_HASH_SIZE], other[SHK_HASH_SIZE];
  char *text = shk_cell_text(&cell);
  shk_key_make(&test_context, NULL, key, NULL, &cell, text);
  tap_ok(strlen(key) == 32 && strspn(key, "0123456789abcdef") == 32, "a key is 32 digits: %s", key);
  shk_keys_add(&names, "rat", "0123");
  shk_keys_add(&names, "rattle-mine", "4567");
  shk_key_make(&test_context, NULL, other, &names, &cell, text);
  tap_is_text(other, key, "a plug-in that the cell does not name is not part of its key");
  shk_keys_add(&names, "rattle", "89ab");
  shk_key_make(&test_context, NULL, other, &names, &cell, text);
  tap_ok(strcmp(other, key) != 0, "a plug-in that it names is");
  struct shk_cell finer = fixture_cell("0.025");
  char *finer_text = shk_cell_text(&finer);
  shk_key_make(&test_context, NULL, other, NULL, &finer, finer_text);
  tap_ok(strcmp(other, key) != 0, "another step is another key");
  shk_keys_clear(&names);
  shk_cell_clear(&cell);
  shk_cell_clear(&finer);
  free(text);
  free(finer_text);
}

int main(void)
{
  cells();
  keys();
  return tap_done();
}
