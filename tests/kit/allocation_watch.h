/*
 * Counts allocations of the program and of its libraries: a definition in the executable takes
 * precedence over the C library's. The address sanitizer must stay the allocator and reports errors
 * itself; valgrind leaves these definitions alone if told to (tests/meson.build).
 */
#ifndef TESTS_KIT_ALLOCATION_WATCH_H
#define TESTS_KIT_ALLOCATION_WATCH_H

#include <dlfcn.h>
#include <stdlib.h>

static long allocations;

#if defined __SANITIZE_ADDRESS__
#define ALLOCATION_HOOK
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ALLOCATION_HOOK
#endif
#endif

#ifdef ALLOCATION_HOOK

void __sanitizer_malloc_hook(const volatile void *memory, size_t size);

void __sanitizer_malloc_hook(const volatile void *memory, size_t size)
{
  (void)memory;
  (void)size;
  allocations++;
}

#else

void *malloc(size_t size)
{
  static void *(*next)(size_t);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "malloc");
  allocations++;
  return next(size);
}

void *calloc(size_t count, size_t size)
{
  static void *(*next)(size_t, size_t);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "calloc");
  allocations++;
  return next(count, size);
}

void *realloc(void *old, size_t size)
{
  static void *(*next)(void *, size_t);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "realloc");
  allocations++;
  return next(old, size);
}

#endif

#endif
