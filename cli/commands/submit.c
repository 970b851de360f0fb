/*
 * shakedown submit: runs a study as an array of Slurm jobs, with a last job that merges their
 * stores.
 *
 * Two scripts and all output of the jobs are in one folder, NAME.slurm. The array runs `run
 * --shard` with a store for each task, and a requeued task continues its store. The merging job
 * waits for all of them (afterok) and is cancelled if one fails. The scripts are self-contained, so
 * that they can be submitted again by hand.
 */
#include "cli/shared/options.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/study/run_study.h"

#include "foundation/memory.h"
#include "foundation/processes/process.h"
#include "foundation/specifications/program.h"
#include "results/export/export.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limits of the size of an array. Slurm's own limit is 1001, counted from 0, unless it is
 * configured otherwise. */
enum { MOST_TASKS = 1000, USUAL_TASKS = 8 };

struct submit {
  bool slurm, dry;
  long shards, jobs;
  const char *output, *sbatch;
  struct shk_arguments arguments;
  /* Values for the scripts; paths are absolute. */
  const char *name;
  char *program, *study, *here, *folder, *store;
};

/* ---- the scripts ---- */

static void print_head(FILE *file, const struct submit *submit, const char *job, const char *log)
{
  fprintf(file,
          "#!/bin/sh\n# Written by `shakedown submit`.\n#SBATCH --job-name=%s\n"
          "#SBATCH --output=%s\n#SBATCH --open-mode=append\n#SBATCH --requeue\n",
          job, log);
  if (submit->sbatch)
    fprintf(file, "#SBATCH %s\n", submit->sbatch);
}

static void print_common(FILE *file, const struct submit *submit)
{
  for (int i = 0; i < submit->arguments.plugin_count; i++) {
    fputs(" --plugin ", file);
    shk_print_shell(file, submit->arguments.plugins[i]);
  }
  const struct shk_access *const access = &submit->arguments.context.access;
  fprintf(file, "%s%s\n", access->programs ? " --allow-external" : "",
          access->sandbox ? " --sandbox" : "");
}

static void print_begin(FILE *file, const struct submit *submit, const char *command)
{
  fputs("cd ", file);
  shk_print_shell(file, submit->here);
  fputs(" || exit 3\nexec ", file);
  shk_print_shell(file, submit->program);
  fprintf(file, " %s", command);
}

static void print_parts(FILE *file, const void *what)
{
  const struct submit *submit = what;
  print_head(file, submit, submit->name, "part-%a.log");
  fprintf(file, "#SBATCH --array=1-%ld\n#SBATCH --cpus-per-task=%ld\n", submit->shards,
          submit->jobs);
  print_begin(file, submit, "run ");
  shk_print_shell(file, submit->study);
  fprintf(file, " --shard \"$SLURM_ARRAY_TASK_ID/%ld\" -o ", submit->shards);
  shk_print_shell(file, submit->folder);
  fprintf(file, "/part-\"$SLURM_ARRAY_TASK_ID\".db -j %ld --quiet", submit->jobs);
  print_common(file, submit);
}

static void print_merge(FILE *file, const void *what)
{
  const struct submit *submit = what;
  char *job = shk_print_text("%s-merge", submit->name);
  print_head(file, submit, job, "merge.log");
  free(job);
  print_begin(file, submit, "merge");
  for (long i = 1; i <= submit->shards; i++) {
    fputs(" \\\n  ", file);
    shk_print_shell(file, submit->folder);
    fprintf(file, "/part-%ld.db", i);
  }
  fputs(" \\\n  -o ", file);
  shk_print_shell(file, submit->store);
  print_common(file, submit);
}

static bool write_script(const struct submit *submit, const char *name,
                         void (*print)(FILE *file, const void *what))
{
  char *path = shk_print_text("%s/%s", submit->folder, name);
  const bool ok = shk_write_file(path, print, submit);
  free(path);
  return ok;
}

/* ---- submitting ---- */

/* Runs sbatch in the scripts' folder and reads the job's number. Returns false after an error
 * message. */
static bool submit_script(char number[128], const char *command)
{
  struct shk_message error = {.text = ""};
  struct shk_process *process = shk_process_start(command, &error);
  if (!process) {
    shk_complain("%s", error.text);
    return false;
  }
  const char *word = shk_process_word(process);
  const bool ok = word != NULL && isdigit((unsigned char)word[0]);
  if (ok) {
    /* sbatch prints "NUMBER" or, with several clusters, "NUMBER;CLUSTER". */
    snprintf(number, 128, "%.*s", (int)strcspn(word, ";"), word);
  } else if (word) {
    shk_complain("%s: expected the number of a job, found '%s'", command, word);
  } else {
    char fault[256];
    shk_complain("%s: %s", command, shk_process_fault(process, fault, sizeof fault));
  }
  shk_process_end(process);
  return ok;
}

static int submit_both(const struct submit *submit, int cells)
{
  char array[128], merge[128];
  if (chdir(submit->folder) != 0) {
    shk_complain("%s: %s", submit->folder, strerror(errno));
    return SHK_EXIT_BAD_INPUT;
  }
  if (!submit_script(array, "sbatch --parsable parts.sh")) {
    shk_complain("nothing was submitted; the scripts are in %s", submit->folder);
    return SHK_EXIT_BAD_INPUT;
  }
  char *command = shk_print_text("sbatch --parsable --dependency=afterok:%s "
                                 "--kill-on-invalid-dep=yes merge.sh",
                                 array);
  const bool merging = submit_script(merge, command);
  if (merging) {
    char *text = shk_print_text("job %s runs %d cells in %ld parts, job %s merges them into %s; "
                                "scripts, logs and parts are in %s",
                                array, cells, submit->shards, merge, submit->store, submit->folder);
    shk_print_plain(stdout, text);
    putchar('\n');
    free(text);
  } else {
    shk_complain("job %s was submitted, the merging job was not; in %s:\n  %s", array,
                 submit->folder, command);
  }
  free(command);
  return merging ? SHK_EXIT_HELD : SHK_EXIT_INCOMPLETE;
}

