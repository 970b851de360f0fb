// Shakedown's adapter for Simbody. Points are bodies on MobilizedBody::Translation, in Cartesian
// coordinates, and rods are Constraint::Rod. The fixed-step integrator is `verlet`, `runge-kutta2`,
// `runge-kutta3`, `runge-kutta-merson`, `runge-kutta-feldberg`, `explicit-euler` or
// `semi-explicit-euler`. Only multipliers are converted, because Simbody returns forces along a
// rod. Joints of mechanisms are mobilizers if they belong to a tree, and constraints if they close
// loops.
//
//   g++ -std=c++17 -O2 -o simbody simbody.cpp -isystem /usr/include/simbody -lSimTKsimbody -lSimTKmath -lSimTKcommon
//   shakedown simulate … 'engine(command="./simbody verlet")' --allow-external …
//
// The claimed orders are those stated in Simbody's headers, except that the measured orders of
// verlet ("third order") and runge-kutta-feldberg ("fifth order") are 2 and 4. The multipliers are
// those of the state. CPodes is not included, because a multistep method depends on more than one
// state.
#include "adapter.h"

#include <Simbody.h>
#include <memory>

// Simbody does not use SHAKE. It integrates accelerations that satisfy the second derivative of the
// rod constraints, and then projects positions and velocities whose error exceeds the constraint
// tolerance (Integrator::setConstraintTolerance, "the tolerance within which constraints must be
// satisfied"; System::project). In the projection, all distances have equal weights, regardless of
// the masses.
//
// If the error exceeds the square root of the tolerance, Simbody does not project the state, and if
// the step size is fixed, the step still counts as successful (AbstractIntegratorRep.cpp). The
// adapter therefore checks Simbody's failure count to report a failure. A tolerance of 0 means
// 2e-14 (SignificantReal), Simbody's smallest. A step that fails with this tolerance is repeated
// with ten times the tolerance, a hundred times, and so on, and is then projected to 2e-14 by
// System::project.

using namespace SimTK;

struct Method {
  const char *name, *claims;
  // The accuracy of a step. Runge-Kutta methods do not project if their error estimate is far above
  // this accuracy, and Verlet iterates to a tenth of it.
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

// A body and a position on it. Fixed points are positions on the ground, and particles are the
// origins of bodies.
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
  std::vector<double> further{system.calcPotentialEnergy(state)};
  for (size_t i = 0; i < s.rods.size(); i++)
    further.push_back(state.getMultipliers()[(int)i] / s.rods[i].length);
  adapter::put_state(s, &state.getQ()[0], &state.getU()[0], further);
}

// ---- mechanisms ----

using adapter::Branch;
using adapter::Joint;
using adapter::Placed;
using Pose = adapter::Motion; // Simbody has a Motion and a Vec
using Triple = adapter::Vec;
using adapter::Wrench;

static Vec3 vec3(const Triple &x)
{
  return Vec3(x[0], x[1], x[2]);
}
static Triple vector(const Vec3 &x)
{
  return {x[0], x[1], x[2]};
}
// Returns axes that are orthonormal up to the error in the initial state.
static Rotation rotation(const Triple &x, const Triple &y)
{
  return Rotation(UnitVec3(vec3(x)), XAxis, vec3(y), YAxis);
}

// Functions that create mobilizers. The key "" is for a free body.
using Hang = MobilizedBody (*)(MobilizedBody &, const Transform &, const Body &, const Transform &,
                               MobilizedBody::Direction);
template <typename T>
static MobilizedBody hung(MobilizedBody &parent, const Transform &in_parent, const Body &body,
                          const Transform &in_body, MobilizedBody::Direction way)
{
  if constexpr (std::is_same_v<T, MobilizedBody::Weld>)
    return T(parent, in_parent, body, in_body);
  else
    return T(parent, in_parent, body, in_body, way);
}
static const std::map<std::string, Hang> kinds = {{"", hung<MobilizedBody::Free>},
                                                  {"spherical", hung<MobilizedBody::Ball>},
                                                  {"revolute", hung<MobilizedBody::Pin>},
                                                  {"prismatic", hung<MobilizedBody::Slider>},
                                                  {"cylindrical", hung<MobilizedBody::Cylinder>},
                                                  {"universal", hung<MobilizedBody::Universal>},
                                                  {"planar", hung<MobilizedBody::Planar>},
                                                  {"weld", hung<MobilizedBody::Weld>}};

struct Assembly {
  MultibodySystem system;
  State state;
  const adapter::System &s;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  adapter::Tree tree;
  std::vector<MobilizedBodyIndex> bodies;
  std::vector<std::vector<ConstraintIndex>> rows; // rows of the closing joints
  Assembly(const adapter::System &s, const std::vector<Pose> &start);
  MobilizedBodyIndex index(int body) const;
  Rotation frame(const Branch &b, const std::vector<Pose> &start) const;
  void hang(const Branch &b, const std::vector<Pose> &start);
  void close(const Joint &j);
  std::vector<Pose> motions(const State &now) const;
  Wrench closing_wrench(const State &now, size_t k, const std::vector<Pose> &x) const;
  void put(const State &now) const;
};

