// Shakedown's adapter for the Open Dynamics Engine. It uses dWorldStep or, with the word `quick`,
// dWorldQuickStep. Units are not converted.
//
//   g++ -O2 -o ode ode.cpp -lode
//   shakedown simulate … 'engine(command="./ode step erp=1 cfm=0")' --allow-external …
//
// The words erp, cfm and, for `quick`, iterations and sor have a value, which defaults to ODE's
// default.
//
// Neither an order nor constraints are claimed, because "ODE emphasizes speed and stability over
// physical accuracy" (ODE's user guide, ode.org/ode-0.039-userguide.html, 1.1). dWorldStep does one
// factorization, and dWorldQuickStep does a given number of sweeps. Neither has a tolerance, so the
// tolerance of a run is ignored. Steps must be positive. cfm is an absolute number, so rods yield
// if masses are 1e6 and cfm has ODE's default of 1e-10.
#include "adapter.h"

#include <cstdarg>
#include <ode/ode.h>

// A point is a body without a shape, which does not rotate. A rod is a double ball joint, which
// "tries to maintain a fixed distance between two anchor points" (ODE's ode/src/joints/dball.cpp),
// between two bodies or one body and the world. If J contains the directions of the rods, a step is
//   v1 = v0 + h/m (F(q0) + Jᵀλ),  J(q0) v1 + cfm λ = erp/h (length - distance at q0),
//   q1 = q0 + h v1
// A rod therefore moves along its tangent and becomes longer.

using adapter::System;

static bool quick;
// Values of the words; -1 means not given, so that ODE's default is used.
static std::map<std::string, double> given = {
    {"erp", -1}, {"cfm", -1}, {"sor", -1}, {"iterations", -1}};

// Replaces ODE's abort after a failed internal check, such as one for a NaN. Debian's build
// contains these checks.
static void stopped(int, const char *format, va_list rest)
{
  char text[300];
  std::vsnprintf(text, sizeof text, format, rest);
  throw adapter::Failure("not-finite", std::string("ODE stops: ") + text);
}

