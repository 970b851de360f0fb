// Shakedown's adapter for DART, the Dynamic Animation and Robotics Toolkit. It uses
// simulation::World::step with DART's Dantzig constraint solver or, with the word `pgs`, only with
// PgsBoxedLcpSolver. Units are not converted.
//
//   g++ -O2 -isystem /usr/include/eigen3 -o dart dart.cpp -ldart
//   shakedown simulate … 'engine(command="./dart dantzig erp=1 cfm=1e-9")' --allow-external …
//
// The words erp, cfm and, for `pgs`, iterations have a value, which defaults to DART's default.
//
// World::step is "semi-implicit Euler integration, correcting velocity and position constraints
// using impulse simultaneously" (github.com/dartsim/dart/issues/238), in coordinates whose mass
// matrix varies. DART claims no order, so none is claimed here. The tolerance of a run is passed to
// PgsBoxedLcpSolver; 0 means that it does all iterations. If a step is not positive, DART prints a
// warning and replaces it, so such steps are refused. DART's messages are sent to standard error
// because standard output is reserved for the protocol.
#include "adapter.h"

// dart/dart.hpp is not included because it requires a header that Debian installs elsewhere.
#include <dart/constraint/constraint.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/TranslationalJoint.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

using adapter::System;
using Eigen::Vector3d;
namespace dynamics = dart::dynamics;
namespace constraint = dart::constraint;

static bool sweeps;
// Values of the words; -1 means not given, so that DART's default is used.
static std::map<std::string, double> given = {{"erp", -1}, {"cfm", -1}, {"iterations", -1}};

// ---- rods as a tree ----
//
// DART uses joint coordinates. A rod is a body with the mass of its second end. It turns about its
// first end on a BallJoint, which is attached to the body that carries this end, or to the world. A
// tree of rods needs no constraint. If a rod closes a loop, the mass of its second end is shared
// with the body that already has this point, and a BallJointConstraint joins the two bodies. The
// position of the point is taken from the first body. Points without rods, and one point in each
// group without a fixed point, are bodies on TranslationalJoints.

// A body that carries the point `end`. A rod connects it to the point `from`, unless `from` is -1.
struct Link {
  int from, end;
  double length;
};

// The links for all rods and points. Each link comes after the link on which it depends. Links that
// close loops are marked as late.
static std::vector<Link> links(const System &s)
{
  std::vector<Link> out;
  std::vector<bool> carried((size_t)s.points()), used(s.rods.size());
  for (int i = s.particles(); i < s.points(); i++)
    carried[(size_t)i] = true;
  const auto next = [&] {
    for (int ends : {1, 2}) // ends of a rod that already have a body
      for (size_t i = 0; i < s.rods.size(); i++) {
        int a = s.point(s.rods[i].a), b = s.point(s.rods[i].b);
        if (used[i] || carried[(size_t)a] + carried[(size_t)b] != ends)
          continue;
        if (!carried[(size_t)a])
          std::swap(a, b);
        out.push_back({a, b, s.rods[i].length});
        used[i] = carried[(size_t)b] = true;
        return true;
      }
    for (int i = 0; i < s.particles(); i++)
      if (!carried[(size_t)i]) {
        out.push_back({-1, i, 0});
        carried[(size_t)i] = true;
        return true;
      }
    return false;
  };
  while (next())
    ;
  return out;
}

struct World {
  // The first body that carries a point. The point is at `arm` from the body's origin, in the body
  // frame.
  struct Carrier {
    dynamics::BodyNode *body = nullptr;
    Vector3d arm = Vector3d::Zero(), turns = Vector3d::Zero(); // initial angular velocity
  };
  std::shared_ptr<dart::simulation::World> world = dart::simulation::World::create();
  dynamics::SkeletonPtr skeleton = dynamics::Skeleton::create();
  std::vector<Carrier> carrier;
  std::vector<double> x, v, f; // for all points; fixed points do not change
  World(const System &s, const adapter::Run &run, const std::vector<double> &x,
        const std::vector<double> &v);
  void hang(const Link &link, double mass);
  void put(const System &s);
  void step(const System &s);
};