// The ground is body -1.
MobilizedBodyIndex Assembly::index(int body) const
{
  return body < 0 ? GroundIndex : bodies[(size_t)body];
}

// Simbody's bodies have their origin at r and the axes d.
std::vector<Pose> Assembly::motions(const State &now) const
{
  std::vector<Pose> out(bodies.size());
  for (size_t i = 0; i < out.size(); i++) {
    const MobilizedBody &b = matter.getMobilizedBody(bodies[i]);
    const Rotation &R = b.getBodyRotation(now);
    for (size_t k = 0; k < 3; k++)
      out[i].d[k] = vector(R((int)k));
    out[i].r = vector(b.getBodyOriginLocation(now));
    out[i].v = vector(b.getBodyOriginVelocity(now));
    out[i].w = vector(b.getBodyAngularVelocity(now));
  }
  return out;
}

// Springs, dampers and loads.
class Forces : public Force::Custom::Implementation
{
  const Assembly &all;

public:
  explicit Forces(const Assembly &all) : all(all)
  {
  }
  void calcForce(const State &now, Vector_<SpatialVec> &forces, Vector_<Vec3> &,
                 Vector &) const override
  {
    const auto found = adapter::applied(all.s.mechanism, all.motions(now));
    for (size_t i = 0; i < found.size(); i++)
      forces[all.bodies[i]] += SpatialVec(vec3(found[i].torque), vec3(found[i].force));
  }
  double calcPotentialEnergy(const State &) const override
  {
    return 0; // not requested, because adapter::potential contains all of it
  }
};

// The axes of a branch in space. The axis of Simbody's mobilizers is z; sliders use x, and
// universals use x and y.
Rotation Assembly::frame(const Branch &b, const std::vector<Pose> &start) const
{
  if (b.joint < 0)
    return Rotation();
  const Joint &j = s.mechanism.joints[(size_t)b.joint];
  const Placed at(j, start);
  if (j.type == "universal")
    return rotation(at.axis[0][2], at.axis[1][0]);
  const bool slides = j.type == "prismatic";
  return rotation(at.axis[0][slides ? 2 : 0], at.axis[0][slides ? 0 : 1]);
}

// Initially, the frames of a branch in its two bodies coincide at the joint's point.
void Assembly::hang(const Branch &b, const std::vector<Pose> &start)
{
  const adapter::Attachment joined(s.mechanism, b, start);
  const adapter::Body &rigid = s.mechanism.bodies[(size_t)b.child];
  const Triple I = rigid.moments();
  const Body::Rigid body(MassProperties(rigid.mass, vec3(rigid.centre), Inertia(I[0], I[1], I[2])));
  const Transform in_space(frame(b, start), vec3(joined.at));
  const auto in = [&](const Pose &x) {
    return ~Transform(rotation(x.d[0], x.d[1]), vec3(x.r)) * in_space;
  };
  const Hang make = kinds.at(b.joint < 0 ? "" : s.mechanism.joints[(size_t)b.joint].type);
  const auto way = b.joint >= 0 && b.side == 0 ? MobilizedBody::Reverse : MobilizedBody::Forward;
  bodies[(size_t)b.child] =
      make(matter.updMobilizedBody(index(b.parent)), in(joined.parent), body, in(joined.child), way)
          .getMobilizedBodyIndex();
}

// Creates one constraint for each row of the joint, but only a single one for all rows of a point.
void Assembly::close(const Joint &j)
{
  MobilizedBody &a = matter.updMobilizedBody(index(j.bodies[0]));
  MobilizedBody &b = matter.updMobilizedBody(index(j.bodies[1]));
  const Vec3 p = vec3(j.frames[0].place), q = vec3(j.frames[1].place);
  const auto axis = [&](size_t side, char number) {
    return UnitVec3(vec3(j.frames[side].axes[(size_t)(number - '1')]));
  };
  std::vector<ConstraintIndex> made;
  const auto names = j.rows.empty() ? std::vector<std::string>{"p1"} : adapter::rows_of(j);
  for (const std::string &row : names)
    if (row[0] == 'p' && made.empty())
      made.push_back(Constraint::Ball(a, p, b, q).getConstraintIndex());
    else if (row[0] == 'o')
      made.push_back(
          Constraint::ConstantAngle(a, axis(0, row[1]), b, axis(1, row[2])).getConstraintIndex());
    else if (row[0] == 'a')
      made.push_back(Constraint::PointInPlane(a, axis(0, row[1]), ~axis(0, row[1]) * p, b, q)
                         .getConstraintIndex());
    else if (row[0] == 'd')
      made.push_back(Constraint::Rod(a, p, b, q, j.length).getConstraintIndex());
  rows.push_back(made);
}

