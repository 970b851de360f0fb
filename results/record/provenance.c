/*
 * Collects the provenance of records. See provenance.h.
 */
#include "results/record/provenance.h"
#include "build_facts.h"
#include "build_parts.h"
#include "foundation/memory.h"
#include "revision.h"
#include "source_hash.h"
#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <libfyaml.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <xxhash.h>
#ifdef SHK_HAVE_SUNDIALS
#include <sundials/sundials_version.h>
#endif

const struct shk_provenance_text shk_provenance_texts[] = {
#define PROVENANCE(member, column, environment) {column, environment},
#include "results/record/provenance.def"
#undef PROVENANCE
};

char **shk_provenance_text(struct shk_provenance *provenance, int number)
{
  _Static_assert(sizeof *provenance == SHK_PROVENANCE_TEXTS * sizeof(char *), "texts alone");
  return (char **)provenance + number;
}

static char *processor_name(void)
{
  char *name = NULL, *line = NULL;
  size_t size = 0;
  FILE *const file = fopen("/proc/cpuinfo", "re");
  while (file && !name && getline(&line, &size, file) > 0)
    sscanf(line, "model name%*[\t :]%m[^\n]", &name);
  free(line);
  if (file)
    fclose(file);
  return name ? name : shk_copy_text("unknown");
}

static char *system_name(void)
{
  struct utsname it;
  if (uname(&it))
    return shk_copy_text("unknown");
  return shk_print_text("%s %s %s", it.sysname, it.release, it.machine);
}

static char *library_versions(void)
{
  char sundials[64] = "none";
#ifdef SHK_HAVE_SUNDIALS
  SUNDIALSGetVersion(sundials, sizeof sundials);
#endif
  const unsigned xxhash = XXH_versionNumber();
  return shk_print_text("glibc %s, GSL %s, SUNDIALS %s, SQLite %s, jansson %s, libfyaml %s, "
                        "xxHash %u.%u.%u",
                        gnu_get_libc_version(), gsl_version, sundials, sqlite3_libversion(),
                        jansson_version_str(), fy_library_version(), xxhash / 10000,
                        xxhash / 100 % 100, xxhash % 100);
}

const char *shk_source_hash(void)
{
  return SHK_SOURCE_HASH;
}

char *shk_date_now(void)
{
  const time_t now = time(NULL);
  struct tm parts;
  char text[32];
  gmtime_r(&now, &parts);
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return shk_copy_text(text);
}

void shk_provenance_collect(struct shk_provenance *provenance, const char *plugins,
                            const char *study_text)
{
  *provenance = (struct shk_provenance){
      .version = shk_copy_text(SHK_VERSION),
      .revision = shk_copy_text(SHK_REVISION),
      .source = shk_copy_text(shk_source_hash()),
      .compiler = shk_copy_text(SHK_COMPILER),
      .flags = shk_copy_text(SHK_FLAGS),
      .processor = processor_name(),
      .system = system_name(),
      .libraries = library_versions(),
      .plugins = shk_copy_text(plugins ? plugins : ""),
      .date = shk_date_now(),
      .study_text = shk_copy_text(study_text),
  };
}

void shk_provenance_clear(struct shk_provenance *provenance)
{
  for (int i = 0; i < SHK_PROVENANCE_TEXTS; i++)
    free(*shk_provenance_text(provenance, i));
  *provenance = (struct shk_provenance){0};
}
