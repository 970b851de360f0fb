// Shakedown's adapter for Bullet: btDiscreteDynamicsWorld with its
// btSequentialImpulseConstraintSolver or, with the word `dantzig`, btMLCPSolver and
// btDantzigSolver. Units are not converted.
//
//   g++ -O2 -o bullet bullet.cpp $(pkg-config --cflags --libs bullet-float64)
//   shakedown simulate … 'engine(command="./bullet sequential erp=1 iterations=1000")' --allow-external …
//
// The words erp, cfm and iterations have a value, which defaults to Bullet's default. With `bullet`
// instead of `bullet-float64`, Bullet works in single precision, and the greeting announces this.
//
// The manual states neither an order nor an accuracy of joints, so none is claimed. The tolerance
// of a run is the square root of m_leastSquaresResidualThreshold, which is a velocity. If it is 0,
// Bullet's default, all iterations are performed. A rod has no effect if its masses are so large
// that 1/m is below Bullet's epsilon.
#include "adapter.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>
#include <memory>

// A point is a body without a shape. Bullet has no rods between points. A rod that is attached to a
// fixed point could not be a separate body: it would have no inertia there, and in Bullet, a body
// with inertia 0 does not rotate. A rod is therefore a btTypedConstraint with one row, which is set
// by getInfo1 and getInfo2 as in Bullet's joints: velocity along the rod = erp/h (length -
// distance). Gravity, solver and step are Bullet's: v1 = v0 + h (…), q1 = q0 + h v1, computed by
// stepSimulation(h, 0), which does not subdivide steps. Bullet's manual warns about this: "It is
// not recommended to disable this safety mechanism" (Bullet 2.83 Physics SDK Manual, chapter 13).

using adapter::System;

static bool direct;
// Values of the words; -1 means not given, so that Bullet's default is used.
static std::map<std::string, double> given = {{"erp", -1}, {"cfm", -1}, {"iterations", -1}};

static btVector3 vector(const std::vector<double> &x, size_t point)
{
  return btVector3(x[3 * point], x[3 * point + 1], x[3 * point + 2]);
}

// The distance between points of two bodies, which are at `arms` from the centres in the body
// frames.
class Distance : public btTypedConstraint
{
  btScalar length;
  btVector3 arms[2];

public:
  Distance(btRigidBody &a, btRigidBody &b, btScalar length,
           const btVector3 &arm = btVector3(0, 0, 0), const btVector3 &other = btVector3(0, 0, 0))
      : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b), length(length), arms{arm, other}
  {
  }
  void getInfo1(btConstraintInfo1 *info) override
  {
    info->m_numConstraintRows = info->nub = 1;
  }
  void getInfo2(btConstraintInfo2 *info) override
  {
    const btVector3 arm = m_rbA.getCenterOfMassTransform().getBasis() * arms[0];
    const btVector3 other = m_rbB.getCenterOfMassTransform().getBasis() * arms[1];
    const btVector3 d =
        m_rbA.getCenterOfMassPosition() + arm - m_rbB.getCenterOfMassPosition() - other;
    const btVector3 along = d.normalized();
    const btVector3 turn = arm.cross(along), back = along.cross(other);
    for (int k = 0; k < 3; k++) {
      info->m_J1linearAxis[k] = along[k];
      info->m_J2linearAxis[k] = -along[k];
      info->m_J1angularAxis[k] = turn[k];
      info->m_J2angularAxis[k] = back[k];
    }
    info->m_constraintError[0] = info->fps * info->erp * (length - d.length());
  }
  void setParam(int, btScalar, int) override
  {
  }
  btScalar getParam(int, int) const override
  {
    return 0;
  }
};

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btDantzigSolver dantzig;
  std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
  std::unique_ptr<btDiscreteDynamicsWorld> world;
  btEmptyShape none;
  std::vector<std::unique_ptr<btRigidBody>>
      body; // bodies of all points; fixed ones have mass 0 and are static
  std::vector<std::unique_ptr<Distance>> rod;
  std::vector<std::unique_ptr<btTypedConstraint>> joint; // of mechanisms
  std::vector<double> x, v, f;
  World(const System &s, double tolerance, const std::vector<double> &x,
        const std::vector<double> &v);
  void add_body(double mass, const btVector3 &inertia, const btTransform &at);
  void advance(double h);
  ~World();
  void put(const System &s);
  void step(double h);
  std::vector<double> with_iterations(double energy) const;
};

