/* SHK_CLONES marks inner loops that run faster with wide vectors: gcc compiles such a function for
 * AVX2 as well as for every x86-64 processor, and the dynamic linker picks the version that this
 * processor runs. Nothing is reordered or fused, so that both versions give the same bits. */
#ifndef MECHANICS_ALGEBRA_CLONES_H
#define MECHANICS_ALGEBRA_CLONES_H

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define SHK_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SHK_CLONES
#endif

#endif