struct World {
  dWorldID world = dWorldCreate();
  std::vector<dBodyID> body;
  std::vector<double> x, v, f;          // for all points; fixed points do not change
  std::vector<dJointFeedback> feedback; // of rods
  std::vector<double> lambda;
  World(const System &s, const std::vector<double> &x, const std::vector<double> &v);
  ~World()
  {
    dWorldDestroy(world);
  }
  void put(const System &s);
  void step(const System &s, double h);
  void advance(double h);
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
  feedback.resize(s.rods.size());
  lambda.resize(s.rods.size());
  for (size_t i = 0; i < s.rods.size(); i++) {
    const auto &r = s.rods[i];
    const double *a = &x[3 * (size_t)s.point(r.a)], *b = &x[3 * (size_t)s.point(r.b)];
    const dJointID joint = dJointCreateDBall(world, nullptr);
    dJointAttach(joint, body[(size_t)r.b], r.a >= 0 ? body[(size_t)r.a] : nullptr);
    dJointSetDBallAnchor1(joint, b[0], b[1], b[2]);
    dJointSetDBallAnchor2(joint, a[0], a[1], a[2]);
    dJointSetDBallDistance(joint, r.length);
    dJointSetFeedback(joint, &feedback[i]);
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
  lambda.insert(lambda.begin(), energy);
  adapter::put_state(s, x.data(), v.data(), lambda);
  lambda.erase(lambda.begin());
}

void World::step(const System &s, double h)
{
  for (size_t i = 0; i < body.size(); i++)
    dBodyAddForce(body[i], f[3 * i], f[3 * i + 1], f[3 * i + 2]);
  advance(h);
  for (size_t i = 0; i < s.rods.size(); i++) { // along the rods at the old point
    double along = 0, square = 0;
    for (size_t k = 0; k < 3; k++) {
      const double d =
          x[3 * (size_t)s.point(s.rods[i].b) + k] - x[3 * (size_t)s.point(s.rods[i].a) + k];
      along += feedback[i].f1[k] * d;
      square += d * d;
    }
    lambda[i] = -along / square;
  }
}

void World::advance(double h)
{
  if (!(quick ? dWorldQuickStep(world, h) : dWorldStep(world, h)))
    throw adapter::Failure("not-converged", "ODE has no memory for the step");
}

// ---- mechanisms ----

// A body in ODE has its origin at the centre of mass. Springs, dampers and loads are forces
// evaluated at the old point. The multipliers are those of the step and are computed from the
// reactions that ODE reports at its beginning.

using adapter::Joint;
using adapter::Motion;
using adapter::Vec;
using adapter::Wrench;

static const std::map<std::string, dJointID (*)(dWorldID, dJointGroupID)> kinds = {
    {"spherical", dJointCreateBall},      {"revolute", dJointCreateHinge},
    {"prismatic", dJointCreateSlider},    {"cylindrical", dJointCreatePiston},
    {"universal", dJointCreateUniversal}, {"weld", dJointCreateFixed},
    {"distance", dJointCreateDBall}};

static std::string refusal(const System &s)
{
  for (const Joint &j : s.mechanism.joints)
    if (!kinds.count(j.type))
      return "ODE has no joint " + j.type;
  return "";
}

static Vec vector_of(const dReal *x)
{
  return {x[0], x[1], x[2]};
}

class Assembly
{
  const System &s;
  World world; // without points
  std::vector<dBodyID> body;
  std::vector<dJointFeedback> feedback;
  std::vector<Motion> before;
  bool is_start = true;
  void hang(const Joint &j, dJointFeedback &feedback);
  Wrench reaction(const Joint &j, const dJointFeedback &feedback) const;

public:
  Assembly(const System &s, const std::vector<Motion> &start);
  std::vector<Motion> now() const;
  void put();
  void step(double h);
};

Assembly::Assembly(const System &s, const std::vector<Motion> &start)
    : s(s), world(s, {}, {}), feedback(s.mechanism.joints.size()), before(start)
{
  for (size_t i = 0; i < start.size(); i++) {
    const adapter::Body &b = s.mechanism.bodies[i];
    const Motion &x = start[i];
    const auto I = b.inertia();
    const Vec centre = x.point(b.centre), v = x.velocity(centre);
    dMass mass;
    dMassSetParameters(&mass, b.mass, 0, 0, 0, I[0][0], I[1][1], I[2][2], I[0][1], I[0][2],
                       I[1][2]);
    dMatrix3 R = {};
    for (size_t k = 0; k < 3; k++)
      for (size_t c = 0; c < 3; c++)
        R[4 * c + k] = x.d[k][c];
    body.push_back(dBodyCreate(world.world));
    dBodySetMass(body[i], &mass);
    dBodySetPosition(body[i], centre[0], centre[1], centre[2]);
    dBodySetRotation(body[i], R);
    dBodySetLinearVel(body[i], v[0], v[1], v[2]);
    dBodySetAngularVel(body[i], x.w[0], x.w[1], x.w[2]);
  }
  for (size_t i = 0; i < feedback.size(); i++)
    hang(s.mechanism.joints[i], feedback[i]);
}

// ODE's first body is our second body, unless that is the ground.
void Assembly::hang(const Joint &j, dJointFeedback &feedback)
{
  const dJointID id = kinds.at(j.type)(world.world, nullptr);
  const adapter::Placed at(j, before);
  const size_t first = j.moving(), second = 1 - first; // sides
  const auto set = [&](void (*function)(dJointID, dReal, dReal, dReal), const Vec &x) {
    function(id, x[0], x[1], x[2]);
  };
  const int other = j.bodies[second];
  dJointAttach(id, body[(size_t)j.bodies[first]], other >= 0 ? body[(size_t)other] : nullptr);
  dJointSetFeedback(id, &feedback);
  if (j.type == "spherical") {
    set(dJointSetBallAnchor, at.x[1]);
  } else if (j.type == "revolute") {
    set(dJointSetHingeAnchor, at.x[1]);
    set(dJointSetHingeAxis, at.axis[0][2]);
  } else if (j.type == "prismatic") {
    set(dJointSetSliderAxis, at.axis[0][2]);
  } else if (j.type == "cylindrical") {
    set(dJointSetPistonAnchor, at.x[1]);
    set(dJointSetPistonAxis, at.axis[0][2]);
  } else if (j.type == "universal") {
    set(dJointSetUniversalAnchor, at.x[1]);
    set(dJointSetUniversalAxis1, at.axis[first][first == 1 ? 0 : 2]);
    set(dJointSetUniversalAxis2, at.axis[second][second == 1 ? 0 : 2]);
  } else if (j.type == "weld") {
    dJointSetFixed(id);
  } else {
    set(dJointSetDBallAnchor1, at.x[first]);
    set(dJointSetDBallAnchor2, at.x[second]);
    dJointSetDBallDistance(id, j.length);
  }
}

std::vector<Motion> Assembly::now() const
{
  std::vector<Motion> out;
  for (size_t i = 0; i < body.size(); i++) {
    const dReal *R = dBodyGetRotation(body[i]);
    Motion x = {vector_of(dBodyGetPosition(body[i])),
                {},
                vector_of(dBodyGetLinearVel(body[i])),
                vector_of(dBodyGetAngularVel(body[i]))};
    for (size_t k = 0; k < 3; k++)
      x.d[k] = {R[k], R[4 + k], R[8 + k]};
    out.push_back(from_centre(s.mechanism.bodies[i], x));
  }
  return out;
}

// Computed from the wrench on ODE's first body about its centre of mass.
Wrench Assembly::reaction(const Joint &j, const dJointFeedback &feedback) const
{
  const size_t i = (size_t)j.bodies[j.moving()];
  const Vec x = adapter::Placed(j, before).x[1];
  const Wrench w = {vector_of(feedback.f1), vector_of(feedback.t1)};
  return j.on_second(j.moving(), w.about(x - before[i].point(s.mechanism.bodies[i].centre)));
}

void Assembly::put()
{
  std::vector<Wrench> reactions;
  for (size_t i = 0; i < feedback.size(); i++)
    reactions.push_back(reaction(s.mechanism.joints[i], feedback[i]));
  const std::vector<Motion> x = now();
  std::vector<double> further = adapter::multipliers(s.mechanism, before, reactions);
  if (is_start)
    further.assign(further.size(), 0.0);
  further.insert(further.begin(), adapter::potential(s.mechanism, x));
  adapter::put_motions(s.mechanism, x, further);
}

void Assembly::step(double h)
{
  is_start = false;
  before = now();
  const std::vector<Wrench> forces = adapter::applied(s.mechanism, before);
  for (size_t i = 0; i < body.size(); i++) {
    const Wrench w = forces[i].about(before[i].arm(s.mechanism.bodies[i]));
    dBodyAddForce(body[i], w.force[0], w.force[1], w.force[2]);
    dBodyAddTorque(body[i], w.torque[0], w.torque[1], w.torque[2]);
  }
  world.advance(h);
}

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  if (run.h <= 0)
    throw adapter::Failure("refused", "ODE requires steps above 0");
  if (!s.mechanism.bodies.empty()) {
    Assembly all(s, adapter::motions(s.mechanism, x, v));
    return adapter::each_step(
        run, [&] { all.put(); }, [&] { all.step(run.h); });
  }
  World world(s, x, v);
  adapter::each_step(
      run, [&] { world.put(s); }, [&] { world.step(s, run.h); });
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
  return adapter::serve(std::string("name=ode-") + (quick ? "quick" : "step") +
                            " version=" dODE_VERSION " energy=yes multipliers=yes" +
                            (sizeof(dReal) == 8 ? "" : " precision=single"),
                        refusal, trajectory, false, true);
}
