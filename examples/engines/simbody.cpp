// Shakedown's adapter for Simbody: points are bodies on MobilizedBody::Translation, in Cartesian
// coordinates, rods are Constraint::Rod, with an integrator at fixed steps: `verlet`,
// `runge-kutta2`, `runge-kutta3`, `runge-kutta-merson`, `runge-kutta-feldberg`, `explicit-euler` or
// `semi-explicit-euler`. Only multipliers are converted: Simbody's are forces along a rod.
//
//   g++ -std=c++17 -O2 -o simbody simbody.cpp -isystem /usr/include/simbody -lSimTKsimbody -lSimTKmath -lSimTKcommon
//   shakedown simulate … 'engine(command="./simbody verlet")' --allow-external …
//
// The orders claimed are those of its headers; "third order" of verlet and "fifth order" of
// runge-kutta-feldberg are measured to be 2 and 4. The multipliers are those of the state. CPodes
// is not included: a multistep method does not depend on one state alone.
#include "adapter.h"

#include <Simbody.h>
#include <memory>

// Simbody does not use SHAKE: it integrates accelerations that satisfy the second derivative of the
// rods, then projects positions and velocities whose error exceeds the constraint tolerance
// (Integrator::setConstraintTolerance, "the tolerance within which constraints must be satisfied";
// System::project). All distances have equal weights in the projection, for any masses.
//
// An error above the square root of the tolerance is not projected, and at a fixed step such a step
// counts as successful (AbstractIntegratorRep.cpp). The adapter reports a failure from Simbody's
// own count of failures. A tolerance of 0 means 2e-14 (SignificantReal), Simbody's smallest; a step
// that fails with it is repeated with ten times as much, a hundred times, …, and projected to 2e-14
// by System::project.

using namespace SimTK;

struct Method {
  const char *name, *claims;
  // Accuracy of a step: Runge-Kutta does not project if its error estimate is far above it; Verlet
  // iterates to a tenth of it.
  double accuracy;
  std::unique_ptr<Integrator> (*make)(const MultibodySystem &, double);
};
template <typename T> static std::unique_ptr<Integrator> made(const MultibodySystem &system, double)
{
  return std::make_unique<T>(system);
}
static const Method methods[] = {
    {"verlet", "order-q=3 symplectic=yes", 1e-12, made<VerletIntegrator>},
    {"runge-kutta2", "order-q=2 order-p=2", 0.5, made<RungeKutta2Integrator>},
    {"runge-kutta3", "order-q=3 order-p=3", 0.5, made<RungeKutta3Integrator>},
    {"runge-kutta-merson", "order-q=4 order-p=4", 0.5, made<RungeKuttaMersonIntegrator>},
    {"runge-kutta-feldberg", "order-q=5 order-p=5", 0.5, made<RungeKuttaFeldbergIntegrator>},
    {"explicit-euler", "order-q=1 order-p=1", 0.5, made<ExplicitEulerIntegrator>},
    {"semi-explicit-euler", "order-q=1 order-p=1", 0.5,
     [](const MultibodySystem &system, double h) -> std::unique_ptr<Integrator> {
       return std::make_unique<SemiExplicitEulerIntegrator>(system, h);
     }}};
static const Method *method;

// A body and a position on it: fixed points are positions on the ground, particles the origins of
// bodies.
struct End {
  MobilizedBodyIndex body;
  Vec3 place;
};
static End end_of(const adapter::System &s, int end)
{
  if (end >= 0)
    return {MobilizedBodyIndex(end + 1), Vec3(0)};
  const auto &x = s.fixed[(size_t)(-1 - end)];
  return {GroundIndex, Vec3(x[0], x[1], x[2])};
}

class Pairs : public Force::Custom::Implementation
{
  const adapter::System &s;
  const SimbodyMatterSubsystem &matter;
  // The vector from the first end of a pair to the second.
  Vec3 between(const State &state, const adapter::Pair &p) const
  {
    const End a = end_of(s, p.a), b = end_of(s, p.b);
    return matter.getMobilizedBody(b.body).findStationLocationInGround(state, b.place) -
           matter.getMobilizedBody(a.body).findStationLocationInGround(state, a.place);
  }

public:
  Pairs(const adapter::System &s, const SimbodyMatterSubsystem &matter) : s(s), matter(matter)
  {
  }
  bool dependsOnlyOnPositions() const override
  {
    return true;
  }
  void calcForce(const State &state, Vector_<SpatialVec> &forces, Vector_<Vec3> &,
                 Vector &) const override
  {
    for (const auto &p : s.pairs) {
      const Vec3 d = between(state, p);
      const double r2 = d.normSqr(), r6 = r2 * r2 * r2;
      const double k = (p.charges / std::sqrt(r2) + (12 * p.lj12 / r6 - 6 * p.lj6) / r6) / r2;
      forces[end_of(s, p.a).body][1] -= k * d;
      forces[end_of(s, p.b).body][1] += k * d;
    }
  }
  double calcPotentialEnergy(const State &state) const override
  {
    double energy = 0;
    for (const auto &p : s.pairs) {
      const double r = between(state, p).norm(), r6 = std::pow(r, 6);
      energy += p.charges / r + (p.lj12 / r6 - p.lj6) / r6;
    }
    return energy;
  }
};

