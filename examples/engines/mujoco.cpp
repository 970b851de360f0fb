// Shakedown's adapter for MuJoCo. Points are bodies on three slide joints, rods are equality
// constraints on the lengths of spatial tendons, springs are tendons with a stiffness, and pairs
// are passive forces. The first word is the integrator, `Euler`, `implicit` or `RK4`; the second is
// the stiffness of the rods. Only multipliers are converted, because MuJoCo returns forces along a
// rod.
//
//   g++ -O2 -o mujoco mujoco.cpp -lmujoco
//   shakedown simulate … 'engine(command="./mujoco Euler stiff")' --allow-external …
//
// Constraints are soft: the limit of hard ones "is not allowed in MuJoCo"
// (https://mujoco.readthedocs.io/en/2.2.2/computation.html#primal-problem). The adapter therefore
// claims neither constraints nor an order of convergence to the motion with rigid rods.
#include "adapter.h"

#include <algorithm>
#include <cstdarg>
#include <functional>
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
// If a position, velocity or acceleration exceeds 1e10, MuJoCo warns and restarts at rest from the
// initial positions. The adapter reports this as a failure. The multipliers are those of the state
// according to MuJoCo's law. Before MuJoCo 3.7.0, this law omitted the derivative of the Jacobian,
// so the initial multipliers have no centrifugal part.

using adapter::System;

static std::string integrator, rods;
static std::function<void(mjData *)> passive; // forces of the current system, if it has any

// ---- the model as the contents of a file ----

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
                          const std::string &further)
{
  return text("<spatial name='%s%zu'%s><site site='p%d'/><site site='p%d'/></spatial>\n", name,
              number, further.c_str(), s.point(a), s.point(b));
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

// Bodies do not rotate, so their inertia has no effect, but it must not be zero.
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

// Takes a step, which fails if MuJoCo emits one of the warnings after which it would restart.
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
    // The length of a rod is the sum of the initial length of the tendon and polycoef[0].
    for (size_t i = 0; i < s.rods.size(); i++)
      model->eq_data[i * mjNEQDATA] = s.rods[i].length - model->tendon_length0[i];
    data.reset(mj_makeData(model.get()));
    std::copy_n(x.begin(), model->nq, data->qpos);
    std::copy_n(v.begin(), model->nv, data->qvel);
  }
};

// ---- forces between pairs ----

// Returns the potential of the pairs. Adds their forces to `force` unless it is NULL.
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
  std::vector<double> further{d->energy[0] + pairs(s, d, nullptr)};
  for (size_t i = 0; i < s.rods.size(); i++)
    further.push_back(-d->efc_force[i] / s.rods[i].length);
  adapter::put_state(s, d->qpos, d->qvel, further);
}

// ---- mechanisms ----

// Mechanisms are trees of MuJoCo joints in the initial pose, in which all joint coordinates are 0.
// Loops are closed by `connect`: one for a ball, two on the axis for a hinge, and three for a weld.
// Springs, loads, and dampers that do not belong to joints are external forces, which are set
// whenever MuJoCo evaluates passive forces. Euler treats joint dampers implicitly. Reactions are
// computed from MuJoCo's cfrc_int and the forces of `connect`.

using adapter::Branch;
using adapter::Joint;
using adapter::Motion;
using adapter::Placed;
using adapter::Vec;
using adapter::Wrench;

// The MuJoCo joints that make up a joint, from its first body to its second: a hinge, slide or ball
// about the axis with this number in the first frame or, for H, in the second frame.
static const std::map<std::string, std::string> motions = {
    {"spherical", "b3"},   {"revolute", "h3"},   {"prismatic", "s3"},       {"cylindrical", "s3h3"},
    {"universal", "h3H1"}, {"planar", "s1s2h3"}, {"point-on-line", "s3b3"}, {"weld", ""}};

struct Axis {
  const char *type; // type of MuJoCo's joint
  Vec axis;
};
static std::vector<Axis> axes_of(const Joint &j, const Placed &at)
{
  const std::string &codes = motions.at(j.type);
  std::vector<Axis> out;
  for (size_t i = 0; i < codes.size(); i += 2) {
    const char *const type = codes[i] == 's' ? "slide" : codes[i] == 'b' ? "ball" : "hinge";
    out.push_back({type, at.axis[codes[i] == 'H' ? 1 : 0][(size_t)(codes[i + 1] - '1')]});
  }
  return out;
}

static bool can_join(const Joint &j)
{
  return motions.count(j.type) > 0;
}
static bool can_close(const Joint &j)
{
  return j.type == "spherical" || j.type == "revolute" || j.type == "weld";
}

static std::string refusal(const System &s)
{
  for (double m : s.mass)
    if (m < mjMINVAL)
      return "a mass below 1e-15";
  const std::string type =
      spanning_tree(s.mechanism, can_join, can_close).unclosed(s.mechanism, can_close);
  return type.empty() ? "" : "MuJoCo closes no loop by a joint " + type;
}

static Vec vector(const double *x)
{
  return {x[0], x[1], x[2]};
}

