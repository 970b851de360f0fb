/*
 * Allocations of a program, counted: its link sends calls of malloc, calloc and realloc here
 * (-Wl,--wrap, tests/meson.build).
 */
#ifndef TESTS_ALLOCATION_WATCH_H
#define TESTS_ALLOCATION_WATCH_H

#include <stddef.h>

static long allocations;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
  allocations++;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  allocations++;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
  allocations++;
  return __real_realloc(old, size);
}

#endif
