// Shakedown's adapter for LAMMPS. It uses velocity Verlet (fix nve) with `fix shake` or, with the
// word `rattle`, `fix rattle`. Units are reduced (units lj), so every constant is 1 and nothing is
// converted.
//
//   g++ -O2 -I/usr/include/lammps -o lammps lammps.cpp -llammps
//   shakedown simulate … 'engine(command="./lammps rattle")' --allow-external …
//
// LAMMPS constrains bonds and angles in "small clusters of atoms" (docs.lammps.org/fix_shake.html),
// which have at most 4 atoms around a central one. The adapter therefore refuses a chain of three
// rods. It also refuses triangles, except those with two equal sides, whose third side is enforced
// by an angle. fix shake "is applied to positions alone"; rattle "also to velocities".
//
// A fixed point is an atom with mass 1e30 that does not move and is not subject to gravity. The
// initial state is passed to LAMMPS without rounding. The iteration in LAMMPS does not reach
// tolerances below 1e-14; for these, it does 100 iterations.
#include "adapter.h"

#include <cstdarg>
#include <library.h>

using adapter::System;

static bool rattles;

static std::vector<std::vector<int>> clusters(const System &s)
{
  std::vector<int> of((size_t)s.points());
  for (int i = 0; i < s.points(); i++)
    of[(size_t)i] = i;
  for (int pass = 0; pass < s.points(); pass++)
    for (const auto &r : s.rods) {
      int &a = of[(size_t)s.point(r.a)], &b = of[(size_t)s.point(r.b)];
      a = b = std::min(a, b);
    }
  std::vector<std::vector<int>> out((size_t)s.points());
  for (size_t i = 0; i < s.rods.size(); i++)
    out[(size_t)of[(size_t)s.point(s.rods[i].a)]].push_back((int)i);
  return out;
}

static bool joins(const adapter::Rod &r, int end)
{
  return r.a == end || r.b == end;
}

// The rod of a cluster that is the third side of its angle, -1 if there is none, or -2 if LAMMPS
// does not support the cluster.
static int third_side(const System &s, const std::vector<int> &rods)
{
  for (int centre = -(int)s.fixed.size(); centre < s.particles(); centre++) {
    std::vector<int> out;
    for (int i : rods)
      if (!joins(s.rods[(size_t)i], centre))
        out.push_back(i);
    const size_t spokes = rods.size() - out.size();
    if (out.empty() && spokes <= 3)
      return -1;
    if (out.size() == 1 && spokes == 2) {
      const adapter::Rod &third = s.rods[(size_t)out[0]];
      bool closes = true;
      double l[2], *at = l;
      for (int i : rods) {
        const adapter::Rod &r = s.rods[(size_t)i];
        if (i == out[0])
          continue;
        *at++ = r.length;
        closes = closes && joins(third, r.a == centre ? r.b : r.a);
      }
      if (closes && std::fabs(l[0] - l[1]) <= 1e-12 * l[0])
        return out[0];
    }
  }
  return -2;
}

static std::string refusal(const System &s)
{
  for (const auto &rods : clusters(s))
    if (!rods.empty() && third_side(s, rods) == -2)
      return "fix shake takes clusters of at most four atoms: rods from one atom, or a triangle "
             "with "
             "two equal sides";
  for (const auto &p : s.pairs)
    if (p.charges != 0 || p.lj12 * p.lj6 < 0 || (p.lj12 == 0) != (p.lj6 == 0))
      return "pairs must be Lennard-Jones, without charges";
  return s.rods.empty() ? "there are no rods: fix shake requires some" : "";
}

// ---- a simulation ----

struct Simulation {
  void *lammps = nullptr;
  Simulation()
  {
    const char *words[] = {"lammps", "-log", "none", "-screen", "none", "-nocite"};
    lammps = lammps_open_no_mpi(6, (char **)words, nullptr);
  }
  ~Simulation()
  {
    lammps_close(lammps);
  }
  void say(const char *format, ...) __attribute__((format(printf, 2, 3)))
  {
    char *command = nullptr, text[1024];
    va_list rest;
    va_start(rest, format);
    if (vasprintf(&command, format, rest) < 0)
      throw std::bad_alloc();
    va_end(rest);
    lammps_command(lammps, command);
    free(command);
    if (lammps_has_error(lammps)) {
      lammps_get_last_error_message(lammps, text, sizeof text);
      for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
      throw adapter::Failure("not-converged", text);
    }
  }
};

// The bond types are the rods, followed by the springs. There is one angle type per triangle.
static void create(Simulation &l, const System &s, const std::vector<double> &x,
                   const std::vector<double> &v)
{
  double size = 1;
  for (double r : x)
    size = std::max(size, std::fabs(r));
  l.say("units lj");
  l.say("atom_style molecular");
  l.say("atom_modify map array sort 0 0");
  l.say("boundary f f f");
  l.say("newton off");
  l.say("neighbor 0.3 nsq");
  const double edge = 1e3 * size;
  l.say("region box block %g %g %g %g %g %g", -edge, edge, -edge, edge, -edge, edge);
  l.say("create_box %d box bond/types %zu angle/types %zu extra/bond/per/atom 8 "
        "extra/angle/per/atom 4 extra/special/per/atom 16",
        s.points(), s.rods.size() + s.springs.size(), s.rods.size());
  std::vector<int> id, type;
  for (int i = 0; i < s.points(); i++)
    id.push_back(i + 1), type.push_back(i + 1);
  lammps_create_atoms(l.lammps, s.points(), id.data(), type.data(), x.data(), v.data(), nullptr, 0);
  for (int i = 0; i < s.points(); i++)
    l.say("mass %d %.17g", i + 1, i < s.particles() ? s.mass[(size_t)i] : 1e30);
}

