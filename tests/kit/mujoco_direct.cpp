// The motion of a model of MuJoCo by MuJoCo itself, for tests of the converter and the adapter: prints t
// and the centre of mass of every body with joints after each step of RK4, from its own file.
//
//   g++ -O2 -o mujoco_direct mujoco_direct.cpp -lmujoco
//   ./mujoco_direct MODEL.xml H STEPS [TIME-CONSTANT of <equality>, impedance 0.9999]
#include <cstdio>
#include <cstdlib>
#include <mujoco/mujoco.h>

int main(int count, char **words)
{
  char why[1000] = "";
  mjModel *m = count < 4 ? nullptr : mj_loadXML(words[1], nullptr, why, sizeof why);
  if (!m)
    return std::fprintf(stderr, "%s\n", why), 1;
  m->opt.timestep = std::atof(words[2]);
  m->opt.integrator = mjINT_RK4;
  m->opt.solver = mjSOL_NEWTON;
  m->opt.tolerance = 0;
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT;
  for (int i = 0; i < m->neq && count > 4; i++) {
    m->eq_solref[mjNREF * i] = std::atof(words[4]);
    m->eq_solref[mjNREF * i + 1] = m->eq_solimp[mjNIMP * i] = m->eq_solimp[mjNIMP * i + 1] = 1;
  }
  mjData *d = mj_makeData(m);
  for (long step = 0; step <= std::atol(words[3]); step++) {
    mj_forward(m, d);
    std::printf("%.17g", d->time);
    for (int i = 1; i < m->nbody; i++)
      for (int k = 0; k < 3 && m->body_jntnum[i] > 0; k++)
        std::printf(",%.17g", d->xipos[3 * i + k]);
    std::printf("\n");
    mj_step(m, d);
  }
  return 0;
}
