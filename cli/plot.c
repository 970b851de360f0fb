/* shakedown plot: the figures of a store's studies. */
#include "cli/options.h"
static int run(const struct shk_command *command, int argc, char **argv)
{
  (void)command;
  (void)argc;
  (void)argv;
  return SHK_EXIT_BAD_INPUT;
}
const struct shk_command shk_command_plot = {
    .name = "plot", .synopsis = "STORE -o DIR", .summary = "Draws the figures", .run = run};
