/* INLINED marks functions that are compiled into their callers, so that the compiler knows the
 * caller's constants inside them too. */
#ifndef MECHANICS_ALGEBRA_INLINED_H
#define MECHANICS_ALGEBRA_INLINED_H

#define INLINED static inline __attribute__((always_inline))

/* SHK_CLONES marks inner loops that run faster with wide vectors. gcc compiles such a function both
 * for AVX2 and for every x86-64 processor, and the dynamic linker picks the version that this
 * processor can run. Nothing is reordered or fused, so both versions give the same bits. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define SHK_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SHK_CLONES
#endif

#endif
