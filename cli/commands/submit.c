/*
 * shakedown submit: runs a study as an array of Slurm jobs, followed by a final job that merges
 * their stores.
 *
 * The command writes a single script, NAME.slurm/submit.sh, which can also be rerun by hand. It
 * submits itself twice: with the argument `part`, as an array of `run --shard` tasks with one store
 * each, and with the argument `merge`. The jobs write their output to the same folder. A requeued
 * task continues with its existing store. The merge job waits for all tasks (afterok) and is
 * cancelled if any of them fails.
 */
#include "cli/commands/templates.h"
#include "cli/shared/study/study_job.h"

#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include <stdlib.h>
#include <unistd.h>

/* Maximum and default number of tasks. Slurm's default MaxArraySize, 1001, allows indices up to
 * 1000. */
enum { MOST_TASKS = 1000, USUAL_TASKS = 8 };

struct submit {
  struct shk_arguments arguments;
  bool dry;
  long shards;
  const char *output;
};

/* Returns a path quoted as a shell word. The path is made absolute if the file exists. The caller
 * frees the string. */
static char *path_word(const char *path)
{
  char *const real = realpath(path, NULL);
  char *const word = shk_shell_words("", (const char *const[]){real ? real : path}, 1);
  free(real);
  return word;
}

/* Writes the submission script. On failure, prints an error message and returns false. */
static bool write_script(const struct submit *submit, const struct shk_study *study, int cells,
                         const char *folder, const char *script)
{
  const struct shk_arguments *const arguments = &submit->arguments;
  const struct shk_access *const access = &arguments->context.access;
  const long usual = cells < USUAL_TASKS ? cells : USUAL_TASKS;
  char *const store =
      submit->output ? shk_copy_text(submit->output) : shk_print_text("%s.db", study->name);
  char *common = shk_shell_words(" --plugin ", arguments->plugins, arguments->plugin_count);
  shk_append_text(&common, "%s%s", access->programs ? " --allow-external" : "",
                  access->sandbox ? " --sandbox" : "");
  const struct shk_filling fillings[] = {
      {"@name@", shk_copy_text(study->name)},
      {"@cells@", shk_print_text("%d", cells)},
      {"@shards@", shk_print_text("%ld", submit->shards > 0 ? submit->shards : usual)},
      {"@jobs@", shk_print_text("%ld", arguments->jobs > 0 ? arguments->jobs : 1)},
      {"@common@", common},
      {"@program@", path_word("/proc/self/exe")},
      {"@study@", path_word(study->path)},
      {"@folder@", path_word(folder)},
      {"@store@", shk_shell_words("", (const char *const[]){store}, 1)},
      {"@here@", path_word(".")},
      {NULL, NULL}};
  const bool ok = shk_fill_template(script, "submit.sh.in", fillings);
  shk_clear_fillings(fillings);
  free(store);
  return ok;
}

static int run_submit(void *self)
{
  struct submit *const submit = self;
  if (submit->shards > MOST_TASKS)
    return shk_bad_input("--shards: %ld tasks exceed the limit of %d", submit->shards,
                         (int)MOST_TASKS);
  struct shk_study_job job = {0};
  struct shk_message error = {""};
  if (!shk_job_read(&job, &submit->arguments, submit->arguments.words[0]))
    return shk_job_clear(&job, SHK_EXIT_BAD_INPUT);
  char *const folder = shk_print_text("%s.slurm", job.study->name);
  char *const script = shk_print_text("%s/submit.sh", folder);
  int status = SHK_EXIT_BAD_INPUT;
  if (shk_accept(shk_make_directory(folder, &error), &error) &&
      write_script(submit, job.study, job.plan->count, folder, script)) {
    status = submit->dry ? SHK_EXIT_HELD : shk_run_script(script, STDOUT_FILENO);
    if (submit->dry)
      shk_say("wrote %s; nothing was submitted", script);
  }
  free(script);
  free(folder);
  return shk_job_clear(&job, status < 0 ? SHK_EXIT_INCOMPLETE : status);
}

#define AT(member) offsetof(struct submit, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(COUNT, "shards", 0, AT(shards), "N",
               "number of tasks (default: 8, or one per cell)"),
    SHK_OPTION(COUNT, "jobs", 'j', AT(arguments.jobs), "N",
               "workers and processors per task (default: 1)"),
    SHK_OPTION(TEXT, "output", 'o', AT(output), "STORE",
               "the merged store (default: NAME.db in this folder)"),
    SHK_SWITCH("dry-run", 'n', AT(dry), "write the script without submitting it"),
    {0}};

const struct shk_command shk_command_submit = {
    .name = "submit",
    .synopsis = "STUDY [--shards N] [-o STORE]",
    .summary = "Submits a study to Slurm as a job array and a job that merges its stores",
    .help = "Writes a script to NAME.slurm in this folder, which all nodes must share, and runs\n"
            "it. Use sbatch's variables, such as SBATCH_TIMELIMIT, to set further options. A task\n"
            "that is killed and requeued continues where it stopped. If a task fails, the merging\n"
            "job is cancelled; run the same command again to submit only what is missing. The\n"
            "exit status is 3 if the array was submitted but the merging job was not.",
    .line = {1, 1, 0, flags},
    .does = {sizeof(struct submit), run_submit, NULL}};