Assembly::Assembly(const adapter::System &s, const std::vector<Pose> &start)
    : s(s), matter(system), forces(system),
      tree(adapter::spanning_tree(
          s.mechanism, [](const Joint &j) { return kinds.count(j.type) > 0; },
          [](const Joint &) { return true; })),
      bodies(start.size())
{
  Force::UniformGravity(forces, matter, vec3(s.mechanism.gravity));
  Force::Custom(forces, new Forces(*this));
  for (const Branch &b : tree.branches)
    hang(b, start);
  for (int i : tree.closing)
    close(s.mechanism.joints[(size_t)i]);
  state = system.realizeTopology();
  for (const Branch &b : tree.branches) {
    const adapter::Attachment joined(s.mechanism, b, start);
    const Rotation R = frame(b, start);
    MobilizedBody &moved = matter.updMobilizedBody(bodies[(size_t)b.child]);
    moved.setQToFitTransform(state, Transform());
    moved.setUToFitVelocity(state, SpatialVec(~R * vec3(joined.spin), ~R * vec3(joined.speed)));
  }
}

// In Simbody, constraint forces have the opposite sign to applied forces.
Wrench Assembly::closing_wrench(const State &now, size_t k, const std::vector<Pose> &x) const
{
  const Joint &j = s.mechanism.joints[(size_t)tree.closing[k]];
  const int body = j.bodies[j.moving()];
  Wrench sum; // about the body's origin
  for (ConstraintIndex row : rows[k]) {
    const Constraint &c = matter.getConstraint(row);
    Vector_<SpatialVec> on_bodies;
    Vector on_mobilities;
    c.getConstraintForcesAsVectors(now, on_bodies, on_mobilities);
    for (ConstrainedBodyIndex i(0); i < c.getNumConstrainedBodies(); i++)
      if (c.getMobilizedBodyFromConstrainedBody(i).getMobilizedBodyIndex() == index(body))
        sum += -1.0 * Wrench{vector(on_bodies[i][1]), vector(on_bodies[i][0])};
  }
  return j.on_second(j.moving(), sum.about(Placed(j, x).x[1] - x[(size_t)body].r));
}

void Assembly::put(const State &now) const
{
  system.realize(now, Stage::Acceleration);
  const auto x = motions(now);
  std::vector<Wrench> reactions(s.mechanism.joints.size());
  Vector_<SpatialVec> at_joints;
  matter.calcMobilizerReactionForces(now, at_joints);
  for (const Branch &b : tree.branches)
    if (b.joint >= 0) {
      const SpatialVec &w = at_joints[bodies[(size_t)b.child]];
      reactions[(size_t)b.joint] =
          s.mechanism.joints[(size_t)b.joint].on_second(b.side, {vector(w[1]), vector(w[0])});
    }
  for (size_t k = 0; k < rows.size(); k++)
    reactions[(size_t)tree.closing[k]] = closing_wrench(now, k, x);
  adapter::put_reactions(s.mechanism, x, reactions);
}

// Takes one step from `now`, without using anything from the previous step. Returns "" or the
// reason for a failure.
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

// Computes a trajectory of a system whose positions have the given size. `put` writes states.
template <typename Put>
static void integrate(const MultibodySystem &system, State &now, const adapter::Run &run,
                      double largest, double shortest, Put put)
{
  const auto steps = method->make(system, run.h);
  steps->setFixedStepSize(run.h);
  steps->setAccuracy(method->accuracy);
  put(now);
  const bool asked = run.tolerance > 0;
  const double tightest = asked ? run.tolerance * shortest : SignificantReal * largest;
  double tolerance = tightest;
  for (long i = 0; i < run.steps; i++) {
    for (std::string why; !(why = step(*steps, now, run.h, tolerance)).empty(); tolerance *= 10)
      if (asked || tolerance > 0.01 * largest)
        throw adapter::Failure("not-converged", why);
    if (tolerance > tightest)
      system.project(now, tightest);
    put(now);
  }
}

static void trajectory(const adapter::System &s, const adapter::Run &run,
                       const std::vector<double> &x, const std::vector<double> &v)
{
  if (run.h < 0)
    throw adapter::Failure("refused", "Simbody's integrators do not go back in time");
  double largest = 1;
  for (double value : x)
    largest = std::max(largest, std::fabs(value));
  if (!s.mechanism.bodies.empty()) {
    Assembly assembly(s, adapter::motions(s.mechanism, x, v));
    State now = assembly.state;
    integrate(assembly.system, now, run, largest, 1, [&](const State &at) { assembly.put(at); });
    return;
  }
  const Simulation simulation(s);
  State now = simulation.system.realizeTopology();
  double shortest = s.rods.empty() ? 1 : s.rods[0].length;
  for (const auto &r : s.rods)
    shortest = std::min(shortest, r.length);
  for (int i = 0; i < 3 * s.particles(); i++) {
    now.updQ()[i] = x[(size_t)i];
    now.updU()[i] = v[(size_t)i];
  }
  integrate(simulation.system, now, run, largest, shortest,
            [&](const State &at) { put(s, simulation.system, at); });
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
      [](const adapter::System &) { return std::string(); }, trajectory, false, true);
}
