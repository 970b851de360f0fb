// Shakedown's adapter for OpenMM. The integrator is `verlet` (leapfrog, VerletIntegrator) or
// `velocity-verlet` (a CustomIntegrator, as in OpenMM's documentation), on the platform Reference
// (double precision) or CPU. Units are nm, ps, u and kJ/mol, as in OpenMM, so nothing is converted.
//
//   g++ -O2 -o openmm openmm.cpp -lOpenMM
//   shakedown simulate … 'engine(command="./openmm verlet Reference")' --allow-external …
//
// Constraints are created by System::addConstraint. OpenMM chooses the algorithm. For triangles
// with two equal sides whose points have no other constraint, it uses SETTLE with single-precision
// lengths; otherwise, it uses CCMA, which silently stops after 150 iterations. Particles of mass 0
// cannot be constrained, so a fixed point is a particle of mass 1e30. As OpenMM's manual states,
// leapfrog velocities are half a step behind the positions.
#include "adapter.h"

#include <OpenMM.h>
#include <memory>

using adapter::System;
using OpenMM::Vec3;

static bool leaps;
static std::string platform;

static std::string refusal(const System &s)
{
  for (const auto &x : s.torsions)
    if (x.kind == "improper")
      return "OpenMM has no harmonic torsions";
  return "";
}

// A pair force given by a formula. If a spring or pair is missing, its term is 0*0, which costs
// nothing.
template <typename Add>
static void add_bonds(OpenMM::System &system, const char *formula,
                      const std::vector<std::string> &names, Add add)
{
  auto *force = new OpenMM::CustomBondForce(formula);
  for (const auto &name : names)
    force->addPerBondParameter(name);
  add(*force);
  system.addForce(force);
}

static void add_bonded(OpenMM::System &system, const System &s)
{
  auto *angles = new OpenMM::HarmonicAngleForce();
  for (const auto &x : s.angles)
    angles->addAngle(s.point(x.at[0]), s.point(x.at[1]), s.point(x.at[2]), x.rest, x.stiffness);
  system.addForce(angles);
  auto *periodic = new OpenMM::PeriodicTorsionForce();
  auto *cosines = new OpenMM::RBTorsionForce();
  for (const auto &x : s.torsions) {
    const int a = s.point(x.at[0]), b = s.point(x.at[1]), c = s.point(x.at[2]),
              d = s.point(x.at[3]);
    const auto &n = x.numbers;
    if (x.kind == "periodic")
      periodic->addTorsion(a, b, c, d, (int)n[0], n[2], n[1]);
    else
      cosines->addTorsion(a, b, c, d, n[0], n[1], n[2], n[3], n[4], n[5]);
  }
  system.addForce(periodic);
  system.addForce(cosines);
}

static void add_forces(OpenMM::System &system, const System &s)
{
  add_bonded(system, s);
  if (!s.springs.empty())
    add_bonds(system, "0.5*k*(r-l)^2", {"k", "l"}, [&](OpenMM::CustomBondForce &f) {
      for (const auto &x : s.springs)
        f.addBond(s.point(x.a), s.point(x.b), {x.stiffness, x.rest});
    });
  if (!s.pairs.empty())
    add_bonds(system, "c/r+a/r^12-b/r^6", {"c", "a", "b"}, [&](OpenMM::CustomBondForce &f) {
      for (const auto &x : s.pairs)
        f.addBond(s.point(x.a), s.point(x.b), {x.charges, x.lj12, x.lj6});
    });
  auto *weight = new OpenMM::CustomExternalForce("-(wx*x+wy*y+wz*z)");
  for (const char *name : {"wx", "wy", "wz"})
    weight->addPerParticleParameter(name);
  for (int i = 0; i < s.particles(); i++) {
    const double m = s.mass[(size_t)i];
    weight->addParticle(i, {m * s.gravity[0], m * s.gravity[1], m * s.gravity[2]});
  }
  system.addForce(weight);
}

static std::unique_ptr<OpenMM::Integrator> integrator(double h)
{
  if (leaps)
    return std::make_unique<OpenMM::VerletIntegrator>(h);
  auto custom = std::make_unique<OpenMM::CustomIntegrator>(h);
  custom->addPerDofVariable("x1", 0);
  custom->addUpdateContextState();
  custom->addComputePerDof("v", "v+0.5*dt*f/m");
  custom->addComputePerDof("x", "x+dt*v");
  custom->addComputePerDof("x1", "x");
  custom->addConstrainPositions();
  custom->addComputePerDof("v", "v+0.5*dt*f/m+(x-x1)/dt");
  custom->addConstrainVelocities();
  return custom;
}

static std::vector<Vec3> vectors(const std::vector<double> &x)
{
  std::vector<Vec3> out;
  for (size_t i = 0; i < x.size(); i += 3)
    out.emplace_back(x[i], x[i + 1], x[i + 2]);
  return out;
}

static std::vector<double> numbers(const std::vector<Vec3> &x)
{
  std::vector<double> out;
  for (const Vec3 &r : x)
    out.insert(out.end(), {r[0], r[1], r[2]});
  return out;
}

static void put(const System &s, OpenMM::Context &context)
{
  const OpenMM::State state = context.getState(OpenMM::State::Positions |
                                               OpenMM::State::Velocities | OpenMM::State::Energy);
  adapter::put_state(s, numbers(state.getPositions()).data(), numbers(state.getVelocities()).data(),
                     {state.getPotentialEnergy()});
}

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  OpenMM::System system;
  for (int i = 0; i < s.points(); i++)
    system.addParticle(i < s.particles() ? s.mass[(size_t)i] : 1e30);
  for (const auto &r : s.rods)
    system.addConstraint(s.point(r.a), s.point(r.b), r.length);
  add_forces(system, s);
  const auto steps = integrator(run.h);
  steps->setConstraintTolerance(run.tolerance > 0 ? run.tolerance : 1e-14);
  OpenMM::Context context(system, *steps, OpenMM::Platform::getPlatformByName(platform));
  context.setPositions(vectors(x));
  context.setVelocities(vectors(v));
  put(s, context);
  for (long step = 0; step < run.steps; step++) {
    steps->step(1);
    put(s, context);
  }
}

int main(int count, char **words)
{
  leaps = count > 1 && std::string(words[1]) == "verlet";
  platform = count > 2 ? words[2] : "Reference";
  OpenMM::Platform::loadPluginsFromDirectory(OpenMM::Platform::getDefaultPluginsDirectory());
  const bool exact = platform == "Reference";
  return adapter::serve("name=openmm-" + std::string(leaps ? "verlet" : "velocity-verlet") +
                            " version=" + OpenMM::Platform::getOpenMMVersion() +
                            " energy=yes order-q=2 order-p=2" + (leaps ? " velocities=half" : "") +
                            (exact ? " keeps-constraint=yes" : " precision=single") +
                            (exact && !leaps ? " keeps-hidden=yes" : ""),
                        refusal, trajectory, true);
}