static int write_and_submit(const struct submit *submit, int cells)
{
  if (mkdir(submit->folder, 0777) != 0 && errno != EEXIST) {
    shk_complain("%s: %s", submit->folder, strerror(errno));
    return SHK_EXIT_BAD_INPUT;
  }
  if (!write_script(submit, "parts.sh", print_parts) ||
      !write_script(submit, "merge.sh", print_merge))
    return SHK_EXIT_BAD_INPUT;
  if (!submit->dry)
    return submit_both(submit, cells);
  char *text =
      shk_print_text("%s has parts.sh and merge.sh; nothing was submitted", submit->folder);
  shk_print_plain(stdout, text);
  putchar('\n');
  free(text);
  return SHK_EXIT_HELD;
}

/* ---- the command line ---- */

static char *from_root(const char *here, const char *path)
{
  return path[0] == '/' ? shk_copy_text(path) : shk_print_text("%s/%s", here, path);
}

/* True if a text has no control characters. Paths go into lines of scripts, where only control
 * characters cannot be quoted. */
static bool is_one_line(const char *text)
{
  for (; *text != '\0'; text++)
    if (iscntrl((unsigned char)*text))
      return false;
  return true;
}

static bool fill(struct submit *submit, const struct shk_study *study, int cells)
{
  char path[PATH_MAX];
  if (submit->shards == 0)
    submit->shards = cells < USUAL_TASKS ? cells : USUAL_TASKS;
  if (submit->jobs == 0)
    submit->jobs = 1;
  submit->name = study->name;
  submit->here = getcwd(path, sizeof path) ? shk_copy_text(path) : NULL;
  submit->program = realpath("/proc/self/exe", path) ? shk_copy_text(path) : NULL;
  submit->study = realpath(study->path, path) ? shk_copy_text(path) : NULL;
  if (!submit->here || !submit->program || !submit->study) {
    shk_complain("submit: no path of this folder, the program or %s: %s", study->path,
                 strerror(errno));
    return false;
  }
  submit->folder = shk_print_text("%s/%s.slurm", submit->here, study->name);
  char *store =
      submit->output ? shk_copy_text(submit->output) : shk_print_text("%s.db", study->name);
  submit->store = from_root(submit->here, store);
  free(store);
  if (is_one_line(submit->here) && is_one_line(submit->program) && is_one_line(submit->study) &&
      is_one_line(submit->store))
    return true;
  shk_complain("submit: a path with control characters cannot be used in a script");
  return false;
}

static bool check(const struct submit *submit)
{
  if (!submit->slurm)
    shk_complain("submit: --slurm is missing: Slurm is the only system supported; for others use "
                 "`shakedown run --shard`");
  else if (submit->shards > MOST_TASKS)
    shk_complain("--shards: %ld tasks are more than the %d that are allowed", submit->shards,
                 (int)MOST_TASKS);
  else if (submit->sbatch && (submit->sbatch[0] != '-' || !is_one_line(submit->sbatch)))
    shk_complain(
        "--sbatch: found '%s', expected one line of options: \"--partition=long --time=2:00\"",
        submit->sbatch);
  else
    return true;
  return false;
}

static int start(struct submit *submit)
{
  struct shk_study_job job;
  const struct shk_study_request request = {
      .word = submit->arguments.words[0], .jobs = submit->jobs, .arguments = &submit->arguments};
  int status = SHK_EXIT_BAD_INPUT;
  if (!check(submit))
    return status;
  if (shk_study_job_read(&job, &request) && fill(submit, job.study, job.plan->count))
    status = write_and_submit(submit, job.plan->count);
  shk_study_job_clear(&job);
  free(submit->program);
  free(submit->study);
  free(submit->here);
  free(submit->folder);
  free(submit->store);
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct submit submit = {.slurm = false};
  const struct shk_flag flags[] = {
      {"slurm", 0, SHK_FLAG_SWITCH, NULL, "to Slurm, by sbatch", &submit.slurm},
      {"shards", 0, SHK_FLAG_COUNT, "N", "tasks of the array (default: 8)", &submit.shards},
      {"jobs", 'j', SHK_FLAG_COUNT, "N", "cell servers and processors of a task (default: 1)",
       &submit.jobs},
      {"output", 'o', SHK_FLAG_TEXT, "STORE", "the merged store (default: NAME.db here)",
       &submit.output},
      {"sbatch", 0, SHK_FLAG_TEXT, "OPTIONS", "more options for sbatch, as \"-p long\"",
       &submit.sbatch},
      {"dry-run", 'n', SHK_FLAG_SWITCH, NULL, "write the scripts and submit nothing", &submit.dry},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&submit.arguments, &status, command, flags, 1, 1, argc, argv))
    status = start(&submit);
  shk_arguments_clear(&submit.arguments);
  return status;
}

const struct shk_command shk_command_submit = {
    .name = "submit",
    .synopsis = "STUDY --slurm [--shards N] [-o STORE]",
    .summary = "Submits a study to Slurm: an array of jobs, and one that merges their stores",
    .help = "Writes NAME.slurm/parts.sh and merge.sh in this folder, which all nodes must share,\n"
            "and submits both. A task that is killed and requeued continues where it stopped. The\n"
            "merging job starts when all tasks have succeeded, and is cancelled if one fails; the\n"
            "same command then submits the rest. Exit status 3: the array was submitted, the\n"
            "merging job was not.",
    .run = run};
