/*
 * shakedown submit: runs a study as an array of Slurm jobs, with a last job that merges their
 * stores.
 *
 * Two scripts and all output of the jobs are in one folder, NAME.slurm. The array runs `run
 * --shard` with a store for each task, and a requeued task continues its store. The merging job
 * waits for all of them (afterok) and is cancelled if one fails. The scripts are self-contained, so
 * that they can be submitted again by hand.
 */
#include "cli/commands/templates.h"
#include "cli/shared/study/study_job.h"

#include "foundation/memory.h"
#include "foundation/processes/process.h"
#include <ctype.h>
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
  char *program, *study, *here, *folder, *store; /* absolute paths */
};

/* ---- the scripts ---- */

static char *shell_word(const char *word)
{
  return shk_shell_words("", &word, 1);
}

static bool write_scripts(const struct submit *submit, const char *name)
{
  const struct shk_arguments *const arguments = &submit->arguments;
  const struct shk_access *const access = &arguments->context.access;
  char *common = shk_shell_words(" --plugin ", arguments->plugins, arguments->plugin_count);
  shk_append_text(&common, "%s%s", access->programs ? " --allow-external" : "",
                  access->sandbox ? " --sandbox" : "");
  const struct shk_filling fillings[] = {
      {"@name@", shk_copy_text(name)},
      {"@shards@", shk_print_text("%ld", submit->shards)},
      {"@jobs@", shk_print_text("%ld", arguments->jobs > 0 ? arguments->jobs : 1)},
      {"@sbatch@", shk_print_text("#%s%s", submit->sbatch ? "SBATCH " : "",
                                  submit->sbatch ? submit->sbatch : "")},
      {"@common@", common},
      {"@here@", shell_word(submit->here)},
      {"@program@", shell_word(submit->program)},
      {"@study@", shell_word(submit->study)},
      {"@folder@", shell_word(submit->folder)},
      {"@store@", shell_word(submit->store)},
      {NULL, NULL}};
  bool ok = true;
  for (int i = 0; ok && i < 2; i++) {
    const char *const script = i == 0 ? "parts.sh" : "merge.sh";
    char *const path = shk_print_text("%s/%s", submit->folder, script);
    char *const from = shk_print_text("%s.in", script);
    ok = shk_fill_template(path, from, fillings);
    free(from);
    free(path);
  }
  shk_clear_fillings(fillings);
  return ok;
}

/* ---- submitting ---- */

/* Runs sbatch in the scripts' folder and reads the job's number. Returns false after an error
 * message. */
static bool submit_script(char number[128], const char *command)
{
  struct shk_message error = {.text = ""};
  struct shk_process *process = shk_process_start(command, &error);
  if (!shk_accept(process, &error))
    return false;
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
  if (chdir(submit->folder) != 0)
    return shk_bad_input("%s: %s", submit->folder, strerror(errno));
  if (!submit_script(array, "sbatch --parsable parts.sh"))
    return shk_bad_input("nothing was submitted; the scripts are in %s", submit->folder);
  char *command = shk_print_text("sbatch --parsable --dependency=afterok:%s "
                                 "--kill-on-invalid-dep=yes merge.sh",
                                 array);
  const bool merging = submit_script(merge, command);
  if (merging)
    shk_say("job %s runs %d cells in %ld parts, job %s merges them into %s; scripts, logs and "
            "parts are in %s",
            array, cells, submit->shards, merge, submit->store, submit->folder);
  else
    shk_complain("job %s was submitted, the merging job was not; in %s:\n  %s", array,
                 submit->folder, command);
  free(command);
  return merging ? SHK_EXIT_HELD : SHK_EXIT_INCOMPLETE;
}

static int write_and_submit(const struct submit *submit, const char *name, int cells)
{
  if (mkdir(submit->folder, 0777) != 0 && errno != EEXIST)
    return shk_bad_input("%s: %s", submit->folder, strerror(errno));
  if (!write_scripts(submit, name))
    return SHK_EXIT_BAD_INPUT;
  if (!submit->dry)
    return submit_both(submit, cells);
  shk_say("%s has parts.sh and merge.sh; nothing was submitted", submit->folder);
  return SHK_EXIT_HELD;
}

/* ---- the command line ---- */

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
  if (submit->shards == 0)
    submit->shards = cells < USUAL_TASKS ? cells : USUAL_TASKS;
  submit->here = getcwd(NULL, 0);
  submit->program = realpath("/proc/self/exe", NULL);
  submit->study = realpath(study->path, NULL);
  if (!submit->here || !submit->program || !submit->study)
    return shk_complain("submit: no path of this folder, the program or %s: %s", study->path,
                        strerror(errno));
  submit->folder = shk_print_text("%s/%s.slurm", submit->here, study->name);
  if (!submit->output)
    submit->store = shk_print_text("%s/%s.db", submit->here, study->name);
  else if (submit->output[0] == '/')
    submit->store = shk_copy_text(submit->output);
  else
    submit->store = shk_print_text("%s/%s", submit->here, submit->output);
  return (is_one_line(submit->here) && is_one_line(submit->program) && is_one_line(submit->study) &&
          is_one_line(submit->store)) ||
         shk_complain("submit: a path with control characters cannot be used in a script");
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
  if (submit->sbatch && (submit->sbatch[0] != '-' || !is_one_line(submit->sbatch)))
    return shk_bad_input(
        "--sbatch: found '%s', expected one line of options: \"--partition=long --time=2:00\"",
        submit->sbatch);
  struct shk_study_job job = {0};
  int status = SHK_EXIT_BAD_INPUT;
  if (shk_job_read(&job, &submit->arguments, submit->arguments.words[0]) &&
      fill(submit, job.study, job.plan->count))
    status = write_and_submit(submit, job.study->name, job.plan->count);
  return shk_job_clear(&job, status);
}

static void clear(void *self)
{
  struct submit *const submit = self;
  free(submit->program);
  free(submit->study);
  free(submit->here);
  free(submit->folder);
  free(submit->store);
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
    {.name = NULL}};

const struct shk_command shk_command_submit = {
    .name = "submit",
    .synopsis = "STUDY --slurm [--shards N] [-o STORE]",
    .summary = "Submits a study to Slurm: an array of jobs, and one that merges their stores",
    .help = "Writes NAME.slurm/parts.sh and merge.sh in this folder, which all nodes must share,\n"
            "and submits both. A task that is killed and requeued continues where it stopped. The\n"
            "merging job starts when all tasks have succeeded, and is cancelled if one fails; the\n"
            "same command then submits the rest. Exit status 3: the array was submitted, the\n"
            "merging job was not.",
    .line = {1, 1, 0, flags},
    .does = {sizeof(struct submit), run, clear}};
