/* Observes the first steps of a method. See probe.h. */
#include "foundation/probe.h"

#include <stddef.h>

void (*shk_step_done)(double part);
