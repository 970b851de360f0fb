// What adapters in C++ share (docs/engines.md): the words of the protocol. An adapter includes this
// file, says what it is, and gives two functions: why a system is not for its engine, and a trajectory.
#ifndef ADAPTER_H
#define ADAPTER_H

#include <cmath>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace adapter
{

// Ends count particles from 0; a fixed point k is -1 - k, and only `a` can be one.
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

struct System {
  int dimension = 0;
  std::vector<double> mass;               // of the particles
  std::vector<std::vector<double>> fixed; // places, of three numbers
  std::vector<double> gravity;            // three numbers, zeros without
  std::vector<Rod> rods;
  std::vector<Spring> springs;
  std::vector<Pair> pairs;
  std::vector<Angle> angles;
  std::vector<Torsion> torsions;
  int particles() const
  {
    return (int)mass.size();
  }
  int points() const
  {
    return particles() + (int)fixed.size();
  }
  // The number among all points, fixed ones last, of an end.
  int point(int end) const
  {
    return end >= 0 ? end : particles() - 1 - end;
  }
};

struct Run {
  double h, tolerance;
  long steps;
};

// A trajectory's failure: not-converged, singular, not-finite or refused, with the reason.
struct Failure : std::runtime_error {
  std::string code;
  Failure(const std::string &code, const std::string &why) : std::runtime_error(why), code(code)
  {
  }
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
    } else {
      throw Failure("refused", "the system has a word that this adapter does not know: " + key);
    }
  }
  return s;
}

// Places or velocities of all points in space, by threes; fixed points are at their places, at rest.
inline std::vector<double> read_points(const System &s, std::istream &words, bool places)
{
  std::vector<double> x;
  for (int i = 0; i < s.points(); i++) {
    const bool moves = i < s.particles();
    const std::vector<double> r = moves    ? in_space(s, words)
                                  : places ? s.fixed[(size_t)(i - s.particles())]
                                           : std::vector<double>(3, 0.0);
    x.insert(x.end(), r.begin(), r.end());
  }
  return x;
}

// Processor time since the last state was put: what the engine and its adapter spent on the step.
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

// One state: x and v of all points by threes; `more`: energy, multipliers, iterations, as greeted. The
// time that its step took follows them (the greeting's key seconds=yes).
inline void put_state(const System &s, const double *x, const double *v,
                      const std::vector<double> &more = {})
{
  const double seconds = lap(false);
  std::fputs("state", stdout);
  for (const double *from : {x, v})
    for (int i = 0; i < s.particles(); i++)
      for (int j = 0; j < s.dimension; j++)
        std::printf(" %.17g", from[3 * i + j]);
  for (double value : more)
    std::printf(" %.17g", value);
  std::printf(" %.3g\n", seconds);
  lap(true);
}

// refusal(system): "" or why the engine cannot have it. trajectory(system, run, x, v) calls
// put_state for the start and after every step, or throws a Failure. Angles and torsions come only to an
// adapter that says that it has them.
template <typename Refusal, typename Trajectory>
int serve(const std::string &greeting, Refusal refusal, Trajectory trajectory,
          bool has_angles_and_torsions = false)
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
        const std::string why = is_bonded && !has_angles_and_torsions
                                    ? "this adapter has no angles and torsions"
                                    : refusal(s);
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
