// Shakedown's adapter for MuJoCo: points are bodies on three slide joints, rods are equality
// constraints on the lengths of spatial tendons, springs are tendons with a stiffness, pairs are a
// passive force. The first word is the integrator, `Euler`, `implicit` or `RK4`; the second is the
// stiffness of the rods. Only multipliers are converted: MuJoCo's are forces along a rod.
//
//   g++ -O2 -o mujoco mujoco.cpp -lmujoco
//   shakedown simulate … 'engine(command="./mujoco Euler stiff")' --allow-external …
//
// Constraints are soft: the limit of hard ones "is not allowed in MuJoCo"
// (https://mujoco.readthedocs.io/en/2.2.2/computation.html#primal-problem). So neither constraints
// nor an order towards the motion with rigid rods are claimed.
#include "adapter.h"

#include <algorithm>
#include <cstdarg>
#include <memory>
#include <mujoco/mujoco.h>

// The second word sets solref and solimp (modeling.html, "Solver parameters"):
//
//   stiff   as stiff as MuJoCo permits: time constant of two steps, "enforced internally";
//           impedance 0.9999, the largest (mjMAXIMP)
//   direct  the format of stiffness and damping, without the limit of two steps: 1/h² and 1/h, so
//           that Euler's method would correct an error in one step; impedance as above
//   soft    MuJoCo's defaults for any step: 0.02 s, critically damped, impedance 0.9 to 0.95
//   T       this time constant (at least two steps), critically damped; impedance 0.9999
//
// If a position, velocity or acceleration exceeds 1e10, MuJoCo restarts from the initial positions
// at rest, with a warning. The adapter reports a failure. The multipliers are those of the state by
// MuJoCo's law, which omits the derivative of the Jacobian: at the start they have no centrifugal
// part.

using adapter::System;

static std::string integrator, rods;
static bool can_join(const adapter::Joint &j)
{
  return j.type != "distance";
}
static bool can_close(const adapter::Joint &j)
{
  return j.type == "spherical" || j.type == "revolute" || j.type == "weld" || j.type == "distance";
}
static const System *now_running; // for the callback, which has no parameter for it

static std::string refusal(const System &s)
{
  for (double m : s.mass)
    if (m < mjMINVAL)
      return "a mass below 1e-15";
  std::vector<int> closing;
  adapter::spanning_tree(s.mechanism, can_join, can_close, closing);
  for (int i : closing) {
    const adapter::Joint &j = s.mechanism.joints[(size_t)i];
    if (!can_close(j))
      return "MuJoCo closes no loop by a joint " + j.type;
    if (j.stiffness != 0 || j.damping != 0 || j.load != 0)
      return "a spring, damper or load of a joint that closes a loop";
  }
  return "";
}

// ---- the model, as the text of a file ----

static std::string text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static std::string text(const char *format, ...)
{
  char out[1024];
  va_list rest;
  va_start(rest, format);
  vsnprintf(out, sizeof out, format, rest);
  va_end(rest);
  return out;
}

static std::string tendon(const System &s, const char *name, size_t number, int a, int b,
                          const std::string &more)
{
  return text("<spatial name='%s%zu'%s><site site='p%d'/><site site='p%d'/></spatial>\n", name,
              number, more.c_str(), s.point(a), s.point(b));
}

static std::string solver_parameters(double h)
{
  const double constant = std::atof(rods.c_str());
  return rods == "soft" ? ""
         : rods == "direct"
             ? text("solimp='1 1' solref='%.17g %.17g'", -1 / (h * h), -1 / h)
             : text("solimp='1 1' solref='%.17g 1'", constant > 0 ? constant : 2 * h);
}

static std::string option_text(const System &s, const adapter::Run &run)
{
  const double *g = s.gravity.data();
  return text("<mujoco><compiler angle='radian'/><option timestep='%.17g' gravity='%.17g %.17g "
              "%.17g' integrator='%s' solver='Newton' tolerance='%.17g' iterations='100'><flag "
              "contact='disable' energy='enable'/></option>\n<worldbody>\n",
              run.h, g[0], g[1], g[2], integrator.c_str(), run.tolerance);
}

