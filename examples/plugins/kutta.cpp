/* A C++ plug-in: Kutta's method of order 3 for the index-reduced equations, with a projection
 * after every step.
 *
 * lambda(q,p) is the multiplier that keeps the second derivative of g zero. Source: Hairer, Norsett
 * & Wanner, Solving ODEs I, II.1; Hairer, Lubich & Wanner, GNI, Algorithm IV.4.2.
 *
 *     shakedown plugin build kutta.cpp
 *     shakedown plugin check ./kutta.so
 *
 * A function that Shakedown calls must not throw. Memory is therefore allocated in `bind`, which
 * returns a status if the allocation fails. Shakedown fills in and frees a plain struct, which
 * points to the object. */

static const char equations[] =
    "q' = H_p,  p' = -H_q - Gᵀ lambda(q,p):  z' = f(t,z),  z = (q,p)\n"
    "k1 = f(t, z),  k2 = f(t + h/2, z + h/2 k1),  k3 = f(t + h, z - h k1 + 2 h k2)\n"
    "z1 = projection of z + h/6 (k1 + 4 k2 + k3)\n";

#include <shakedown/plugin.hpp>

#include <new>
#include <vector>

namespace
{

/* Evaluates f at a point: dq, dp and the multiplier. */
struct slope {
  std::vector<real> q, p, lambda;
  slope(std::size_t n, std::size_t m) : q(n), p(n), lambda(m)
  {
  }
};

class kutta
{
public:
  explicit kutta(const shk_binding &binding)
      : n(static_cast<std::size_t>(binding.evaluator->system->n)),
        m(static_cast<std::size_t>(binding.evaluator->system->m)),
        evaluator(binding.evaluator), k{{n, m}, {n, m}, {n, m}}, q(n), p(n),
        G(static_cast<std::size_t>(binding.evaluator->row_start[m]))
  {
  }

  shk_status bind(const shk_binding *binding)
  {
    return shk_bind_manifold(&manifold, binding);
  }

  shk_status step(shk_state &to, const shk_state &from, real h)
  {
    SHK_TRY(evaluate(k[0], from.t, from.q, from.p));
    move(from, h / 2, k[0], 0, k[0]);
    SHK_TRY(evaluate(k[1], from.t + h / 2, q.data(), p.data()));
    move(from, -h, k[0], 2 * h, k[1]);
    SHK_TRY(evaluate(k[2], from.t + h, q.data(), p.data()));
    for (std::size_t i = 0; i < n; i++) {
      to.q[i] = from.q[i] + h / 6 * (k[0].q[i] + 4 * k[1].q[i] + k[2].q[i]);
      to.p[i] = from.p[i] + h / 6 * (k[0].p[i] + 4 * k[1].p[i] + k[2].p[i]);
      to.q_carry[i] = to.p_carry[i] = 0; /* no compensated summation */
    }
    for (std::size_t i = 0; i < m; i++) {
      to.lambda[i] = k[0].lambda[i]; /* the multiplier at the beginning of the step */
      to.mu[i] = 0;
    }
    return shk_manifold_project(manifold, to.q, to.p, from.t + h);
  }

private:
  std::size_t n, m;
  shk_evaluator *evaluator;
  shk_manifold *manifold = nullptr;
  slope k[3];
  std::vector<real> q, p, G;

  /* (q,p) = from + a x + b y */
  void move(const shk_state &from, real a, const slope &x, real b, const slope &y)
  {
    for (std::size_t i = 0; i < n; i++) {
      q[i] = from.q[i] + a * x.q[i] + b * y.q[i];
      p[i] = from.p[i] + a * x.p[i] + b * y.p[i];
    }
  }

  shk_status evaluate(slope &out, real t, const real *at_q, const real *at_p)
  {
    SHK_TRY(shk_exact_multiplier(manifold, out.lambda.data(), t, at_q, at_p));
    SHK_TRY(shk_velocity(evaluator, out.q.data(), t, at_q, at_p));
    SHK_TRY(shk_gradient(evaluator, out.p.data(), t, at_q, at_p));
    SHK_TRY(shk_jacobian(evaluator, G.data(), t, at_q));
    for (real &value : out.p)
      value = -value;
    shk_jacobian_transposed_add(evaluator, out.p.data(), G.data(), -1, out.lambda.data());
    return shk_ok();
  }
};

struct method {
  shk_evaluator *evaluator;
  int n, m;
  kutta *object;
};

shk_status bind(void *bound, const shk_binding *binding)
{
  try {
    method *w = static_cast<method *>(bound);
    w->object = new kutta(*binding);
    SHK_TRY(shk_keep(binding->workspace, w->object,
                     [](void *object) { delete static_cast<kutta *>(object); }));
    return w->object->bind(binding);
  } catch (const std::bad_alloc &) {
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  }
}

shk_status step(void *bound, shk_state *to, const shk_state *from, real h)
{
  return static_cast<method *>(bound)->object->step(*to, *from, h);
}

const shk_stated claims[] = {SHK_ORDERS(3),
                             SHK_CLAIM(ORDER_LAMBDA, 3),
                             SHK_CONSTRAINTS(SHK_YES),
                             SHK_CLAIM(SYMPLECTIC, SHK_NO),
                             SHK_CLAIM(PRESYMPLECTIC, SHK_NO),
                             SHK_CLAIM(SYMMETRIC, SHK_NO),
                             SHK_CLAIM(ENERGY_BOUNDED, SHK_NO),
                             {}};

const shk_integrator kutta3 = {
    .struct_size = sizeof(shk_integrator),
    .info = {.name = "projected-kutta3",
             .summary = "Kutta's method of order 3 on the index-reduced equations, projected",
             .equations = equations,
             .citation = "Kutta, Z. Math. Phys. 46 (1901) 435; GNI, Algorithm IV.4.2",
             .options = nullptr,
             .supports = SHK_GENERAL_HAMILTONIAN,
             .claims = claims},
    SHK_METHOD(method),
    .bind = bind,
    .step = step};

} // namespace

SHK_PROVIDE(kutta, .integrators = SHK_INTEGRATORS(&kutta3));
