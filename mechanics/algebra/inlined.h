/* INLINED marks functions that must be inlined to let the compiler propagate the caller's constants
 * into them. */
#ifndef MECHANICS_ALGEBRA_INLINED_H
#define MECHANICS_ALGEBRA_INLINED_H

#define INLINED static inline __attribute__((always_inline))

/* SHK_CLONES marks inner loops that run faster with wide vectors. gcc compiles two versions of such
 * a function, one for AVX2 and one for all x86-64 processors, and the dynamic linker selects the
 * best one that the processor supports. No operations are reordered or fused, so both versions
 * produce the same bits. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define SHK_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SHK_CLONES
#endif

#endif
