/* shakedown worker: see harness/run/worker.h. */
#include "cli/shared/options.h"

#include "harness/run/worker.h"
#include <unistd.h>

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct shk_arguments arguments;
  int status;
  const struct shk_flag flags[] = {SHK_FILES_FLAG(&arguments), {0}};
  if (shk_arguments_read(&arguments, &status, command, flags, 0, 0, argc, argv))
    status = shk_worker(&arguments.context, STDIN_FILENO, STDOUT_FILENO, arguments.plugins,
                        arguments.plugin_count);
  shk_arguments_clear(&arguments);
  return status;
}

const struct shk_command shk_command_worker = {
    .name = "worker",
    .synopsis = "",
    .summary = "Reads cells as lines of JSON and answers each with its record",
    .help = "This is what `run` starts. A cell runs in another process, under limits of time\n"
            "and memory:\n"
            "\n"
            "  {\"cell\": \"run problem=…\", \"seconds\": \"60\", \"megabytes\": \"2048\"}",
    .run = run};
