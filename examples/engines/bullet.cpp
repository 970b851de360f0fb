// Shakedown's adapter for Bullet: btDiscreteDynamicsWorld with its
// btSequentialImpulseConstraintSolver or, with the word `dantzig`, btMLCPSolver and
// btDantzigSolver. Units are not converted.
//
//   g++ -O2 -o bullet bullet.cpp $(pkg-config --cflags --libs bullet-float64)
//   shakedown simulate … 'engine(command="./bullet sequential erp=1 iterations=1000")' --allow-external …
//
// Words with a value (default: Bullet's): erp, cfm, iterations. With `bullet` in place of
// `bullet-float64` Bullet works in single precision, and the greeting says so.
//
// The manual states no order and no accuracy of joints, so none is claimed. The tolerance of a run
// is the square root of m_leastSquaresResidualThreshold, a velocity; with 0, Bullet's default, all
// iterations are done. A rod has no effect if its masses are so large that 1/m is below Bullet's
// epsilon.
#include "adapter.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>
#include <memory>

// A point is a body without a shape. Bullet has no rod between points. A rod as a body of its own
// cannot hang on a fixed point: it would have no inertia there, and inertia 0 means in Bullet that
// a body does not rotate. So a rod is a btTypedConstraint with one row, set by getInfo1 and
// getInfo2 as in Bullet's joints: velocity along the rod = erp/h (length - distance). Gravity,
// solver and step are Bullet's: v1 = v0 + h (…), q1 = q0 + h v1, by stepSimulation(h, 0), without
// subdivision of steps. Its manual says "It is not recommended to disable this safety mechanism"
// (Bullet 2.83 Physics SDK Manual, chapter 13).

using adapter::System;

static bool direct;
// Words with a value; -1: not given, default of Bullet.
static std::map<std::string, double> given = {{"erp", -1}, {"cfm", -1}, {"iterations", -1}};

static btVector3 vector(const std::vector<double> &x, size_t point)
{
  return btVector3(x[3 * point], x[3 * point + 1], x[3 * point + 2]);
}

// Distance of the centres of two bodies.
class Distance : public btTypedConstraint
{
  btScalar length;

public:
  Distance(btRigidBody &a, btRigidBody &b, btScalar length)
      : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b), length(length)
  {
  }
  void getInfo1(btConstraintInfo1 *info) override
  {
    info->m_numConstraintRows = info->nub = 1;
  }
  void getInfo2(btConstraintInfo2 *info) override
  {
    const btVector3 d = m_rbA.getCenterOfMassPosition() - m_rbB.getCenterOfMassPosition();
    const btVector3 along = d.normalized();
    for (int k = 0; k < 3; k++) {
      info->m_J1linearAxis[k] = along[k];
      info->m_J2linearAxis[k] = -along[k];
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
      body; // of all points; fixed ones have mass 0 and are static in Bullet
  std::vector<std::unique_ptr<Distance>> rod;
  std::vector<double> x, v, f;
  World(const System &s, double tolerance, const std::vector<double> &x,
        const std::vector<double> &v);
  ~World();
  void put(const System &s);
  void step(double h);
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
    const btRigidBody::btRigidBodyConstructionInfo made(moves ? s.mass[i] : 0, nullptr, &none,
                                                        btVector3(0, 0, 0));
    body.push_back(std::make_unique<btRigidBody>(made));
    body[i]->setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), vector(x, i)));
    body[i]->setLinearVelocity(vector(v, i));
    body[i]->setActivationState(DISABLE_DEACTIVATION);
    world->addRigidBody(body[i].get(), 1, 0); // collides with nothing
  }
  for (const auto &r : s.rods) {
    rod.push_back(std::make_unique<Distance>(*body[(size_t)s.point(r.b)],
                                             *body[(size_t)s.point(r.a)], r.length));
    world->addConstraint(rod.back().get());
  }
}

World::~World()
{
  for (const auto &r : rod)
    world->removeConstraint(r.get());
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
  if (direct)
    adapter::put_state(s, x.data(), v.data(), {energy});
  else
    adapter::put_state(
        s, x.data(), v.data(),
        {energy, std::max(0.0, (double)solver->m_analyticsData.m_numIterationsUsed)});
}

void World::step(double h)
{
  for (size_t i = 0; i < body.size(); i++)
    body[i]->applyCentralForce(vector(f, i));
  if (world->stepSimulation(h, 0) != 1)
    throw adapter::Failure("refused", "Bullet does not accept so short a step");
}

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  World world(s, run.tolerance, x, v);
  world.put(s);
  for (long step = 0; step < run.steps; step++) {
    world.step(run.h);
    world.put(s);
  }
}

int main(int count, char **words)
{
  direct = adapter::read_words(count, words, {"sequential", "dantzig"}, given) == "dantzig";
  return adapter::serve(
      std::string("name=bullet-") + (direct ? "dantzig" : "sequential") +
          " version=" + std::to_string(btGetVersion()) + " energy=yes" +
          (direct ? "" : " iterations=yes") + (sizeof(btScalar) == 8 ? "" : " precision=single"),
      [](const System &) { return std::string(); }, trajectory);
}