// Bodies do not rotate, so their inertia has no effect; it must not be zero.
static std::string model_text(const System &s, const adapter::Run &run,
                              const std::vector<double> &x)
{
  std::string out = option_text(s, run);
  for (int i = 0; i < s.points(); i++) {
    const double *r = &x[(size_t)(3 * i)];
    const std::string at = text("pos='%.17g %.17g %.17g'", r[0], r[1], r[2]);
    if (i >= s.particles()) {
      out += text("<site name='p%d' %s/>\n", i, at.c_str());
      continue;
    }
    out += text("<body %s><site name='p%d'/>", at.c_str(), i);
    for (int j = 0; j < 3; j++)
      out +=
          text("<joint type='slide' axis='%d %d %d' ref='%.17g'/>", j == 0, j == 1, j == 2, r[j]);
    const double m = s.mass[(size_t)i];
    out += text("<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/></body>\n", m,
                m, m, m);
  }
  out += "</worldbody>\n<tendon>\n";
  for (size_t i = 0; i < s.rods.size(); i++)
    out += tendon(s, "rod", i, s.rods[i].a, s.rods[i].b, "");
  for (size_t i = 0; i < s.springs.size(); i++)
    out += tendon(
        s, "spring", i, s.springs[i].a, s.springs[i].b,
        text(" stiffness='%.17g' springlength='%.17g'", s.springs[i].stiffness, s.springs[i].rest));
  out += "</tendon>\n<equality>\n";
  const std::string how = solver_parameters(run.h);
  for (size_t i = 0; i < s.rods.size(); i++)
    out += text("<tendon tendon1='rod%zu' %s/>\n", i, how.c_str());
  return out + "</equality></mujoco>\n";
}

using Model = std::unique_ptr<mjModel, void (*)(mjModel *)>;
using Data = std::unique_ptr<mjData, void (*)(mjData *)>;

static Model compiled(const std::string &file)
{
  auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "system.xml", (int)file.size());
  std::copy(file.begin(), file.end(), (char *)files->filedata[0]);
  char why[1000] = "";
  Model model(mj_loadXML("system.xml", files.get(), why, sizeof why), mj_deleteModel);
  mj_deleteVFS(files.get());
  if (!model)
    throw adapter::Failure("refused", why);
  return model;
}

