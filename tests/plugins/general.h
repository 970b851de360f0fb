/*
 * A system H(q,p) with one constraint g(q), of the functions of these names in the file that includes
 * this one.
 */
#ifndef TESTS_PLUGINS_GENERAL_H
#define TESTS_PLUGINS_GENERAL_H

#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <shakedown/plugin.h>

#include <string.h>

/* clang-format off */
#define GENERAL_SYSTEM(coordinates)         \
  {                                         \
    .n = (coordinates),                     \
    .m = 1,                                 \
    .features = SHK_GENERAL_HAMILTONIAN,    \
    .hamiltonian = hamiltonian,             \
    .hamiltonian_q = hamiltonian_q,         \
    .hamiltonian_p = hamiltonian_p,         \
    .hessian = hessian,                     \
    .constraint = constraint,               \
    .jacobian = jacobian,                   \
    .curvature = curvature                  \
  }
/* clang-format on */

#endif