static Vector3d vector(const std::vector<double> &x, int point)
{
  return Vector3d(x[3 * (size_t)point], x[3 * (size_t)point + 1], x[3 * (size_t)point + 2]);
}

// Initially, the axes of all bodies are those of the world.
void World::hang(const Link &link, double mass)
{
  Carrier made;
  dynamics::Inertia inertia(mass);
  if (link.from < 0) {
    const auto pair = skeleton->createJointAndBodyNodePair<dynamics::TranslationalJoint>();
    pair.first->setPositions(vector(x, link.end));
    pair.first->setVelocities(vector(v, link.end));
    made.body = pair.second;
  } else {
    const Carrier &parent = carrier[(size_t)link.from];
    const Vector3d along = (vector(x, link.end) - vector(x, link.from)).normalized();
    made.arm = link.length * along;
    made.turns = along.cross(vector(v, link.end) - vector(v, link.from)) / link.length;
    dynamics::BallJoint::Properties joint;
    joint.mT_ParentBodyToJoint.translation() = parent.body ? parent.arm : vector(x, link.from);
    const auto pair = skeleton->createJointAndBodyNodePair<dynamics::BallJoint>(parent.body, joint);
    pair.first->setVelocities(made.turns - parent.turns);
    made.body = pair.second;
    // A rod never spins about its axis, so the only effect of an inertia about this axis is to make
    // DART's joint solvable.
    const Vector3d a = std::sqrt(mass) * made.arm;
    inertia.setLocalCOM(made.arm);
    inertia.setMoment(a[0] * a[0], a[1] * a[1], a[2] * a[2], a[0] * a[1], a[0] * a[2], a[1] * a[2]);
  }
  made.body->setInertia(inertia);
  made.body->setName(std::to_string(skeleton->getNumBodyNodes()));
  made.body->getParentJoint()->setName(made.body->getName());
  Carrier &first = carrier[(size_t)link.end];
  if (first.body)
    world->getConstraintSolver()->addConstraint(std::make_shared<constraint::BallJointConstraint>(
        made.body, first.body, made.body->getWorldTransform() * made.arm));
  else
    first = made;
}

static void prepare(dart::simulation::World &world, const System &s, const adapter::Run &run)
{
  if (sweeps) {
    const auto pgs = std::make_shared<constraint::PgsBoxedLcpSolver>();
    auto option = pgs->getOption();
    option.mDeltaXThreshold = option.mRelativeDeltaXTolerance = run.tolerance;
    if (given["iterations"] >= 0)
      option.mMaxIteration = (int)given["iterations"];
    pgs->setOption(option);
    world.setConstraintSolver(std::make_unique<constraint::BoxedLcpConstraintSolver>(pgs, nullptr));
  }
  if (given["erp"] >= 0)
    constraint::DynamicJointConstraint::setErrorReductionParameter(given["erp"]);
  if (given["cfm"] >= 0)
    constraint::DynamicJointConstraint::setConstraintForceMixing(given["cfm"]);
  world.setTimeStep(run.h);
  if (world.getTimeStep() != run.h)
    throw adapter::Failure("refused", "DART requires steps above 0");
  world.setGravity(Vector3d(s.gravity[0], s.gravity[1], s.gravity[2]));
}

World::World(const System &s, const adapter::Run &run, const std::vector<double> &x,
             const std::vector<double> &v)
    : carrier((size_t)s.points()), x(x), v(v)
{
  prepare(*world, s, run);
  const std::vector<Link> all = links(s);
  std::vector<int> carriers((size_t)s.points());
  for (const Link &link : all)
    carriers[(size_t)link.end]++;
  for (const Link &link : all)
    hang(link, s.mass[(size_t)link.end] / carriers[(size_t)link.end]);
  world->addSkeleton(skeleton);
}

void World::put(const System &s)
{
  for (int i = 0; i < s.particles(); i++) {
    const Carrier &c = carrier[(size_t)i];
    const Vector3d place = c.body->getWorldTransform() * c.arm;
    const Vector3d speed = c.body->getLinearVelocity(c.arm);
    std::copy(place.data(), place.data() + 3, &x[3 * (size_t)i]);
    std::copy(speed.data(), speed.data() + 3, &v[3 * (size_t)i]);
  }
  const double energy = adapter::forces(s, x, f);
  if (!std::isfinite(energy))
    throw adapter::Failure("not-finite", "positions in DART are not finite");
  adapter::put_state(s, x.data(), v.data(), {energy});
}