static std::string numbers(const char *name, const Vec &x)
{
  return text(" %s='%.17g %.17g %.17g'", name, x[0], x[1], x[2]);
}

struct Assembly {
  const System &s;
  std::vector<Motion> start;
  adapter::Tree tree;
  adapter::Mechanism external;        // without dampers of tree joints, which MuJoCo handles
  std::vector<std::vector<Vec>> held; // points held by `tree.closing`, in its first moving body
  std::vector<int> ids;               // MuJoCo's ids of the bodies
  Model model{nullptr, mj_deleteModel};
  Data data{nullptr, mj_deleteData};
  Assembly(const System &s, const adapter::Run &run, const std::vector<Motion> &start);
  std::string body_text(const Branch &b) const;
  std::string below(int parent) const;
  std::string equalities(double h) const;
  void set_velocities(const Branch &b);
  void pull(mjData *d) const;
  std::vector<Motion> now(const mjData *d) const;
  Wrench closing_wrench(size_t k, const std::vector<Motion> &x, const double *&next) const;
  void put();
};

std::string Assembly::body_text(const Branch &b) const
{
  const adapter::Body &body = s.mechanism.bodies[(size_t)b.child];
  const Motion x = start[(size_t)b.child], parent = adapter::motion_of(start, b.parent);
  const Vec d1 = into(parent.d, x.d[0]), d2 = into(parent.d, x.d[1]);
  const auto I = body.inertia();
  std::string out = text("<body name='b%d'", b.child) +
                    numbers("pos", into(parent.d, x.r - parent.r)) +
                    text(" xyaxes='%.17g %.17g %.17g %.17g %.17g %.17g'>", d1[0], d1[1], d1[2],
                         d2[0], d2[1], d2[2]);
  out += text("<inertial mass='%.17g'", body.mass) + numbers("pos", body.centre);
  out += I[0][1] == 0 && I[0][2] == 0 && I[1][2] == 0
             ? numbers("diaginertia", {I[0][0], I[1][1], I[2][2]}) + "/>"
             : text(" fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>", I[0][0], I[1][1],
                    I[2][2], I[0][1], I[0][2], I[1][2]);
  if (b.joint < 0)
    return out + "<freejoint/>" + below(b.child) + "</body>\n";
  const Joint &j = s.mechanism.joints[(size_t)b.joint];
  const Placed at(j, start);
  std::vector<Axis> axes = axes_of(j, at);
  if (b.side == 0)
    std::reverse(axes.begin(), axes.end());
  for (const Axis &axis : axes)
    out += text("<joint type='%s'", axis.type) + numbers("pos", into(x.d, at.x[1] - x.r)) +
           numbers("axis", into(x.d, axis.axis)) + text(" damping='%.17g'/>", j.damping);
  return out + below(b.child) + "</body>\n";
}

std::string Assembly::below(int parent) const
{
  std::string out;
  for (const Branch &b : tree.branches)
    if (b.parent == parent)
      out += body_text(b);
  return out;
}

std::string Assembly::equalities(double h) const
{
  std::string out = "<equality>\n";
  for (size_t k = 0; k < held.size(); k++) {
    const Joint &j = s.mechanism.joints[(size_t)tree.closing[k]];
    const int first = j.bodies[j.moving()], second = j.bodies[1 - j.moving()];
    for (const Vec &x : held[k])
      out += text("<connect body1='b%d'", first) +
             (second < 0 ? "" : text(" body2='b%d'", second)) + numbers("anchor", x) + " " +
             solver_parameters(h) + "/>\n";
  }
  return out + "</equality>\n";
}

// The rates of the joints of a branch. The rotation axes that make up a joint are orthogonal.
void Assembly::set_velocities(const Branch &b)
{
  const mjModel *m = model.get();
  const adapter::Attachment joined(s.mechanism, b, start);
  const int body = ids[(size_t)b.child];
  const Vec local = into(joined.child.d, joined.spin);
  const auto put = [](double *to, const Vec &from) { std::copy(from.at, from.at + 3, to); };
  if (b.joint < 0) {
    put(data->qvel + m->body_dofadr[body], joined.speed);
    put(data->qvel + m->body_dofadr[body] + 3, local);
    return;
  }
  for (int i = m->body_jntadr[body]; i < m->body_jntadr[body] + m->body_jntnum[body]; i++) {
    const Vec e = vector(data->xaxis + 3 * i);
    double *to = data->qvel + m->jnt_dofadr[i];
    if (m->jnt_type[i] == mjJNT_BALL)
      put(to, local);
    else
      *to = dot(e, m->jnt_type[i] == mjJNT_HINGE ? joined.spin : joined.speed);
  }
}