World::World(const System &s, double tolerance, const std::vector<double> &x,
             const std::vector<double> &v)
    : x(x), v(v)
{
  if (direct)
    solver = std::make_unique<btMLCPSolver>(&dantzig);
  else
    solver = std::make_unique<btSequentialImpulseConstraintSolver>();
  world = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher, &broadphase, solver.get(),
                                                    &configuration);
  world->setGravity(btVector3(s.gravity[0], s.gravity[1], s.gravity[2]));
  btContactSolverInfo &info = world->getSolverInfo();
  info.m_leastSquaresResidualThreshold = tolerance * tolerance;
  if (given["erp"] >= 0)
    info.m_erp = given["erp"];
  if (given["cfm"] >= 0)
    info.m_globalCfm = given["cfm"];
  if (given["iterations"] >= 0)
    info.m_numIterations = (int)given["iterations"];
  for (size_t i = 0; i < (size_t)s.points(); i++) {
    const bool moves = i < s.mass.size();
    add_body(moves ? s.mass[i] : 0, btVector3(0, 0, 0),
             btTransform(btQuaternion::getIdentity(), vector(x, i)));
    body[i]->setLinearVelocity(vector(v, i));
  }
  for (const auto &r : s.rods) {
    rod.push_back(std::make_unique<Distance>(*body[(size_t)s.point(r.b)],
                                             *body[(size_t)s.point(r.a)], r.length));
    world->addConstraint(rod.back().get());
  }
}

void World::add_body(double mass, const btVector3 &inertia, const btTransform &at)
{
  const btRigidBody::btRigidBodyConstructionInfo made(mass, nullptr, &none, inertia);
  body.push_back(std::make_unique<btRigidBody>(made));
  body.back()->setCenterOfMassTransform(at);
  body.back()->setActivationState(DISABLE_DEACTIVATION);
  world->addRigidBody(body.back().get(), 1, 0); // collides with nothing
}

World::~World()
{
  for (const auto &r : rod)
    world->removeConstraint(r.get());
  for (const auto &j : joint)
    world->removeConstraint(j.get());
  for (const auto &b : body)
    world->removeRigidBody(b.get());
}

void World::put(const System &s)
{
  for (size_t i = 0; i < s.mass.size(); i++)
    for (int k = 0; k < 3; k++) {
      x[3 * i + (size_t)k] = body[i]->getCenterOfMassPosition()[k];
      v[3 * i + (size_t)k] = body[i]->getLinearVelocity()[k];
    }
  const double energy = adapter::forces(s, x, f);
  if (!std::isfinite(energy))
    throw adapter::Failure("not-finite", "positions in Bullet are not finite");
  adapter::put_state(s, x.data(), v.data(), with_iterations(energy));
}

std::vector<double> World::with_iterations(double energy) const
{
  if (direct)
    return {energy};
  return {energy, std::max(0.0, (double)solver->m_analyticsData.m_numIterationsUsed)};
}

void World::step(double h)
{
  for (size_t i = 0; i < body.size(); i++)
    body[i]->applyCentralForce(vector(f, i));
  advance(h);
}

void World::advance(double h)
{
  if (world->stepSimulation(h, 0) != 1)
    throw adapter::Failure("refused", "Bullet does not accept so short a step");
}

// ---- mechanisms ----

// Joints are btGeneric6DofConstraint between frames that initially coincide. The free coordinates
// are the rotation about z, the joint's axis, and the displacement along it, as well as the
// rotation about x for universals.

using adapter::Joint;
using adapter::Motion;
using adapter::Vec;

// The free axes of a joint: translations along x, y and z, then rotations about them.
static const std::map<std::string, std::string> freedoms = {
    {"spherical", "000111"},   {"revolute", "000001"},      {"prismatic", "001000"},
    {"cylindrical", "001001"}, {"universal", "000101"},     {"planar", "110001"},
    {"weld", "000000"},        {"point-on-line", "001111"}, {"distance", ""}};

static std::string refusal(const System &s)
{
  for (const Joint &j : s.mechanism.joints)
    if (!freedoms.count(j.type))
      return "Bullet has no joint " + j.type;
  for (const adapter::Body &b : s.mechanism.bodies) {
    const auto I = b.inertia();
    if (I[0][1] != 0 || I[0][2] != 0 || I[1][2] != 0)
      return "a body whose principal axes at its pivot are not those at its centre";
  }
  return "";
}

static btVector3 bullet(const Vec &x)
{
  return btVector3(x[0], x[1], x[2]);
}
static Vec from_bullet(const btVector3 &x)
{
  return {x[0], x[1], x[2]};
}

static btTransform transform(const adapter::Mat &axes, const Vec &place)
{
  btMatrix3x3 R;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      R[i][k] = axes[(size_t)k][(size_t)i];
  return btTransform(R, bullet(place));
}

