/* For inner loops that pay with wider vectors than those of every processor of the kind: gcc
 * compiles such a function for AVX2 as well, and the dynamic linker takes the one that this
 * processor runs. Nothing is reordered or fused, so that both give the same bits. */
#ifndef MECHANICS_ALGEBRA_CLONES_H
#define MECHANICS_ALGEBRA_CLONES_H

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define SHK_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SHK_CLONES
#endif

#endif