static std::string bond_all(Simulation &l, const System &s)
{
  std::string bonds, angles;
  size_t type = 0;
  l.say("bond_style harmonic");
  l.say("angle_style harmonic");
  l.say("special_bonds lj 1 1 1");
  for (const auto &r : s.rods)
    l.say("bond_coeff %zu 0 %.17g", ++type, r.length);
  for (const auto &r : s.springs)
    l.say("bond_coeff %zu %.17g %.17g", ++type, r.stiffness / 2, r.rest);
  for (const auto &rods : clusters(s)) {
    const int third = rods.empty() ? -1 : third_side(s, rods);
    for (int i : rods)
      if (i != third) {
        const auto &r = s.rods[(size_t)i];
        l.say("create_bonds single/bond %d %d %d", i + 1, s.point(r.a) + 1, s.point(r.b) + 1);
        bonds += " " + std::to_string(i + 1);
      }
    if (third < 0)
      continue;
    const auto &r = s.rods[(size_t)third],
               &side = s.rods[(size_t)(rods[0] == third ? rods[1] : rods[0])];
    const int centre = joins(r, side.a) ? side.b : side.a;
    l.say("angle_coeff %d 0 %.17g", third + 1,
          2 * std::asin(r.length / side.length / 2) * 180 / M_PI);
    l.say("create_bonds single/angle %d %d %d %d", third + 1, s.point(r.a) + 1, s.point(centre) + 1,
          s.point(r.b) + 1);
    angles += " " + std::to_string(third + 1);
  }
  for (size_t i = 0; i < s.springs.size(); i++)
    l.say("create_bonds single/bond %zu %d %d", s.rods.size() + i + 1, s.point(s.springs[i].a) + 1,
          s.point(s.springs[i].b) + 1);
  for (size_t i = 0; i < s.rods.size(); i++) // unused types must be set too
    if ((angles + " ").find(" " + std::to_string(i + 1) + " ") == std::string::npos)
      l.say("angle_coeff %zu 0 90", i + 1);
  return "b" + bonds + (angles.empty() ? "" : " a" + angles);
}

static void interact(Simulation &l, const System &s, const std::vector<double> &x)
{
  double size = 1;
  for (double r : x)
    size = std::max(size, std::fabs(r));
  l.say(s.pairs.empty() ? "pair_style zero %g" : "pair_style lj/cut %g", 4e3 * size);
  l.say(s.pairs.empty() ? "pair_coeff * *" : "pair_coeff * * 0 1");
  for (const auto &p : s.pairs)
    if (p.lj12 > 0) {
      const int a = s.point(p.a) + 1, b = s.point(p.b) + 1;
      l.say("pair_coeff %d %d %.17g %.17g", std::min(a, b), std::max(a, b),
            p.lj6 * p.lj6 / p.lj12 / 4, std::pow(p.lj12 / p.lj6, 1.0 / 6));
    }
  l.say("group moving id 1:%d", s.particles());
  l.say("fix integrate moving nve");
  const auto &a = s.gravity;
  const double size_of = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  if (size_of > 0)
    l.say("fix weight moving gravity %.17g vector %.17g %.17g %.17g", size_of, a[0], a[1], a[2]);
}

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  Simulation l;
  create(l, s, x, v);
  const std::string kept = bond_all(l, s);
  interact(l, s, x);
  l.say("timestep %.17g", run.h);
  l.say("fix rods all %s %.17g 100 0 %s", rattles ? "rattle" : "shake",
        run.tolerance > 0 ? run.tolerance : 1e-14, kept.c_str());
  std::vector<double> now_x(x), now_v(v);
  adapter::put_state(s, x.data(), v.data());
  for (long step = 0; step < run.steps; step++) {
    l.say(step == 0 ? "run 1 post no" : "run 1 pre no post no");
    lammps_gather_atoms(l.lammps, (char *)"x", 1, 3, now_x.data());
    lammps_gather_atoms(l.lammps, (char *)"v", 1, 3, now_v.data());
    adapter::put_state(s, now_x.data(), now_v.data());
  }
}

int main(int count, char **words)
{
  rattles = count > 1 && std::string(words[1]) == "rattle";
  const std::string version = std::to_string(lammps_version(Simulation().lammps));
  return adapter::serve((rattles ? "name=lammps-rattle keeps-hidden=yes" : "name=lammps-shake") +
                            std::string(" order-q=2 order-p=2 keeps-constraint=yes version=") +
                            version,
                        refusal, trajectory);
}