void World::step(const System &s)
{
  for (size_t i = 0; i < s.mass.size(); i++)
    carrier[i].body->addExtForce(vector(f, (int)i), carrier[i].arm);
  world->step();
}

// ---- mechanisms ----

// Mechanisms are trees of DART's joints. BallJointConstraints at the points of adapter::points_of
// close the loops. Initially, all coordinates are 0, and the axes are those of the world.

using adapter::Branch;
using adapter::Joint;
using adapter::Motion;
using adapter::Vec;

static bool can_join(const Joint &j)
{
  return j.type != "distance" && j.type != "cylindrical" && j.type != "point-on-line";
}

static bool can_close(const Joint &j)
{
  return j.type == "spherical" || j.type == "revolute" || j.type == "weld";
}

static std::string refusal(const System &s)
{
  const std::string type =
      spanning_tree(s.mechanism, can_join, can_close).unclosed(s.mechanism, can_close);
  return type.empty() ? "" : "DART closes no loop and makes no tree by this joint: " + type;
}

static Vector3d eigen(const Vec &x)
{
  return Vector3d(x[0], x[1], x[2]);
}
static Vec from_eigen(const Vector3d &x)
{
  return {x[0], x[1], x[2]};
}

static Eigen::Isometry3d place_of(const Motion &x)
{
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  for (int k = 0; k < 3; k++)
    T.linear().col(k) = eigen(x.d[(size_t)k]);
  T.translation() = eigen(x.r);
  return T;
}

struct Assembly {
  const System &s;
  const std::vector<Motion> start;
  std::shared_ptr<dart::simulation::World> world = dart::simulation::World::create();
  dynamics::SkeletonPtr skeleton = dynamics::Skeleton::create();
  std::vector<dynamics::BodyNode *> bodies;
  Assembly(const System &s, const adapter::Run &run, const std::vector<Motion> &start);
  template <typename Type> Type *hang(const Branch &b, const adapter::Attachment &joined);
  void join(const Branch &b);
  void close(const Joint &j);
  std::vector<Motion> now() const;
  void put() const;
  void step();
};

template <typename Type> Type *Assembly::hang(const Branch &b, const adapter::Attachment &joined)
{
  const Eigen::Translation3d there(eigen(joined.at));
  typename Type::Properties joint;
  joint.mT_ParentBodyToJoint = place_of(joined.parent).inverse() * there;
  joint.mT_ChildBodyToJoint = place_of(joined.child).inverse() * there;
  joint.mName = "joint " + std::to_string(b.child);
  const auto pair = skeleton->createJointAndBodyNodePair<Type>(
      b.parent < 0 ? nullptr : bodies[(size_t)b.parent], joint,
      dynamics::BodyNode::AspectProperties("body " + std::to_string(b.child)));
  bodies[(size_t)b.child] = pair.second;
  return pair.first;
}

void Assembly::join(const Branch &b)
{
  const adapter::Attachment joined(s.mechanism, b, start);
  if (b.joint < 0) {
    Eigen::Matrix<double, 6, 1> rates;
    rates << eigen(joined.spin), eigen(joined.speed);
    hang<dynamics::FreeJoint>(b, joined)->setVelocities(rates);
    return;
  }
  const Joint &j = s.mechanism.joints[(size_t)b.joint];
  const adapter::Placed at(j, start);
  const Vec first = at.axis[0][0], second = at.axis[0][1], axis = at.axis[0][2];
  if (j.type == "revolute") {
    const auto joint = hang<dynamics::RevoluteJoint>(b, joined);
    joint->setAxis(eigen(axis));
    joint->setVelocity(0, dot(axis, joined.spin));
  } else if (j.type == "prismatic") {
    const auto joint = hang<dynamics::PrismaticJoint>(b, joined);
    joint->setAxis(eigen(axis));
    joint->setVelocity(0, dot(axis, joined.speed));
  } else if (j.type == "universal") {
    const auto joint = hang<dynamics::UniversalJoint>(b, joined);
    const Vec inner = b.side == 1 ? axis : at.axis[1][0],
              outer = b.side == 1 ? at.axis[1][0] : axis;
    joint->setAxis1(eigen(inner));
    joint->setAxis2(eigen(outer));
    joint->setVelocities(Eigen::Vector2d(dot(inner, joined.spin), dot(outer, joined.spin)));
  } else if (j.type == "planar") {
    const auto joint = hang<dynamics::PlanarJoint>(b, joined);
    joint->setArbitraryPlane(eigen(first), eigen(second));
    joint->setVelocities(
        Vector3d(dot(first, joined.speed), dot(second, joined.speed), dot(axis, joined.spin)));
  } else if (j.type == "weld") {
    hang<dynamics::WeldJoint>(b, joined);
  } else {
    hang<dynamics::BallJoint>(b, joined)->setVelocities(eigen(joined.spin));
  }
}