struct Simulation {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  explicit Simulation(const adapter::System &s)
  {
    const Vec3 g(s.gravity[0], s.gravity[1], s.gravity[2]);
    Force::UniformGravity(forces, matter, g);
    for (double m : s.mass)
      MobilizedBody::Translation(matter.updGround(),
                                 Body::Rigid(MassProperties(m, Vec3(0), Inertia(0))));
    for (const auto &r : s.rods) {
      const End a = end_of(s, r.a), b = end_of(s, r.b);
      Constraint::Rod(matter.updMobilizedBody(a.body), a.place, matter.updMobilizedBody(b.body),
                      b.place, r.length);
    }
    for (const auto &x : s.springs) {
      const End a = end_of(s, x.a), b = end_of(s, x.b);
      Force::TwoPointLinearSpring(forces, matter.getMobilizedBody(a.body), a.place,
                                  matter.getMobilizedBody(b.body), b.place, x.stiffness, x.rest);
    }
    if (!s.pairs.empty())
      Force::Custom(forces, new Pairs(s, matter));
  }
};

static void put(const adapter::System &s, const MultibodySystem &system, const State &state)
{
  system.realize(state, Stage::Acceleration);
  std::vector<double> more{system.calcPotentialEnergy(state)};
  for (size_t i = 0; i < s.rods.size(); i++)
    more.push_back(state.getMultipliers()[(int)i] / s.rods[i].length);
  adapter::put_state(s, &state.getQ()[0], &state.getU()[0], more);
}

// Makes one step from `now`; nothing is kept from the step before. Returns "" or why it failed.
static std::string step(Integrator &steps, State &now, double h, double tolerance)
{
  try {
    now.setTime(0);
    steps.setConstraintTolerance(tolerance);
    steps.initialize(now);
    while (steps.getTime() < h)
      steps.stepTo(h);
  } catch (const std::exception &e) {
    std::string why = e.what();
    for (char &c : why)
      c = c == '\n' ? ' ' : c;
    return why;
  }
  if (steps.getNumConvergenceTestFailures() > 0)
    return "Simbody counts a step whose projection or iteration failed, and goes on from it";
  now = steps.getState();
  return "";
}

static void trajectory(const adapter::System &s, const adapter::Run &run,
                       const std::vector<double> &x, const std::vector<double> &v)
{
  if (run.h < 0)
    throw adapter::Failure("refused", "Simbody's integrators do not go back in time");
  const Simulation simulation(s);
  const auto steps = method->make(simulation.system, run.h);
  steps->setFixedStepSize(run.h);
  steps->setAccuracy(method->accuracy);
  State now = simulation.system.realizeTopology();
  double largest = 1, shortest = s.rods.empty() ? 1 : s.rods[0].length;
  for (int i = 0; i < 3 * s.points(); i++)
    largest = std::max(largest, std::fabs(x[(size_t)i]));
  for (const auto &r : s.rods)
    shortest = std::min(shortest, r.length);
  for (int i = 0; i < 3 * s.particles(); i++) {
    now.updQ()[i] = x[(size_t)i];
    now.updU()[i] = v[(size_t)i];
  }
  put(s, simulation.system, now);
  const bool asked = run.tolerance > 0;
  const double tightest = asked ? run.tolerance * shortest : SignificantReal * largest;
  double tolerance = tightest;
  for (long i = 0; i < run.steps; i++) {
    for (std::string why; !(why = step(*steps, now, run.h, tolerance)).empty(); tolerance *= 10)
      if (asked || tolerance > 0.01 * largest)
        throw adapter::Failure("not-converged", why);
    if (tolerance > tightest)
      simulation.system.project(now, tightest);
    put(s, simulation.system, now);
  }
}

int main(int count, char **words)
{
  const std::string name = count > 1 ? words[1] : "verlet";
  for (const Method &m : methods)
    if (name == m.name)
      method = &m;
  if (!method)
    return std::fprintf(stderr, "simbody: unknown integrator %s\n", name.c_str()), 2;
  int major, minor, build;
  SimTK_version_simbody(&major, &minor, &build);
  return adapter::serve(
      "name=simbody-" + name + " version=" + std::to_string(major) + "." + std::to_string(minor) +
          "." + std::to_string(build) +
          " energy=yes multipliers=yes keeps-constraint=yes keeps-hidden=yes " + method->claims,
      [](const adapter::System &) { return std::string(); }, trajectory);
}
