// plugin.h for C++20: additions to the C headers that C++ needs.
//
//     static const shk_integrator mine = {.struct_size = sizeof mine, …};
//     SHK_PROVIDE(my, .integrators = SHK_INTEGRATORS(&mine));
//
// Functions that Shakedown calls must not throw. Initialize the members of a struct in the order in
// which the headers declare them. R() and the constants in real.h are the C versions.
#ifndef SHAKEDOWN_PLUGIN_HPP
#define SHAKEDOWN_PLUGIN_HPP

// Headers included by the C headers must not be inside an extern "C" block.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <shakedown/plugin.h>
}

// The C versions of these lists are compound literals, which do not persist in C++.
template <const shk_integrator *...items>
inline constexpr const shk_integrator *shk_integrator_list[] = {items..., nullptr};
template <const shk_problem *...items>
inline constexpr const shk_problem *shk_problem_list[] = {items..., nullptr};
#undef SHK_INTEGRATORS
#undef SHK_PROBLEMS
#define SHK_INTEGRATORS(...) shk_integrator_list<__VA_ARGS__>
#define SHK_PROBLEMS(...) shk_problem_list<__VA_ARGS__>

#endif