void Assembly::close(const Joint &j)
{
  using Ball = constraint::BallJointConstraint;
  const auto body = bodies[(size_t)j.bodies[j.moving()]];
  const int other = j.bodies[1 - j.moving()];
  for (const Vec &x : adapter::points_of(j, adapter::Placed(j, start)))
    world->getConstraintSolver()->addConstraint(
        other < 0 ? std::make_shared<Ball>(body, eigen(x))
                  : std::make_shared<Ball>(body, bodies[(size_t)other], eigen(x)));
}

Assembly::Assembly(const System &s, const adapter::Run &run, const std::vector<Motion> &start)
    : s(s), start(start), bodies(start.size())
{
  const adapter::Tree tree = adapter::spanning_tree(s.mechanism, can_join, can_close);
  prepare(*world, s, run);
  for (const Branch &b : tree.branches) {
    const adapter::Body &body = s.mechanism.bodies[(size_t)b.child];
    const auto I = body.inertia();
    join(b);
    dynamics::Inertia inertia(body.mass);
    inertia.setLocalCOM(eigen(body.centre));
    inertia.setMoment(I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]);
    bodies[(size_t)b.child]->setInertia(inertia);
  }
  world->addSkeleton(skeleton);
  for (int i : tree.closing)
    close(s.mechanism.joints[(size_t)i]);
}

std::vector<Motion> Assembly::now() const
{
  std::vector<Motion> out(bodies.size());
  for (size_t i = 0; i < out.size(); i++) {
    const Eigen::Isometry3d T = bodies[i]->getWorldTransform();
    for (int k = 0; k < 3; k++)
      out[i].d[(size_t)k] = from_eigen(T.linear().col(k));
    out[i].r = from_eigen(T.translation());
    out[i].v = from_eigen(bodies[i]->getLinearVelocity());
    out[i].w = from_eigen(bodies[i]->getAngularVelocity());
  }
  return out;
}

void Assembly::put() const
{
  const auto x = now();
  adapter::put_motions(s.mechanism, x, {adapter::potential(s.mechanism, x)});
}

void Assembly::step()
{
  const auto forces = adapter::applied(s.mechanism, now());
  for (size_t i = 0; i < bodies.size(); i++) {
    bodies[i]->addExtForce(eigen(forces[i].force));
    bodies[i]->addExtTorque(eigen(forces[i].torque));
  }
  world->step();
}

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  if (!s.mechanism.bodies.empty()) {
    Assembly all(s, run, adapter::motions(s.mechanism, x, v));
    return adapter::each_step(
        run, [&] { all.put(); }, [&] { all.step(); });
  }
  World world(s, run, x, v);
  adapter::each_step(
      run, [&] { world.put(s); }, [&] { world.step(s); });
}

int main(int count, char **words)
{
  std::cout.rdbuf(std::cerr.rdbuf());
  sweeps = adapter::read_words(count, words, {"dantzig", "pgs"}, given) == "pgs";
  return adapter::serve(std::string("name=dart-") + (sweeps ? "pgs" : "dantzig") +
                            " version=" + DART_VERSION + " energy=yes",
                        refusal, trajectory, false, true);
}
