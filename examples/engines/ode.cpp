// Shakedown's adapter for the Open Dynamics Engine: dWorldStep or, with the word `quick`,
// dWorldQuickStep. Units are not converted.
//
//   g++ -O2 -o ode ode.cpp -lode
//   shakedown simulate … 'engine(command="./ode step erp=1 cfm=0")' --allow-external …
//
// Words with a value (default: ODE's): erp, cfm and, for `quick`, iterations and sor.
//
// No order and no constraint are claimed: "ODE emphasizes speed and stability over physical
// accuracy" (its user guide, ode.org/ode-0.039-userguide.html, 1.1). dWorldStep solves by one
// factorization, dWorldQuickStep by a given number of sweeps: neither has a tolerance, and that of
// a run is ignored. Steps must be above 0. cfm is not a relative number: with masses of 1e6 and
// ODE's default of 1e-10, rods give way.
#include "adapter.h"

#include <cstdarg>
#include <ode/ode.h>

// A point is a body without a shape, which does not rotate. A rod is a double ball joint, which
// "tries to maintain a fixed distance between two anchor points" (ODE's ode/src/joints/dball.cpp),
// between two bodies or one body and the world. With J the directions of the rods a step is
//   v1 = v0 + h/m (F(q0) + Jᵀλ),  J(q0) v1 + cfm λ = erp/h (length - distance at q0),
//   q1 = q0 + h v1
// so that a rod moves along its tangent and gets longer.

using adapter::System;

static bool quick;
// Words with a value; -1: not given, default of ODE.
static std::map<std::string, double> given = {
    {"erp", -1}, {"cfm", -1}, {"sor", -1}, {"iterations", -1}};

// Replaces ODE's abort after a failed internal check, such as for a NaN; Debian's build has these
// checks.
static void stopped(int, const char *format, va_list rest)
{
  char text[300];
  std::vsnprintf(text, sizeof text, format, rest);
  throw adapter::Failure("not-finite", std::string("ODE stops: ") + text);
}

struct World {
  dWorldID world = dWorldCreate();
  std::vector<dBodyID> body;
  std::vector<double> x, v, f; // of all points; fixed ones do not change
  World(const System &s, const std::vector<double> &x, const std::vector<double> &v);
  ~World()
  {
    dWorldDestroy(world);
  }
  void put(const System &s);
  void step(double h);
};

World::World(const System &s, const std::vector<double> &x, const std::vector<double> &v)
    : x(x), v(v)
{
  dRandSetSeed(0); // dWorldQuickStep visits joints in random order
  dWorldSetGravity(world, s.gravity[0], s.gravity[1], s.gravity[2]);
  if (given["erp"] >= 0)
    dWorldSetERP(world, given["erp"]);
  if (given["cfm"] >= 0)
    dWorldSetCFM(world, given["cfm"]);
  if (given["iterations"] >= 0)
    dWorldSetQuickStepNumIterations(world, (int)given["iterations"]);
  if (given["sor"] >= 0)
    dWorldSetQuickStepW(world, given["sor"]);
  for (size_t i = 0; i < s.mass.size(); i++) {
    dMass mass;
    dMassSetSphereTotal(&mass, s.mass[i], 1);
    body.push_back(dBodyCreate(world));
    dBodySetMass(body[i], &mass);
    dBodySetPosition(body[i], x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    dBodySetLinearVel(body[i], v[3 * i], v[3 * i + 1], v[3 * i + 2]);
  }
  for (const auto &r : s.rods) {
    const double *a = &x[3 * (size_t)s.point(r.a)], *b = &x[3 * (size_t)s.point(r.b)];
    const dJointID joint = dJointCreateDBall(world, nullptr);
    dJointAttach(joint, body[(size_t)r.b], r.a >= 0 ? body[(size_t)r.a] : nullptr);
    dJointSetDBallAnchor1(joint, b[0], b[1], b[2]);
    dJointSetDBallAnchor2(joint, a[0], a[1], a[2]);
    dJointSetDBallDistance(joint, r.length);
  }
}

void World::put(const System &s)
{
  for (size_t i = 0; i < body.size(); i++)
    for (size_t k = 0; k < 3; k++) {
      x[3 * i + k] = dBodyGetPosition(body[i])[k];
      v[3 * i + k] = dBodyGetLinearVel(body[i])[k];
    }
  const double energy = adapter::forces(s, x, f);
  if (!std::isfinite(energy))
    throw adapter::Failure("not-finite", "positions in ODE are not finite");
  adapter::put_state(s, x.data(), v.data(), {energy});
}

void World::step(double h)
{
  for (size_t i = 0; i < body.size(); i++)
    dBodyAddForce(body[i], f[3 * i], f[3 * i + 1], f[3 * i + 2]);
  if (!(quick ? dWorldQuickStep(world, h) : dWorldStep(world, h)))
    throw adapter::Failure("not-converged", "ODE has no memory for the step");
}

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  if (run.h <= 0)
    throw adapter::Failure("refused", "ODE requires steps above 0");
  World world(s, x, v);
  world.put(s);
  for (long step = 0; step < run.steps; step++) {
    world.step(run.h);
    world.put(s);
  }
}

int main(int count, char **words)
{
  quick = adapter::read_words(count, words, {"step", "quick"}, given) == "quick";
  dInitODE();
  dSetDebugHandler(stopped);
  if (!dCheckConfiguration(sizeof(dReal) == 8 ? "ODE_double_precision" : "ODE_single_precision")) {
    std::fputs("ode: headers and library are of different precisions\n", stderr);
    return 1;
  }
  return adapter::serve(
      std::string("name=ode-") + (quick ? "quick" : "step") +
          " version=" dODE_VERSION " energy=yes" + (sizeof(dReal) == 8 ? "" : " precision=single"),
      [](const System &) { return std::string(); }, trajectory);
}