// Makes a step; MuJoCo would restart after these warnings.
static void advance(const mjModel *m, mjData *d)
{
  mj_step(m, d);
  for (int bad : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
    if (d->warning[bad].number > 0)
      throw adapter::Failure("not-finite", "MuJoCo is unstable here, and would restart");
}

struct Simulation {
  Model model{nullptr, mj_deleteModel};
  Data data{nullptr, mj_deleteData};
  Simulation(const System &s, const adapter::Run &run, const std::vector<double> &x,
             const std::vector<double> &v)
  {
    model = compiled(model_text(s, run, x));
    // A rod's length is the tendon's at the start and polycoef[0].
    for (size_t i = 0; i < s.rods.size(); i++)
      model->eq_data[i * mjNEQDATA] = s.rods[i].length - model->tendon_length0[i];
    data.reset(mj_makeData(model.get()));
    std::copy_n(x.begin(), model->nq, data->qpos);
    std::copy_n(v.begin(), model->nv, data->qvel);
  }
};

// ---- forces between pairs ----

// Returns the potential of the pairs and adds their forces to `force`, unless it is NULL.
static double pairs(const System &s, const mjData *d, double *force)
{
  double energy = 0;
  for (const auto &p : s.pairs) {
    const int a = 3 * s.point(p.a), b = 3 * s.point(p.b);
    double r[3], r2 = 0;
    for (int j = 0; j < 3; j++) {
      const double from = p.a < 0 ? s.fixed[(size_t)(-1 - p.a)][(size_t)j] : d->qpos[a + j];
      r[j] = d->qpos[b + j] - from;
      r2 += r[j] * r[j];
    }
    const double r6 = r2 * r2 * r2, charges = p.charges / std::sqrt(r2);
    energy += charges + (p.lj12 / r6 - p.lj6) / r6;
    const double k = (charges + (12 * p.lj12 / r6 - 6 * p.lj6) / r6) / r2;
    for (int j = 0; force && j < 3; j++) {
      force[b + j] += k * r[j];
      if (p.a >= 0)
        force[a + j] -= k * r[j];
    }
  }
  return energy;
}

static void put(const System &s, const mjModel *m, mjData *d)
{
  mj_forward(m, d);
  std::vector<double> more{d->energy[0] + pairs(s, d, nullptr)};
  for (size_t i = 0; i < s.rods.size(); i++)
    more.push_back(-d->efc_force[i] / s.rods[i].length);
  adapter::put_state(s, d->qpos, d->qvel, more);
}

// ---- mechanisms ----

// Trees of joints as MuJoCo has them, in the pose of the start. Loops are closed by equality
// constraints: a ball by `connect`, a hinge by two on its axis, a weld by three, a distance by the
// length of a tendon. All coordinates of joints are 0 at the start. Reactions are MuJoCo's cfrc_int,
// which leaves out the forces of tendons: those on the bodies beyond a joint are taken off.

using adapter::Branch;
using adapter::Joint;
using adapter::Motion;
using adapter::Placed;
using adapter::Vec;
using adapter::Wrench;

struct Axis {
  const char *type; // of MuJoCo's joint
  Vec axis;
};

// Joints of MuJoCo that make the joint, from its first body to its second.
static std::vector<Axis> axes_of(const Joint &j, const Placed &at)
{
  const auto &a = at.axis[0];
  if (j.type == "spherical")
    return {{"ball", a[2]}};
  if (j.type == "revolute")
    return {{"hinge", a[2]}};
  if (j.type == "prismatic")
    return {{"slide", a[2]}};
  if (j.type == "cylindrical")
    return {{"slide", a[2]}, {"hinge", a[2]}};
  if (j.type == "universal")
    return {{"hinge", a[2]}, {"hinge", at.axis[1][0]}};
  if (j.type == "planar")
    return {{"slide", a[0]}, {"slide", a[1]}, {"hinge", a[2]}};
  if (j.type == "point-on-line")
    return {{"slide", a[2]}, {"ball", a[2]}};
  return {}; // weld
}

static std::string numbers(const char *name, const Vec &x)
{
  return text(" %s='%.17g %.17g %.17g'", name, x[0], x[1], x[2]);
}

struct Assembly {
  const System &s;
  std::vector<Motion> start;
  std::vector<int> closing;
  std::vector<Branch> tree;
  std::vector<std::vector<Vec>> held; // points of `closing`
  Model model{nullptr, mj_deleteModel};
  Data data{nullptr, mj_deleteData};
  Assembly(const System &s, const adapter::Run &run, const std::vector<Motion> &start);
  std::string body_text(const Branch &b) const;
  std::string sites(int body) const;
  std::string below(int parent) const;
  std::string equalities(double h) const;
  void set_velocities(const Branch &b);
  void put();
};

std::string Assembly::sites(int body) const
{
  std::string out;
  const auto add = [&](const char *name, size_t i, const std::array<int, 2> &bodies,
                       const auto &at) {
    for (size_t side = 0; side < 2; side++)
      if (bodies[side] == body)
        out += text("<site name='%s%zu-%zu'", name, i, side) + numbers("pos", at(side)) + "/>";
  };
  for (size_t i = 0; i < s.mechanism.links.size(); i++)
    add("link", i, s.mechanism.links[i].bodies,
        [&](size_t k) { return s.mechanism.links[i].places[k]; });
  for (int i : closing) {
    const Joint &j = s.mechanism.joints[(size_t)i];
    add("joint", (size_t)i, j.bodies, [&](size_t k) { return j.frames[k].place; });
  }
  return out;
}

std::string Assembly::body_text(const Branch &b) const
{
  const adapter::Body &its = s.mechanism.bodies[(size_t)b.child];
  const Motion x = start[(size_t)b.child], parent = adapter::motion_of(start, b.parent);
  const Vec d1 = into(parent.d, x.d[0]), d2 = into(parent.d, x.d[1]);
  const auto I = its.inertia();
  std::string out = text("<body name='b%d'", b.child) +
                    numbers("pos", into(parent.d, x.r - parent.r)) +
                    text(" xyaxes='%.17g %.17g %.17g %.17g %.17g %.17g'>", d1[0], d1[1], d1[2],
                         d2[0], d2[1], d2[2]);
  out += text("<inertial mass='%.17g'", its.mass) + numbers("pos", its.centre);
  out += I[0][1] == 0 && I[0][2] == 0 && I[1][2] == 0
             ? numbers("diaginertia", {I[0][0], I[1][1], I[2][2]}) + "/>"
             : text(" fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>", I[0][0], I[1][1],
                    I[2][2], I[0][1], I[0][2], I[1][2]);
  if (b.joint < 0) {
    out += text("<freejoint name='j%d-0'/>", b.child);
  } else {
    const Joint &j = s.mechanism.joints[(size_t)b.joint];
    const Placed at(j, start);
    std::vector<Axis> axes = axes_of(j, at);
    if (b.side == 0)
      std::reverse(axes.begin(), axes.end());
    const bool turns = adapter::turns(j);
    double rest = (j.rest - at.coordinate(turns)) * (b.side == 1 ? 1 : -1);
    rest = turns ? std::remainder(rest, 2 * M_PI) : rest;
    for (size_t i = 0; i < axes.size(); i++) {
      const bool is_ball = axes[i].type == std::string("ball");
      out += text("<joint name='j%d-%zu' type='%s'", b.child, i, axes[i].type) +
             numbers("pos", into(x.d, at.x[1] - x.r)) +
             (is_ball ? "/>"
                      : numbers("axis", into(x.d, axes[i].axis)) +
                            text(" stiffness='%.17g' damping='%.17g' springref='%.17g'/>",
                                 j.stiffness, j.damping, rest));
    }
  }
  return out + sites(b.child) + below(b.child) + "</body>\n";
}

std::string Assembly::below(int parent) const
{
  std::string out;
  for (const Branch &b : tree)
    if (b.parent == parent)
      out += body_text(b);
  return out;
}

std::string Assembly::equalities(double h) const
{
  const std::string how = solver_parameters(h);
  std::string tendons, out;
  for (size_t i = 0; i < s.mechanism.links.size(); i++) {
    const adapter::Link &l = s.mechanism.links[i];
    tendons += text("<spatial stiffness='%.17g' damping='%.17g' springlength='%.17g'><site "
                    "site='link%zu-0'/><site site='link%zu-1'/></spatial>\n",
                    l.stiffness, l.damping, l.rest, i, i);
  }
  for (size_t k = 0; k < closing.size(); k++) {
    const int i = closing[k];
    const auto &[a, b] = s.mechanism.joints[(size_t)i].bodies;
    const int first = b >= 0 ? b : a, second = b >= 0 ? a : b;
    if (held[k].empty()) {
      tendons += text(
          "<spatial name='joint%d'><site site='joint%d-0'/><site site='joint%d-1'/></spatial>\n", i,
          i, i);
      out += text("<tendon tendon1='joint%d' %s/>\n", i, how.c_str());
    }
    for (const Vec &x : held[k])
      out += text("<connect body1='b%d'", first) +
             (second < 0 ? "" : text(" body2='b%d'", second)) +
             numbers("anchor", into(start[(size_t)first].d, x - start[(size_t)first].r)) + " " +
             how + "/>\n";
  }
  return "<tendon>\n" + tendons + "</tendon>\n<equality>\n" + out + "</equality>\n";
}

// Rates of a branch's joints: the axes of rotations that make one joint are orthogonal.
void Assembly::set_velocities(const Branch &b)
{
  const mjModel *m = model.get();
  const Motion x = start[(size_t)b.child], parent = adapter::motion_of(start, b.parent);
  const int body = mj_name2id(m, mjOBJ_BODY, text("b%d", b.child).c_str());
  const Vec local = into(x.d, x.w);
  const auto put = [](double *to, const Vec &from) { std::copy(from.at, from.at + 3, to); };
  double *at = data->qvel + m->body_dofadr[body];
  if (b.joint < 0) {
    put(at, x.v);
    put(at + 3, local);
    return;
  }
  const Joint &j = s.mechanism.joints[(size_t)b.joint];
  const Placed placed(j, start);
  const Vec spin = x.w - parent.w, speed = x.velocity(placed.x[1]) - parent.velocity(placed.x[1]);
  for (int i = m->body_jntadr[body]; i < m->body_jntadr[body] + m->body_jntnum[body]; i++) {
    const double *axis = data->xaxis + 3 * i;
    const Vec e = {axis[0], axis[1], axis[2]};
    double *to = data->qvel + m->jnt_dofadr[i];
    if (m->jnt_type[i] == mjJNT_BALL)
      put(to, into(x.d, spin));
    else
      *to = dot(e, m->jnt_type[i] == mjJNT_HINGE ? spin : speed);
    data->qfrc_applied[m->jnt_dofadr[i]] =
        m->jnt_type[i] == mjJNT_BALL ? 0 : (b.side == 1 ? 1 : -1) * j.load;
  }
}

Assembly::Assembly(const System &s, const adapter::Run &run, const std::vector<Motion> &start)
    : s(s), start(start), tree(adapter::spanning_tree(s.mechanism, can_join, can_close, closing))
{
  for (int i : closing)
    held.push_back(adapter::points_of(s.mechanism.joints[(size_t)i],
                                      Placed(s.mechanism.joints[(size_t)i], start)));
  model = compiled(option_text(s, run) + sites(-1) + below(-1) + "</worldbody>\n" +
                   equalities(run.h) + "</mujoco>\n");
  for (int k = 0, next = 0; k < (int)closing.size();
       next += std::max<int>(1, (int)held[(size_t)k].size()), k++) {
    const int tendon =
        mj_name2id(model.get(), mjOBJ_TENDON, text("joint%d", closing[(size_t)k]).c_str());
    if (tendon >= 0)
      model->eq_data[next * mjNEQDATA] =
          s.mechanism.joints[(size_t)closing[(size_t)k]].length - model->tendon_length0[tendon];
  }
  data = Data(mj_makeData(model.get()), mj_deleteData);
  mj_forward(model.get(), data.get());
  for (const Branch &b : tree)
    set_velocities(b);
}

void Assembly::put()
{
  const mjModel *m = model.get();
  mjData *d = data.get();
  mj_forward(m, d);
  mj_rnePostConstraint(m, d);
  std::vector<Motion> x(start.size());
  std::vector<Wrench> reactions(s.mechanism.joints.size()), beyond(x.size());
  const auto vector = [](const double *from) { return Vec{from[0], from[1], from[2]}; };
  for (size_t i = 0; i < x.size(); i++) {
    const int body = mj_name2id(m, mjOBJ_BODY, text("b%zu", i).c_str());
    double twist[6];
    mj_objectVelocity(m, d, mjOBJ_XBODY, body, twist, 0);
    for (size_t k = 0; k < 3; k++)
      x[i].d[k] = {d->xmat[9 * body + (int)k], d->xmat[9 * body + 3 + (int)k],
                   d->xmat[9 * body + 6 + (int)k]};
    x[i].r = vector(d->xpos + 3 * body);
    x[i].w = vector(twist);
    x[i].v = vector(twist + 3);
  }
  adapter::Mechanism links = s.mechanism;
  links.joints.clear();
  adapter::Loads tendons(links);
  adapter::add_forces(tendons, {}, x);
  const double *next = d->efc_force; // of equality constraints, first
  for (size_t k = 0; k < closing.size(); k++) {
    const Joint &j = s.mechanism.joints[(size_t)closing[k]];
    const Placed at(j, x);
    Wrench &w = reactions[(size_t)closing[k]];
    if (held[k].empty()) {
      w.force = (*next++ / j.length) * (at.x[1] - at.x[0]);
      tendons.add(j.bodies[1], j.frames[1].place, w.force, true);
      tendons.add(j.bodies[0], j.frames[0].place, -1.0 * w.force, true);
    }
    for (const Vec &point : held[k]) {
      const int first = j.bodies[1] >= 0 ? j.bodies[1] : j.bodies[0];
      const Vec local = into(start[(size_t)first].d, point - start[(size_t)first].r);
      const Vec force = (j.bodies[1] >= 0 ? 1.0 : -1.0) * vector(next);
      w.force += force;
      w.torque += cross(x[(size_t)first].point(local) - at.x[1], force);
      next += 3;
    }
  }
  for (size_t k = tree.size(); k-- > 0;) { // the force of the parent, about space's origin
    const Branch &b = tree[k];
    const int body = mj_name2id(m, mjOBJ_BODY, text("b%d", b.child).c_str());
    const Vec centre = vector(d->subtree_com + 3 * m->body_rootid[body]);
    const Wrench outer = tendons.wrench((size_t)b.child, x[(size_t)b.child]);
    Wrench &sum = beyond[(size_t)b.child];
    sum.force += outer.force;
    sum.torque += outer.torque + cross(x[(size_t)b.child].r, outer.force);
    if (b.parent >= 0) {
      beyond[(size_t)b.parent].force += sum.force;
      beyond[(size_t)b.parent].torque += sum.torque;
    }
    if (b.joint < 0)
      continue;
    const Vec force = vector(d->cfrc_int + 6 * body + 3) - sum.force;
    const Vec torque = vector(d->cfrc_int + 6 * body) +
                       cross(centre, vector(d->cfrc_int + 6 * body + 3)) - sum.torque;
    const Vec at = Placed(s.mechanism.joints[(size_t)b.joint], x).x[1];
    const double sign = b.side == 1 ? 1 : -1;
    reactions[(size_t)b.joint] = {sign * force, sign * (torque - cross(at, force))};
  }
  std::vector<double> more =
      adapter::multipliers(s.mechanism, vector(s.gravity.data()), x, reactions);
  more.insert(more.begin(), d->energy[0]);
  adapter::put_motions(s.mechanism, x, more);
}

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  if (run.h < 0)
    throw adapter::Failure("refused", "MuJoCo damps the errors of rods, and does not go back");
  now_running = &s; // also used during compilation of the model
  if (!s.mechanism.bodies.empty()) {
    Assembly assembly(s, run, adapter::motions(s.mechanism, x, v));
    assembly.put();
    for (long step = 0; step < run.steps; step++) {
      advance(assembly.model.get(), assembly.data.get());
      assembly.put();
    }
    return;
  }
  const Simulation simulation(s, run, x, v);
  const mjModel *m = simulation.model.get();
  mjData *d = simulation.data.get();
  put(s, m, d);
  for (long step = 0; step < run.steps; step++) {
    advance(m, d);
    put(s, m, d);
  }
}

int main(int count, char **words)
{
  integrator = count > 1 ? words[1] : "Euler";
  rods = count > 2 ? words[2] : "stiff";
  const auto is_one_of = [](const std::string &word, std::initializer_list<const char *> of) {
    return std::find(of.begin(), of.end(), word) != of.end();
  };
  if (!is_one_of(integrator, {"Euler", "implicit", "RK4"}) ||
      (!is_one_of(rods, {"stiff", "direct", "soft"}) && !(std::atof(rods.c_str()) > 0)))
    return std::fprintf(stderr, "mujoco: Euler, implicit or RK4; stiff, direct, soft or a time\n"),
           2;
  mju_user_warning = [](const char *) {}; // otherwise MuJoCo writes a log file
  mju_user_error = [](const char *why) { throw adapter::Failure("not-converged", why); };
  mjcb_passive = [](const mjModel *, mjData *d) { pairs(*now_running, d, d->qfrc_passive); };
  return adapter::serve("name=mujoco-" + integrator + "-" + rods +
                            " version=" + mj_versionString() + " energy=yes multipliers=yes",
                        refusal, trajectory, false, true);
}
