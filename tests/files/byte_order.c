/*
 * A record as bytes, on the machine that this is compiled for (byte_order.sh):
 *
 *     byte_order          writes a made-up record as a message, and the data and hashes of its blobs
 *     byte_order FILE     prints the numbers of a record that is read from such a file: those of the
 *                         message, then those of the blobs
 */
#include "foundation/memory.h"
#include "results/record/record_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void add_block(struct shk_sample *sample, const char *name, double x)
{
  const double values[] = {x, -1 / x};
  shk_sample_add_block(sample, name, shk_vector_copy(values, 2, 64));
}

static struct shk_record made(void)
{
  struct shk_record record = {
      .key = "0123",
      .end = SHK_END_FINISHED,
      .output = shk_copy_text("printed"),
      .seconds = 0.25,
      .limit_seconds = 60,
      .limit_megabytes = 512,
  };
  struct shk_outcome *const outcome = &record.outcome;
  outcome->code = SHK_NOT_CONVERGED;
  outcome->reached = 1.9;
  outcome->n = 2;
  outcome->m = 1;
  outcome->history_count = 2;
  outcome->history[0] = 1e-3;
  outcome->history[1] = 7e300;
  add_block(shk_outcome_add_sample(outcome, "0", 0), "q", 0.1);
  struct shk_sample *const last = shk_outcome_add_sample(outcome, "1.3", 1.3);
  const float single = 0.1F;
  add_block(last, "q", 3);
  shk_sample_add_block(last, "single", shk_vector_copy(&single, 1, 32));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const uint64_t quad[] = {0x3ffb999999999999, 0x999999999999999a}; /* 0.1 */
#else
  const uint64_t quad[] = {0x999999999999999a, 0x3ffb999999999999};
#endif
  shk_sample_add_block(last, "quad", shk_vector_copy(quad, 1, 128));
  shk_outcome_add_scalar(outcome, "energy-error-max", 1.0 / 3);
  shk_outcome_add_series(outcome, "energy-error", 1)->mean[0] = 0.7;
  outcome->members = shk_allocate(1, sizeof *outcome->members);
  outcome->member_count = 1;
  add_block(shk_outcome_add_sample(&outcome->members[0], "0", 0), "q", 5);
  return record;
}

static bool write_blob(void *user, struct shk_blob *blob)
{
  fwrite(blob->data, 1, blob->size, user);
  return fprintf(user, "%016llx", (unsigned long long)XXH3_64bits(blob->data, blob->size)) == 16;
}

static void write_record(const struct shk_record *record)
{
  size_t size;
  void *const bytes = shk_record_bytes(record, &size);
  fwrite(&(char){(char)size}, 1, 1, stdout); /* a number that tells two sizes apart */
  fwrite(bytes, 1, size, stdout);
  free(bytes);
  shk_blobs_visit(&record->outcome, write_blob, stdout);
}

static void print_numbers(const struct shk_outcome *outcome)
{
  printf("%d %a %d %d:", (int)outcome->code, outcome->reached, outcome->n, outcome->m);
  for (int i = 0; i < outcome->history_count; i++)
    printf(" %a", outcome->history[i]);
  for (int i = 0; i < outcome->scalar_count; i++)
    printf(" %s %a", outcome->scalars[i].name, outcome->scalars[i].value);
  for (int i = 0; i < outcome->sample_count; i++)
    for (int j = 0; j < outcome->samples[i].block_count; j++) {
      const struct shk_block *const block = &outcome->samples[i].blocks[j];
      for (int k = 0; k < block->vector.count; k++)
        printf(" %s %.17g", block->name, shk_vector_double(&block->vector, k));
    }
  for (int i = 0; i < outcome->series_count; i++)
    printf(" %s %a", outcome->series[i].name, outcome->series[i].mean[0]);
  putchar('\n');
  for (int i = 0; i < outcome->member_count; i++)
    print_numbers(&outcome->members[i]);
}

struct reader {
  struct shk_outcome *outcome;
  FILE *file;
};

/* A blob of the same shape, with data of the file. */
static bool read_blob(void *user, struct shk_blob *blob)
{
  const struct reader *const reader = user;
  char hash[16];
  struct shk_blob swapped = *blob;
  swapped.data = shk_allocate(swapped.size + 1, 1);
  const bool ok = fread(swapped.data, 1, swapped.size, reader->file) == swapped.size &&
                  fread(hash, 1, sizeof hash, reader->file) == sizeof hash &&
                  shk_blob_add(reader->outcome, &swapped);
  free(swapped.data);
  return ok;
}

/* The rest of the file are the blobs of such an outcome, in their order. */
static void read_blobs(const struct shk_outcome *outcome, FILE *file)
{
  struct shk_outcome back = {.n = outcome->n, .m = outcome->m};
  shk_sample_times_add(&back, "0,1.3");
  struct reader reader = {&back, file};
  printf("blobs %s\n", shk_blobs_visit(outcome, read_blob, &reader) ? "read" : "not read");
  print_numbers(&back);
  shk_outcome_clear(&back);
}

static int read_record(const char *path, size_t size)
{
  FILE *const file = fopen(path, "rb");
  char *const bytes = shk_allocate(size, 1);
  struct shk_record record = {0};
  struct shk_message error = {""};
  const bool ok = file && fgetc(file) == (unsigned char)size &&
                  fread(bytes, 1, size, file) == size &&
                  shk_record_read(&record, bytes, size, &error);
  if (ok) {
    printf("%s %g %g %g\n", record.output, record.seconds, record.limit_seconds,
           record.limit_megabytes);
    print_numbers(&record.outcome);
    read_blobs(&record.outcome, file);
    shk_record_clear(&record);
  } else {
    printf("not read: %s\n", error.text);
  }
  if (file)
    fclose(file);
  free(bytes);
  return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
  struct shk_record record = made();
  size_t size;
  free(shk_record_bytes(&record, &size));
  int status = 0;
  if (argc == 2)
    status = read_record(argv[1], size);
  else
    write_record(&record);
  shk_record_clear(&record);
  return status;
}
