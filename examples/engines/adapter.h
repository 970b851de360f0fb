// Common code for C++ adapters, which implements the line protocol
// (docs/reference/line-protocol.md). An adapter includes this file and calls `serve` with its
// greeting and two functions: one that refuses unsuitable systems, and one that computes a
// trajectory.
#ifndef ADAPTER_H
#define ADAPTER_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace adapter
{

// Ends are particle indices, counted from 0. The fixed point k has the index -1 - k. Only `a` can
// be a fixed point.
struct Rod {
  int a, b;
  double length;
};
struct Spring {
  int a, b;
  double stiffness, rest;
};
struct Pair {
  int a, b;
  double charges, lj12, lj6;
};
struct Angle {
  int at[3];
  double stiffness, rest;
};
// periodic: multiplicity, stiffness, phase; cosines: six coefficients; improper: stiffness, phase
struct Torsion {
  std::string kind;
  int at[4];
  std::vector<double> numbers;
};

// Thrown if a trajectory fails. The code is not-converged, singular, not-finite or
// refused, and what() returns the reason.
struct Failure : std::runtime_error {
  std::string code;
  Failure(const std::string &code, const std::string &why) : std::runtime_error(why), code(code)
  {
  }
};

// Processor time since the last state was written. This is the cost of the step in the engine and
// the adapter.
inline double lap(bool begins)
{
  static double last;
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  const double spent = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - last;
  if (begins)
    last += spent;
  return spent;
}

// Writes one state: q, v, and `further` values (energy, multipliers, iterations) as announced in
// the greeting, followed by the processor time of the step (the key seconds=yes in the greeting).
inline void put_numbers(const std::vector<double> &q, const std::vector<double> &v,
                        const std::vector<double> &further)
{
  const double seconds = lap(false);
  std::fputs("state", stdout);
  for (const auto *from : {&q, &v, &further})
    for (double value : *from)
      std::printf(" %.17g", value);
  std::printf(" %.3g\n", seconds);
  lap(true);
}

} // namespace adapter

#include "bodies.h"

namespace adapter
{

struct System {
  int dimension = 0;
  std::vector<double> mass;               // masses of the particles
  std::vector<std::vector<double>> fixed; // positions with three numbers each
  std::vector<double> gravity;            // three numbers; zeros if there is none
  std::vector<Rod> rods;
  std::vector<Spring> springs;
  std::vector<Pair> pairs;
  std::vector<Angle> angles;
  std::vector<Torsion> torsions;
  Mechanism mechanism; // bodies instead of all the above except gravity
  int particles() const
  {
    return (int)mass.size();
  }
  int points() const
  {
    return particles() + (int)fixed.size();
  }
  // The index of an end among all points, with the fixed points last.
  int point(int end) const
  {
    return end >= 0 ? end : particles() - 1 - end;
  }
};

struct Run {
  double h, tolerance;
  long steps;
};

inline std::vector<double> in_space(const System &s, std::istream &words)
{
  std::vector<double> x(3, 0.0);
  for (int j = 0; j < s.dimension; j++)
    words >> x[j];
  return x;
}

inline System read_system(std::istream &words)
{
  System s;
  s.gravity.assign(3, 0.0);
  words >> s.dimension;
  for (std::string key; words >> key;) {
    if (key == "mass") {
      double m;
      words >> m;
      s.mass.push_back(m);
    } else if (key == "fixed") {
      s.fixed.push_back(in_space(s, words));
    } else if (key == "gravity") {
      s.gravity = in_space(s, words);
      s.mechanism.gravity = {s.gravity[0], s.gravity[1], s.gravity[2]};
    } else if (key == "rod") {
      Rod r;
      words >> r.a >> r.b >> r.length;
      s.rods.push_back(r);
    } else if (key == "spring") {
      Spring r;
      words >> r.a >> r.b >> r.stiffness >> r.rest;
      s.springs.push_back(r);
    } else if (key == "pair") {
      Pair r;
      words >> r.a >> r.b >> r.charges >> r.lj12 >> r.lj6;
      s.pairs.push_back(r);
    } else if (key == "angle") {
      Angle r;
      words >> r.at[0] >> r.at[1] >> r.at[2] >> r.stiffness >> r.rest;
      s.angles.push_back(r);
    } else if (key == "periodic" || key == "cosines" || key == "improper") {
      Torsion r;
      r.kind = key;
      for (int &end : r.at)
        words >> end;
      r.numbers.resize(key == "periodic" ? 3 : key == "cosines" ? 6 : 2);
      for (double &number : r.numbers)
        words >> number;
      s.torsions.push_back(r);
    } else if (!read_statement(s.mechanism, key, words)) {
      throw Failure("refused",
                    "the system contains a word that this adapter does not know: " + key);
    }
  }
  add_pivots(s.mechanism);
  return s;
}

// Returns the reason why an adapter refuses a system of bodies, or "" if there is none.
inline std::string body_refusal(const System &s, bool has_bodies)
{
  if (!has_bodies && !s.mechanism.bodies.empty())
    return "this adapter does not support rigid bodies";
  for (const Body &b : s.mechanism.bodies)
    if (b.second[0] <= 0 || b.second[1] <= 0 || b.second[2] <= 0)
      return "a thin body, which lacks axes; give it a thickness";
  return "";
}

// Returns the positions or velocities of all points, three numbers each. Fixed points are at rest.
// For a mechanism, returns its coordinates or their rates.
inline std::vector<double> read_points(const System &s, std::istream &words, bool places)
{
  std::vector<double> x((size_t)s.mechanism.coordinates());
  for (double &value : x)
    words >> value;
  for (int i = 0; i < s.points(); i++) {
    const bool moves = i < s.particles();
    const std::vector<double> r = moves    ? in_space(s, words)
                                  : places ? s.fixed[(size_t)(i - s.particles())]
                                           : std::vector<double>(3, 0.0);
    x.insert(x.end(), r.begin(), r.end());
  }
  return x;
}

// Reads a command line such as "./ode quick erp=1". Returns the one of `kinds` that is named, or
// the first one if none is named, and stores the numbers of the keys in `given`. Any other word
// terminates the program.
inline std::string read_words(int count, char **words, const std::vector<std::string> &kinds,
                              std::map<std::string, double> &given)
{
  std::string kind = kinds.front();
  for (int i = 1; i < count; i++) {
    const std::string word = words[i], key = word.substr(0, word.find('='));
    if (std::find(kinds.begin(), kinds.end(), word) != kinds.end()) {
      kind = word;
    } else if (key != word && given.count(key)) {
      given[key] = std::atof(words[i] + key.size() + 1);
    } else {
      std::fprintf(stderr, "%s: unknown word %s\n", words[0], words[i]);
      std::exit(1);
    }
  }
  return kind;
}

// Computes forces for engines that have no springs and pairs. Returns the potential at x (all
// points, three numbers each) and sets `f` to the forces of springs and pairs, without gravity.
inline double forces(const System &s, const std::vector<double> &x, std::vector<double> &f)
{
  double energy = 0;
  f.assign(x.size(), 0.0);
  // `law` returns the energy at a distance r, and stores its derivative divided by r in w.
  const auto add = [&](int a, int b, auto law) {
    const size_t i = 3 * (size_t)s.point(a), j = 3 * (size_t)s.point(b);
    double d[3], w = 0;
    for (size_t k = 0; k < 3; k++)
      d[k] = x[i + k] - x[j + k];
    energy += law(std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), w);
    for (size_t k = 0; k < 3; k++)
      f[i + k] -= w * d[k], f[j + k] += w * d[k];
  };
  for (const auto &c : s.springs)
    add(c.a, c.b, [&](double r, double &w) {
      w = c.stiffness * (r - c.rest) / r;
      return 0.5 * c.stiffness * (r - c.rest) * (r - c.rest);
    });
  for (const auto &c : s.pairs)
    add(c.a, c.b, [&](double r, double &w) {
      const double r6 = std::pow(r, -6), u12 = c.lj12 * r6 * r6, u6 = c.lj6 * r6;
      w = (-c.charges / r - 12 * u12 + 6 * u6) / (r * r);
      return c.charges / r + u12 - u6;
    });
  for (size_t i = 0; i < 3 * s.mass.size(); i++)
    energy -= s.mass[i / 3] * s.gravity[i % 3] * x[i];
  return energy;
}

