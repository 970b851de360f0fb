/*
 * shakedown submit: runs a study as an array of Slurm jobs, with a last job that merges their
 * stores.
 *
 * Three scripts and all output of the jobs are in one folder, NAME.slurm. The array runs `run
 * --shard` with a store for each task, and a requeued task continues its store. The merging job
 * waits for all of them (afterok) and is cancelled if one fails. submit.sh, which runs here, hands
 * both to sbatch. The scripts are self-contained, so that they can be submitted again by hand.
 */
#include "cli/commands/templates.h"
#include "cli/shared/study/study_job.h"

#include "foundation/memory.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limits of the size of an array. Slurm's own limit is 1001, counted from 0, unless it is
 * configured otherwise. */
enum { MOST_TASKS = 1000, USUAL_TASKS = 8 };

struct submit {
  struct shk_arguments arguments;
  bool slurm, dry;
  long shards;
  const char *output, *sbatch;
  char *here, *folder; /* the current folder, and that of the scripts */
};

/* A path, made absolute if the file exists, as a word for the shell. */
static char *path_word(const char *path)
{
  char *const real = realpath(path, NULL);
  char *const word = shk_shell_words("", (const char *const[]){real ? real : path}, 1);
  free(real);
  return word;
}

/* Writes the three scripts. Returns false after an error message. */
static bool write_scripts(const struct submit *submit, const struct shk_study *study, int cells)
{
  static const char *const scripts[] = {"parts.sh", "merge.sh", "submit.sh"};
  const struct shk_arguments *const arguments = &submit->arguments;
  const struct shk_access *const access = &arguments->context.access;
  const char *const output = submit->output, *const sbatch = submit->sbatch;
  char *const store = output ? shk_print_text("%s%s%s", output[0] == '/' ? "" : submit->here,
                                              output[0] == '/' ? "" : "/", output)
                             : shk_print_text("%s/%s.db", submit->here, study->name);
  char *common = shk_shell_words(" --plugin ", arguments->plugins, arguments->plugin_count);
  shk_append_text(&common, "%s%s", access->programs ? " --allow-external" : "",
                  access->sandbox ? " --sandbox" : "");
  const struct shk_filling fillings[] = {
      {"@name@", shk_copy_text(study->name)},
      {"@cells@", shk_print_text("%d", cells)},
      {"@shards@", shk_print_text("%ld", submit->shards)},
      {"@jobs@", shk_print_text("%ld", arguments->jobs > 0 ? arguments->jobs : 1)},
      {"@sbatch@", shk_print_text(sbatch ? "#SBATCH %s" : "#", sbatch)},
      {"@common@", common},
      {"@program@", path_word("/proc/self/exe")},
      {"@study@", path_word(study->path)},
      {"@folder@", path_word(submit->folder)},
      {"@store@", path_word(store)},
      {"@here@", path_word(submit->here)},
      {NULL, NULL}};
  bool ok = true;
  for (int i = 0; ok && i < 3; i++) {
    char *const path = shk_print_text("%s/%s", submit->folder, scripts[i]);
    char *const from = shk_print_text("%s.in", scripts[i]);
    ok = shk_fill_template(path, from, fillings);
    free(from);
    free(path);
  }
  shk_clear_fillings(fillings);
  free(store);
  return ok;
}

static int write_and_submit(struct submit *submit, const struct shk_study *study, int cells)
{
  if (submit->shards == 0)
    submit->shards = cells < USUAL_TASKS ? cells : USUAL_TASKS;
  submit->here = getcwd(NULL, 0);
  submit->folder = shk_print_text("%s/%s.slurm", submit->here ? submit->here : ".", study->name);
  if (!submit->here || (mkdir(submit->folder, 0777) != 0 && errno != EEXIST))
    return shk_bad_input("%s: %s", submit->folder, strerror(errno));
  if (!write_scripts(submit, study, cells))
    return SHK_EXIT_BAD_INPUT;
  if (submit->dry) {
    shk_say("%s has parts.sh and merge.sh; nothing was submitted", submit->folder);
    return SHK_EXIT_HELD;
  }
  char *const script = shk_print_text("%s/submit.sh", submit->folder);
  const int status = shk_run_script(script, STDOUT_FILENO);
  free(script);
  return status < 0 ? SHK_EXIT_INCOMPLETE : status;
}

static int run(void *self)
{
  struct submit *const submit = self;
  if (!submit->slurm)
    return shk_bad_input("submit: --slurm is missing: Slurm is the only system supported; for "
                         "others use `shakedown run --shard`");
  if (submit->shards > MOST_TASKS)
    return shk_bad_input("--shards: %ld tasks are more than the %d that are allowed",
                         submit->shards, (int)MOST_TASKS);
  if (submit->sbatch && (submit->sbatch[0] != '-' || strpbrk(submit->sbatch, "\n\r")))
    return shk_bad_input(
        "--sbatch: found '%s', expected one line of options: \"--partition=long --time=2:00\"",
        submit->sbatch);
  struct shk_study_job job = {0};
  const int status = shk_job_read(&job, &submit->arguments, submit->arguments.words[0])
                         ? write_and_submit(submit, job.study, job.plan->count)
                         : SHK_EXIT_BAD_INPUT;
  return shk_job_clear(&job, status);
}

static void clear(void *self)
{
  free(((struct submit *)self)->folder);
  free(((struct submit *)self)->here);
}

#define AT(member) offsetof(struct submit, member)
static const struct shk_flag flags[] = {
    SHK_SWITCH("slurm", 0, AT(slurm), "to Slurm, by sbatch"),
    SHK_OPTION(COUNT, "shards", 0, AT(shards), "N", "tasks of the array (default: 8)"),
    SHK_OPTION(COUNT, "jobs", 'j', AT(arguments.jobs), "N",
               "cell servers and processors of a task (default: 1)"),
    SHK_OPTION(TEXT, "output", 'o', AT(output), "STORE",
               "the merged store (default: NAME.db here)"),
    SHK_OPTION(TEXT, "sbatch", 0, AT(sbatch), "OPTIONS", "more options for sbatch, as \"-p long\""),
    SHK_SWITCH("dry-run", 'n', AT(dry), "write the scripts and submit nothing"),
    {0}};

const struct shk_command shk_command_submit = {
    .name = "submit",
    .synopsis = "STUDY --slurm [--shards N] [-o STORE]",
    .summary = "Submits a study to Slurm: an array of jobs, and one that merges their stores",
    .help = "Writes scripts to NAME.slurm in this folder, which all nodes must share, and\n"
            "submits them. A task that is killed and requeued continues where it stopped. If\n"
            "one fails, the merging job is cancelled, and the same command submits the rest.\n"
            "Exit status 3: the array was submitted, the merging job was not.",
    .line = {1, 1, 0, flags},
    .does = {sizeof(struct submit), run, clear}};
