/* Systems of particles from files. */
#include "problems/kit/particles_file.h"
#include "tests/fuzz/fuzz.h"
#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/shakedown-fuzz-XXXXXX", path[64];

static void tidy(void)
{
  unlink(path);
  rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  if (path[0] == '\0') {
    if (!mkdtemp(folder))
      abort();
    snprintf(path, sizeof path, "%s/fuzz.yaml", folder);
    atexit(tidy);
  }
  FILE *out = fopen(path, "we");
  if (!out || fwrite(bytes, 1, size, out) != size || fclose(out) != 0)
    abort();
  struct shk_message error = {""};
  struct shk_particles_file *file = shk_particles_read(folder, "fuzz.yaml", &error);
  if (file ? file->count < 1 : !strstr(error.text, "fuzz.yaml"))
    abort();
  shk_particles_free(file);
  return 0;
}
