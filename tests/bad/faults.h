/*
 * The faults of a wrong method, from its table FAULTS(X) of X(ID, "name", "what is wrong"): numbers,
 * and the choices of its option `fault`.
 */
#ifndef TESTS_BAD_FAULTS_H
#define TESTS_BAD_FAULTS_H

#include <shakedown/plugin.h>

#define FAULT_NUMBER(fault, name, summary) fault,
enum fault { FAULTS(FAULT_NUMBER) };

#define FAULT_CHOICE(fault, name, summary) {name, summary, NULL},
static const struct shk_choice faults[] = {FAULTS(FAULT_CHOICE){0}};

#endif
