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
//
// If a position, velocity or acceleration exceeds 1e10, MuJoCo restarts from the initial positions
// at rest, with a warning. The adapter reports a failure. The multipliers are those of the state by
// MuJoCo's law, which omits the derivative of the Jacobian: at the start they have no centrifugal
// part.

using adapter::System;

static std::string integrator, rods;
static const System *now_running; // for the callback, which has no parameter for it

static std::string refusal(const System &s)
{
  for (double m : s.mass)
    if (m < mjMINVAL)
      return "a mass below 1e-15";
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

// Bodies do not rotate, so their inertia has no effect; it must not be zero.
static std::string model_text(const System &s, const adapter::Run &run,
                              const std::vector<double> &x)
{
  const double *g = s.gravity.data(), h = run.h;
  std::string out =
      text("<mujoco><option timestep='%.17g' gravity='%.17g %.17g %.17g' integrator='%s' "
           "solver='Newton' tolerance='%.17g' iterations='100'><flag contact='disable' "
           "energy='enable'/></option>\n<worldbody>\n",
           h, g[0], g[1], g[2], integrator.c_str(), run.tolerance);
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
  const std::string how = rods == "soft" ? ""
                          : rods == "direct"
                              ? text("solimp='1 1' solref='%.17g %.17g'", -1 / (h * h), -1 / h)
                              : text("solimp='1 1' solref='%.17g 1'", 2 * h);
  for (size_t i = 0; i < s.rods.size(); i++)
    out += text("<tendon tendon1='rod%zu' %s/>\n", i, how.c_str());
  return out + "</equality></mujoco>\n";
}

struct Simulation {
  std::unique_ptr<mjModel, void (*)(mjModel *)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData *)> data{nullptr, mj_deleteData};
  Simulation(const System &s, const adapter::Run &run, const std::vector<double> &x,
             const std::vector<double> &v)
  {
    const std::string file = model_text(s, run, x);
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "system.xml", (int)file.size());
    std::copy(file.begin(), file.end(), (char *)files->filedata[0]);
    char why[1000] = "";
    model.reset(mj_loadXML("system.xml", files.get(), why, sizeof why));
    mj_deleteVFS(files.get());
    if (!model)
      throw adapter::Failure("refused", why);
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

static void trajectory(const System &s, const adapter::Run &run, const std::vector<double> &x,
                       const std::vector<double> &v)
{
  if (run.h < 0)
    throw adapter::Failure("refused", "MuJoCo damps the errors of rods, and does not go back");
  now_running = &s; // also used during compilation of the model
  const Simulation simulation(s, run, x, v);
  const mjModel *m = simulation.model.get();
  mjData *d = simulation.data.get();
  put(s, m, d);
  for (long step = 0; step < run.steps; step++) {
    mj_step(m, d);
    for (int bad : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
      if (d->warning[bad].number > 0)
        throw adapter::Failure("not-finite", "MuJoCo is unstable here, and would restart");
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
      !is_one_of(rods, {"stiff", "direct", "soft"}))
    return std::fprintf(stderr, "mujoco: Euler, implicit or RK4; stiff, direct or soft\n"), 2;
  mju_user_warning = [](const char *) {}; // otherwise MuJoCo writes a log file
  mju_user_error = [](const char *why) { throw adapter::Failure("not-converged", why); };
  mjcb_passive = [](const mjModel *, mjData *d) { pairs(*now_running, d, d->qfrc_passive); };
  return adapter::serve("name=mujoco-" + integrator + "-" + rods + " version=" +
                            mj_versionString() + " energy=yes multipliers=yes keeps-constraint=no",
                        refusal, trajectory);
}