struct Assembly {
  const System &s;
  World world;
  Assembly(const System &s, double tolerance, const std::vector<Motion> &start);
  void join(const Joint &j, const std::vector<Motion> &start);
  std::vector<Motion> now() const;
  void put() const;
  void step(double h);
};

// The ground is the last body.
Assembly::Assembly(const System &s, double tolerance, const std::vector<Motion> &start)
    : s(s), world(s, tolerance, {}, {})
{
  for (size_t i = 0; i < start.size(); i++) {
    const adapter::Body &body = s.mechanism.bodies[i];
    const auto I = body.inertia();
    const Vec centre = start[i].point(body.centre);
    world.add_body(body.mass, btVector3(I[0][0], I[1][1], I[2][2]), transform(start[i].d, centre));
    world.body[i]->setLinearVelocity(bullet(start[i].velocity(centre)));
    world.body[i]->setAngularVelocity(bullet(start[i].w));
    world.body[i]->updateInertiaTensor();
  }
  world.add_body(0, btVector3(0, 0, 0), btTransform::getIdentity());
  for (const Joint &j : s.mechanism.joints)
    join(j, start);
}

void Assembly::join(const Joint &j, const std::vector<Motion> &start)
{
  const adapter::Placed at(j, start);
  const Vec z = at.axis[0][2], x = j.type == "universal" ? at.axis[1][0] : at.axis[0][0];
  const btTransform frame = transform({x, cross(z, x), z}, at.x[1]);
  btRigidBody *ends[2];
  btTransform back[2];
  for (size_t side = 0; side < 2; side++) {
    ends[side] = world.body[j.bodies[side] < 0 ? start.size() : (size_t)j.bodies[side]].get();
    back[side] = ends[side]->getCenterOfMassTransform().inverse();
  }
  if (j.type == "distance") {
    world.joint.push_back(std::make_unique<Distance>(
        *ends[1], *ends[0], j.length, back[1] * bullet(at.x[1]), back[0] * bullet(at.x[0])));
  } else {
    auto made = std::make_unique<btGeneric6DofConstraint>(*ends[0], *ends[1], back[0] * frame,
                                                          back[1] * frame, true);
    made->setUseFrameOffset(false); // otherwise, the arms of guides are only approximate
    for (int i = 0; i < 6; i++)
      if (freedoms.at(j.type)[(size_t)i] == '1')
        made->setLimit(i, 1, -1); // free
      else
        made->setLimit(i, 0, 0);
    world.joint.push_back(std::move(made));
  }
  world.world->addConstraint(world.joint.back().get());
}

std::vector<Motion> Assembly::now() const
{
  std::vector<Motion> out;
  for (size_t i = 0; i < s.mechanism.bodies.size(); i++) {
    const btRigidBody &b = *world.body[i];
    const btTransform &T = b.getCenterOfMassTransform();
    Motion x = {from_bullet(T.getOrigin()),
                {},
                from_bullet(b.getLinearVelocity()),
                from_bullet(b.getAngularVelocity())};
    for (int k = 0; k < 3; k++)
      x.d[(size_t)k] = from_bullet(T.getBasis().getColumn(k));
    out.push_back(from_centre(s.mechanism.bodies[i], x));
  }
  return out;
}

void Assembly::put() const
{
  const auto x = now();
  adapter::put_motions(s.mechanism, x, world.with_iterations(adapter::potential(s.mechanism, x)));
}

void Assembly::step(double h)
{
  const auto x = now();
  const auto forces = adapter::applied(s.mechanism, x);
  for (size_t i = 0; i < x.size(); i++) {
    const adapter::Wrench w = forces[i].about(x[i].arm(s.mechanism.bodies[i]));
    world.body[i]->applyCentralForce(bullet(w.force));
    world.body[i]->applyTorque(bullet(w.torque));
  }
  world.advance(h);
}

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  if (!s.mechanism.bodies.empty()) {
    Assembly all(s, run.tolerance, adapter::motions(s.mechanism, x, v));
    return adapter::each_step(
        run, [&] { all.put(); }, [&] { all.step(run.h); });
  }
  World world(s, run.tolerance, x, v);
  adapter::each_step(
      run, [&] { world.put(s); }, [&] { world.step(run.h); });
}

int main(int count, char **words)
{
  direct = adapter::read_words(count, words, {"sequential", "dantzig"}, given) == "dantzig";
  return adapter::serve(std::string("name=bullet-") + (direct ? "dantzig" : "sequential") +
                            " version=" + std::to_string(btGetVersion()) + " energy=yes" +
                            (direct ? "" : " iterations=yes") +
                            (sizeof(btScalar) == 8 ? "" : " precision=single"),
                        refusal, trajectory, false, true);
}