Assembly::Assembly(const System &s, const adapter::Run &run, const std::vector<Motion> &start)
    : s(s), start(start), tree(adapter::spanning_tree(s.mechanism, can_join, can_close)),
      external(s.mechanism)
{
  for (const Branch &b : tree.branches)
    if (b.joint >= 0)
      external.joints[(size_t)b.joint].damping = 0;
  for (int i : tree.closing) {
    const Joint &j = s.mechanism.joints[(size_t)i];
    const Motion &x = start[(size_t)j.bodies[j.moving()]];
    held.push_back(adapter::points_of(j, Placed(j, start)));
    for (Vec &point : held.back())
      point = into(x.d, point - x.r);
  }
  model = compiled(option_text(s, run) + below(-1) + "</worldbody>\n" + equalities(run.h) +
                   "</mujoco>\n");
  for (size_t i = 0; i < start.size(); i++)
    ids.push_back(mj_name2id(model.get(), mjOBJ_BODY, text("b%zu", i).c_str()));
  data = Data(mj_makeData(model.get()), mj_deleteData);
  mj_forward(model.get(), data.get());
  for (const Branch &b : tree.branches)
    set_velocities(b);
}

std::vector<Motion> Assembly::now(const mjData *d) const
{
  std::vector<Motion> x(ids.size());
  for (size_t i = 0; i < x.size(); i++) {
    const double *R = d->xmat + 9 * ids[i];
    double twist[6];
    mj_objectVelocity(model.get(), d, mjOBJ_XBODY, ids[i], twist, 0);
    for (size_t k = 0; k < 3; k++)
      x[i].d[k] = {R[k], R[3 + k], R[6 + k]};
    x[i].r = vector(d->xpos + 3 * ids[i]);
    x[i].w = vector(twist);
    x[i].v = vector(twist + 3);
  }
  return x;
}

// In MuJoCo, xfrc_applied is a wrench about the centre of mass.
void Assembly::pull(mjData *d) const
{
  const std::vector<Motion> x = now(d);
  const std::vector<Wrench> forces = adapter::applied(external, x);
  for (size_t i = 0; i < x.size(); i++) {
    const Wrench w = forces[i].about(x[i].arm(s.mechanism.bodies[i]));
    double *const to = d->xfrc_applied + 6 * ids[i];
    std::copy_n(w.force.at, 3, to);
    std::copy_n(w.torque.at, 3, to + 3);
  }
}

// Computes the wrench from the forces of the joint's constraints, which begin at `next`.
Wrench Assembly::closing_wrench(size_t k, const std::vector<Motion> &x, const double *&next) const
{
  const Joint &j = s.mechanism.joints[(size_t)tree.closing[k]];
  const Placed at(j, x);
  Wrench w;
  for (const Vec &point : held[k]) {
    w += Wrench{vector(next)}.about(at.x[1] - at.body[j.moving()].point(point));
    next += 3;
  }
  return j.on_second(j.moving(), w);
}

void Assembly::put()
{
  const mjModel *m = model.get();
  mjData *d = data.get();
  mj_forward(m, d);
  mj_rnePostConstraint(m, d);
  const std::vector<Motion> x = now(d);
  std::vector<Wrench> reactions(s.mechanism.joints.size());
  const double *next = d->efc_force; // forces of equality constraints, which come first
  for (size_t k = 0; k < held.size(); k++)
    reactions[(size_t)tree.closing[k]] = closing_wrench(k, x, next);
  for (const Branch &b : tree.branches) {
    if (b.joint < 0)
      continue;
    const Joint &j = s.mechanism.joints[(size_t)b.joint];
    const int body = ids[(size_t)b.child];
    const double *w = d->cfrc_int + 6 * body; // torque and force of the parent, about this:
    const Vec centre = vector(d->subtree_com + 3 * m->body_rootid[body]);
    reactions[(size_t)b.joint] =
        j.on_second(b.side, Wrench{vector(w + 3), vector(w)}.about(Placed(j, x).x[1] - centre));
  }
  adapter::put_reactions(s.mechanism, x, reactions);
}

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  if (run.h < 0)
    throw adapter::Failure("refused", "MuJoCo damps the errors of rods, and does not go back");
  passive = nullptr;
  if (!s.mechanism.bodies.empty()) {
    Assembly all(s, run, adapter::motions(s.mechanism, x, v));
    passive = [&](mjData *d) { all.pull(d); };
    return adapter::each_step(
        run, [&] { all.put(); }, [&] { advance(all.model.get(), all.data.get()); });
  }
  const Simulation simulation(s, run, x, v);
  const mjModel *m = simulation.model.get();
  mjData *d = simulation.data.get();
  passive = [&](mjData *now) { pairs(s, now, now->qfrc_passive); };
  adapter::each_step(
      run, [&] { put(s, m, d); }, [&] { advance(m, d); });
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
  mju_user_warning = [](const char *) {}; // otherwise, MuJoCo writes a log file
  mju_user_error = [](const char *why) { throw adapter::Failure("not-converged", why); };
  mjcb_passive = [](const mjModel *, mjData *d) {
    if (passive)
      passive(d);
  };
  return adapter::serve("name=mujoco-" + integrator + "-" + rods +
                            " version=" + mj_versionString() + " energy=yes multipliers=yes",
                        refusal, trajectory, false, true);
}
