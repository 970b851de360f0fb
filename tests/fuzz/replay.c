/*
 * Feeds files to a reader, one after the other: the committed corpus, and inputs that once crashed
 * it. Then, without any tool for it, each of them cut, flipped and joined with others at random
 * (seeded). The counterpart of libFuzzer for any compiler: it finds less, but always runs.
 *
 * usage: replay FOLDER… ; SHAKEDOWN_FUZZ_ROUNDS mutants of each file (100 when unset)
 */
#include "tests/fuzz/fuzz.h"
#include "tests/kit/tap.h"
#include <dirent.h>

enum { MOST = 1000, LARGEST = 1 << 16 };

static struct {
  uint8_t *bytes;
  size_t size;
} inputs[MOST];
static int input_count;

static int by_name(const struct dirent **a, const struct dirent **b)
{
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* In the order of names, for the mutants depend on it. */
static void load(const char *folder)
{
  struct dirent **entries;
  const int count = scandir(folder, &entries, NULL, by_name);
  for (int i = 0; i < count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    FILE *file = entries[i]->d_name[0] != '.' ? fopen(path, "re") : NULL;
    if (file && input_count < MOST) {
      uint8_t *bytes = malloc(LARGEST);
      if (!bytes)
        abort();
      inputs[input_count].bytes = bytes;
      inputs[input_count++].size = fread(bytes, 1, LARGEST, file);
    }
    if (file)
      fclose(file);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
}

static uint64_t state;

static size_t below(size_t limit)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return limit ? (size_t)(state >> 33) % limit : 0;
}

/* A mutant of an input, at most LARGEST bytes. */
static size_t mutate(uint8_t *mutant, int which)
{
  static const char special[] = "\0\n\t \"'\\(){}[],:=-+.0123456789eE|#&*!%@`~<>/\x7f\x80\xc3\xff";
  size_t size = inputs[which].size;
  memcpy(mutant, inputs[which].bytes, size);
  for (size_t i = 0, changes = 1 + below(4); i < changes; i++) {
    const size_t at = below(size + 1), length = below(size - at + 1);
    const int other = (int)below((size_t)input_count);
    switch (below(5)) {
    case 0: /* cut */
      memmove(mutant + at, mutant + at + length, size - at - length);
      size -= length;
      break;
    case 1: /* double */
      if (size + length <= LARGEST) {
        memmove(mutant + at + length, mutant + at, size - at);
        size += length;
      }
      break;
    case 2: /* the end of another */
      if (at + inputs[other].size <= LARGEST) {
        const size_t from = below(inputs[other].size + 1);
        memcpy(mutant + at, inputs[other].bytes + from, inputs[other].size - from);
        size = at + inputs[other].size - from;
      }
      break;
    case 3:
      if (at < size)
        mutant[at] = (uint8_t)special[below(sizeof special - 1)];
      break;
    default:
      if (at < size)
        mutant[at] ^= (uint8_t)(1u << below(8));
    }
  }
  return size;
}

int main(int argc, char **argv)
{
  const char *wanted = getenv("SHAKEDOWN_FUZZ_ROUNDS");
  const long rounds = wanted ? atol(wanted) : 100;
  for (int i = 1; i < argc; i++)
    load(argv[i]);
  state = tap_seed(1);
  for (int i = 0; i < input_count; i++)
    LLVMFuzzerTestOneInput(inputs[i].bytes, inputs[i].size);
  tap_ok(input_count > 0, "%d inputs of the corpus are read", input_count);
  uint8_t *mutant = malloc(LARGEST);
  long fed = 0;
  for (int i = 0; mutant && i < input_count; i++)
    for (long k = 0; k < rounds; k++, fed++) {
      const size_t size = mutate(mutant, i);
      LLVMFuzzerTestOneInput(mutant, size);
    }
  tap_ok(fed == rounds * input_count, "and %ld mutants of them", fed);
  free(mutant);
  for (int i = 0; i < input_count; i++)
    free(inputs[i].bytes);
  return tap_done();
}