// Writes one state: x and v for all points, three numbers each, and `further` as in put_numbers.
inline void put_state(const System &s, const double *x, const double *v,
                      const std::vector<double> &further = {})
{
  std::vector<double> both[2];
  for (int i = 0; i < s.particles(); i++)
    for (int j = 0; j < s.dimension; j++) {
      both[0].push_back(x[3 * i + j]);
      both[1].push_back(v[3 * i + j]);
    }
  put_numbers(both[0], both[1], further);
}

// Writes the initial state and the state after every step by calling put() and step().
template <typename Put, typename Step> void each_step(const Run &run, Put put, Step step)
{
  put();
  for (long i = 0; i < run.steps; i++) {
    step();
    put();
  }
}

// refusal(system) returns "" or the reason why the engine cannot handle the system.
// trajectory(system, run, x, v) calls put_state or put_motions for the initial state and after
// every step, or throws a Failure. Angles, torsions and bodies are refused unless the last
// arguments state that the adapter supports them.
template <typename Refusal, typename Trajectory>
int serve(const std::string &greeting, Refusal refusal, Trajectory trajectory,
          bool has_angles_and_torsions = false, bool has_bodies = false)
{
  System s;
  for (std::string line; std::getline(std::cin, line); std::fflush(stdout)) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    try {
      if (what == "hello") {
        std::printf("shakedown-engine 1 %s seconds=yes\n", greeting.c_str());
      } else if (what == "system") {
        s = read_system(words);
        const bool is_bonded = !s.angles.empty() || !s.torsions.empty();
        std::string why = is_bonded && !has_angles_and_torsions
                              ? "this adapter does not support angles and torsions"
                              : body_refusal(s, has_bodies);
        why = why.empty() ? refusal(s) : why;
        std::printf("%s%s\n", why.empty() ? "ready" : "refuse ", why.c_str());
      } else if (what == "run") {
        Run run;
        words >> run.h >> run.steps >> run.tolerance;
        const std::vector<double> x = read_points(s, words, true), v = read_points(s, words, false);
        trajectory(s, run, x, v);
      }
    } catch (const Failure &f) {
      std::printf("fail %s %s\n", f.code.c_str(), f.what());
    } catch (const std::exception &e) {
      std::printf("fail not-converged %s\n", e.what());
    }
  }
  return 0;
}

} // namespace adapter

#endif
