// Common code for C++ adapters that support rigid bodies and joints (docs/guides/engines.md):
// motions in Shakedown's coordinates, spanning trees, forces, and multipliers.
#ifndef BODIES_H
#define BODIES_H

#include <array>
#include <cmath>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

namespace adapter
{

struct Vec {
  double at[3];
  double &operator[](size_t i)
  {
    return at[i];
  }
  double operator[](size_t i) const
  {
    return at[i];
  }
};
using Mat = std::array<Vec, 3>; // three vectors: axes

inline Vec operator+(const Vec &a, const Vec &b)
{
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vec operator*(double c, const Vec &a)
{
  return {c * a[0], c * a[1], c * a[2]};
}
inline Vec operator-(const Vec &a, const Vec &b)
{
  return a + -1.0 * b;
}
inline Vec &operator+=(Vec &a, const Vec &b)
{
  return a = a + b;
}
inline double dot(const Vec &a, const Vec &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vec cross(const Vec &a, const Vec &b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
// The components of a vector along the axes, and the vector with given components.
inline Vec into(const Mat &axes, const Vec &a)
{
  return {dot(axes[0], a), dot(axes[1], a), dot(axes[2], a)};
}
inline Vec out_of(const Mat &axes, const Vec &a)
{
  return a[0] * axes[0] + a[1] * axes[1] + a[2] * axes[2];
}

struct Frame {
  Vec place;
  Mat axes;
};
// A body, described in its axes d and about its point r, which is the centre of mass or the pivot.
struct Body {
  double mass;
  Vec second;   // D = ½ tr(I) 1 - I about r, diagonal
  Vec centre;   // from r
  Frame own;    // r and d in the frame of the file, in which the line describes joints
  bool pivoted; // r is fixed at `pivot`
  Vec pivot;
  Vec moments() const // about r
  {
    return {second[1] + second[2], second[0] + second[2], second[0] + second[1]};
  }
  // The inertia tensor about the centre of mass.
  Mat inertia() const
  {
    Mat I;
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < 3; j++)
        I[i][j] =
            (i == j) * (moments()[i] - mass * dot(centre, centre)) + mass * centre[i] * centre[j];
    return I;
  }
};
struct Wrench {
  Vec force = {0, 0, 0}, torque = {0, 0, 0};
  Wrench about(const Vec &arm) const // the same wrench about a point at the offset `arm`
  {
    return {force, torque - cross(arm, force)};
  }
};
inline Wrench operator*(double c, const Wrench &w)
{
  return {c * w.force, c * w.torque};
}
inline Wrench &operator+=(Wrench &a, const Wrench &b)
{
  return a = {a.force + b.force, a.torque + b.torque};
}
// Body -1 is the ground. Frames are relative to r and d.
struct Joint {
  std::string type, rows; // rows: "" for a pivot
  std::array<int, 2> bodies;
  std::array<Frame, 2> frames;
  double length, stiffness, rest, damping, load;
  // The side whose body is not the ground, or 1 if neither is. This is for engines that require a
  // body as the first end.
  size_t moving() const
  {
    return bodies[1] >= 0 ? 1 : 0;
  }
  // Converts a wrench on the body at a side to the wrench on the second body.
  Wrench on_second(size_t side, const Wrench &w) const
  {
    return (side == 1 ? 1.0 : -1.0) * w;
  }
};
struct Link {
  std::array<int, 2> bodies;
  std::array<Vec, 2> places;
  double stiffness, rest, damping;
};
// The vectors r and d in space, the velocity of r, and the angular velocity.
struct Motion {
  Vec r = {0, 0, 0};
  Mat d = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec v = {0, 0, 0}, w = {0, 0, 0};
  Vec point(const Vec &local) const
  {
    return r + out_of(d, local);
  }
  Vec velocity(const Vec &x) const // of the body's point at x
  {
    return v + cross(w, x - r);
  }
  Vec arm(const Body &b) const // vector from r to the centre of mass, in space
  {
    return out_of(d, b.centre);
  }
};
// Returns the motion of r, for engines whose bodies have their origin at the centre of mass.
inline Motion from_centre(const Body &b, Motion x)
{
  x.r = x.r - x.arm(b);
  x.v = x.v - cross(x.w, x.arm(b));
  return x;
}
// The generalized forces on r, d_1, d_2 and d_3.
using Load = std::array<Vec, 4>;

struct Mechanism {
  std::vector<Body> bodies;
  std::vector<Joint> joints; // joints of pivots are last
  std::vector<Link> links;
  Vec gravity = {0, 0, 0};
  int coordinates() const
  {
    int n = 0;
    for (const Body &b : bodies)
      n += b.pivoted ? 9 : 12;
    return n;
  }
};

// ---- reading the line that describes a mechanism ----

inline Vec read_vector(std::istream &words)
{
  Vec x;
  words >> x[0] >> x[1] >> x[2];
  return x;
}

// Axes are sent as the rows of the rotation matrix.
inline Frame read_frame(std::istream &words)
{
  Frame f;
  f.place = read_vector(words);
  for (size_t i = 0; i < 9; i++)
    words >> f.axes[i % 3][i / 3];
  return f;
}

inline Vec local_point(const Mechanism &m, int body, const Vec &x)
{
  return body < 0 ? x : into(m.bodies[(size_t)body].own.axes, x - m.bodies[(size_t)body].own.place);
}

// Reads the values after the word `key`. Returns false if there is no such word.
inline bool read_statement(Mechanism &m, const std::string &key, std::istream &words)
{
  if (key == "body" || key == "pivoted") {
    Body b;
    words >> b.mass;
    b.second = read_vector(words);
    b.centre = read_vector(words);
    b.own = read_frame(words);
    b.centre = into(b.own.axes, b.centre - b.own.place);
    b.pivoted = key == "pivoted";
    if (b.pivoted)
      b.pivot = read_vector(words);
    m.bodies.push_back(b);
  } else if (key == "joint") {
    Joint j;
    words >> j.type >> j.rows;
    for (size_t side = 0; side < 2; side++) {
      words >> j.bodies[side];
      Frame f = read_frame(words);
      f.place = local_point(m, j.bodies[side], f.place);
      for (Vec &axis : f.axes)
        if (j.bodies[side] >= 0)
          axis = into(m.bodies[(size_t)j.bodies[side]].own.axes, axis);
      j.frames[side] = f;
    }
    words >> j.length >> j.stiffness >> j.rest >> j.damping >> j.load;
    m.joints.push_back(j);
  } else if (key == "link") {
    Link l;
    for (size_t side = 0; side < 2; side++) {
      words >> l.bodies[side];
      l.places[side] = local_point(m, l.bodies[side], read_vector(words));
    }
    words >> l.stiffness >> l.rest >> l.damping;
    m.links.push_back(l);
  } else {
    return false;
  }
  return true;
}

inline void add_pivots(Mechanism &m)
{
  for (size_t i = 0; i < m.bodies.size(); i++)
    if (m.bodies[i].pivoted) {
      const Mat unit = Motion().d;
      Joint j = {};
      j.type = "spherical";
      j.bodies = {-1, (int)i};
      j.frames = {{{m.bodies[i].pivot, unit}, {{0, 0, 0}, unit}}};
      m.joints.push_back(j);
    }
}

// ---- coordinates ----

// q = (r, d_1, d_2, d_3) for every body, without r if the body is pivoted. ω = ½ Σ d_k × d_k'.
inline std::vector<Motion> motions(const Mechanism &m, const std::vector<double> &q,
                                   const std::vector<double> &v)
{
  std::vector<Motion> out;
  size_t at = 0;
  const auto next = [&](const std::vector<double> &from) {
    return Vec{from[at], from[at + 1], from[at + 2]};
  };
  for (const Body &b : m.bodies) {
    Motion x;
    x.r = b.pivoted ? b.pivot : next(q);
    x.v = b.pivoted ? x.v : next(v);
    at += b.pivoted ? 0 : 3;
    for (Vec &d : x.d) {
      d = next(q);
      x.w += 0.5 * cross(d, next(v));
      at += 3;
    }
    out.push_back(x);
  }
  return out;
}

// Writes a state, with `further` as for put_state.
inline void put_motions(const Mechanism &m, const std::vector<Motion> &x,
                        const std::vector<double> &further)
{
  std::vector<double> q, v;
  const auto put = [](std::vector<double> &to, const Vec &a) {
    to.insert(to.end(), a.at, a.at + 3);
  };
  for (size_t i = 0; i < x.size(); i++) {
    if (!m.bodies[i].pivoted)
      put(q, x[i].r), put(v, x[i].v);
    for (const Vec &d : x[i].d)
      put(q, d), put(v, cross(x[i].w, d));
  }
  for (double value : q)
    if (!std::isfinite(value))
      throw Failure("not-finite", "positions in the engine are not finite");
  put_numbers(q, v, further);
}

inline Motion motion_of(const std::vector<Motion> &x, int body)
{
  return body < 0 ? Motion() : x[(size_t)body];
}

// A joint in space: its points x, its axes, and the motions of its bodies.
struct Placed {
  Motion body[2];
  Vec x[2];
  Mat axis[2];
  Placed(const Joint &j, const std::vector<Motion> &m)
  {
    for (size_t side = 0; side < 2; side++) {
      body[side] = motion_of(m, j.bodies[side]);
      x[side] = body[side].point(j.frames[side].place);
      for (size_t k = 0; k < 3; k++)
        axis[side][k] = out_of(body[side].d, j.frames[side].axes[k]);
    }
  }
  // The angle about the third axis or the displacement along it, and the rate of this coordinate.
  double coordinate(bool turns) const
  {
    const Vec &b = axis[1][0];
    return turns ? std::atan2(dot(axis[0][1], b), dot(axis[0][0], b))
                 : dot(axis[0][2], x[1] - x[0]);
  }
  double rate(bool turns) const
  {
    return dot(axis[0][2],
               turns ? body[1].w - body[0].w : body[1].velocity(x[1]) - body[0].velocity(x[1]));
  }
};

inline bool turns(const Joint &j)
{
  return j.type == "revolute";
}

// ---- trees ----

// A body that is attached to its parent by a joint, or that is free (joint -1). `side` is the
// body's end of the joint.
struct Branch {
  int joint, parent, child;
  size_t side;
};

// All bodies, with parents first, and the joints that close loops.
struct Tree {
  std::vector<Branch> branches;
  std::vector<int> closing;
  // the type of a joint that can neither join bodies nor close a loop, or ""
  template <typename CanClose> std::string unclosed(const Mechanism &m, CanClose can_close) const
  {
    for (int i : closing)
      if (!can_close(m.joints[(size_t)i]))
        return m.joints[(size_t)i].type;
    return "";
  }
};
// Builds trees, starting from the ground, from joints that `can_join` accepts. If there is a
// choice, leaves joints that `can_close` accepts to close the loops.
template <typename CanJoin, typename CanClose>
Tree spanning_tree(const Mechanism &m, CanJoin can_join, CanClose can_close)
{
  Tree tree;
  std::vector<Branch> &out = tree.branches;
  std::vector<bool> placed(m.bodies.size()), used(m.joints.size());
  const auto has = [&](int body) { return body < 0 || placed[(size_t)body]; };
  const auto grow = [&](bool willing) {
    for (size_t i = 0; i < m.joints.size(); i++) {
      const Joint &j = m.joints[i];
      if (used[i] || !can_join(j) || has(j.bodies[0]) == has(j.bodies[1]) ||
          (!willing && can_close(j)))
        continue;
      const size_t side = has(j.bodies[0]) ? 1 : 0;
      out.push_back({(int)i, j.bodies[1 - side], j.bodies[side], side});
      used[i] = placed[(size_t)j.bodies[side]] = true;
      return true;
    }
    return false;
  };
  for (size_t first = 0;; first++) {
    while (grow(false) || grow(true))
      ;
    while (first < placed.size() && placed[first])
      first++;
    if (first >= placed.size())
      break;
    out.push_back({-1, -1, (int)first, 0});
    placed[first] = true;
  }
  for (size_t i = 0; i < used.size(); i++)
    if (!used[i])
      tree.closing.push_back((int)i);
  return tree;
}

// The initial state of a branch: the motions of its ends, the joint's point (r for a free body),
// and the child's motion relative to the parent at that point.
struct Attachment {
  Motion parent, child;
  Vec at, spin, speed;
  Attachment(const Mechanism &m, const Branch &b, const std::vector<Motion> &start)
      : parent(motion_of(start, b.parent)), child(start[(size_t)b.child]),
        at(b.joint < 0 ? child.r : Placed(m.joints[(size_t)b.joint], start).x[1]),
        spin(child.w - parent.w), speed(child.velocity(at) - parent.velocity(at))
  {
  }
};

// Returns the points of both bodies that must stay together if the joint closes a loop: one point
// for a ball, two points on the axis for a hinge, three points for a weld, and none for other
// joints.
inline std::vector<Vec> points_of(const Joint &j, const Placed &at)
{
  const double arm = std::max({1e-3, std::sqrt(dot(at.x[1] - at.body[1].r, at.x[1] - at.body[1].r)),
                               std::sqrt(dot(at.x[0] - at.body[0].r, at.x[0] - at.body[0].r))});
  const Vec x = at.x[1];
  if (j.type == "spherical")
    return {x};
  if (j.type == "revolute")
    return {x + arm * at.axis[0][2], x - arm * at.axis[0][2]};
  if (j.type == "weld")
    return {x, x + arm * at.axis[0][0], x + arm * at.axis[0][1]};
  return {};
}

// ---- forces ----

struct Loads {
  const Mechanism &m;
  std::vector<Load> of; // one load per body
  explicit Loads(const Mechanism &m) : m(m), of(m.bodies.size(), Load{})
  {
  }
  // Adds the force f on a point or a direction of the body, given by its components in d.
  void add(int body, const Vec &local, const Vec &f, bool is_point)
  {
    if (body < 0)
      return;
    Load &to = of[(size_t)body];
    if (is_point)
      to[0] += f;
    for (size_t k = 0; k < 3; k++)
      to[k + 1] += local[k] * f;
  }
  // Returns the wrench about r.
  Wrench wrench(size_t body, const Motion &x) const
  {
    Wrench out{of[body][0], {0, 0, 0}};
    for (size_t k = 0; k < 3; k++)
      out.torque += cross(x.d[k], of[body][k + 1]);
    return out;
  }
};

// Adds springs, dampers and loads. Returns the potential, including that of gravity.
inline double add_forces(Loads &to, const std::vector<Motion> &x)
{
  double energy = 0;
  for (size_t i = 0; i < x.size(); i++)
    energy -= to.m.bodies[i].mass * dot(to.m.gravity, x[i].point(to.m.bodies[i].centre));
  for (const Joint &j : to.m.joints) {
    if (j.stiffness == 0 && j.damping == 0 && j.load == 0)
      continue;
    const Placed at(j, x);
    double d = at.coordinate(turns(j)) - j.rest;
    d = turns(j) ? std::remainder(d, 2 * M_PI) : d;
    energy += j.stiffness * d * d / 2;
    const double f = j.load - j.stiffness * d - j.damping * at.rate(turns(j));
    const auto &[a, b] = j.bodies;
    const Mat &own = j.frames[0].axes, &axis = at.axis[0];
    if (turns(j)) { // ∇ atan2(s, c), s = a_2·b_1, c = a_1·b_1
      const double s = dot(axis[1], at.axis[1][0]), c = dot(axis[0], at.axis[1][0]);
      to.add(b, j.frames[1].axes[0], f * (c * axis[1] - s * axis[0]), false);
      to.add(a, c * own[1] - s * own[0], f * at.axis[1][0], false);
    } else {
      to.add(b, j.frames[1].place, f * axis[2], true);
      to.add(a, j.frames[0].place, -f * axis[2], true);
      to.add(a, own[2], f * (at.x[1] - at.x[0]), false);
    }
  }
  for (const Link &l : to.m.links) {
    const Motion a = motion_of(x, l.bodies[0]), b = motion_of(x, l.bodies[1]);
    const Vec p = a.point(l.places[0]), q = b.point(l.places[1]);
    const double r = std::sqrt(dot(q - p, q - p));
    const Vec along = (1 / r) * (q - p);
    energy += l.stiffness * (r - l.rest) * (r - l.rest) / 2;
    const double f =
        -l.stiffness * (r - l.rest) - l.damping * dot(along, b.velocity(q) - a.velocity(p));
    to.add(l.bodies[1], l.places[1], f * along, true);
    to.add(l.bodies[0], l.places[0], -f * along, true);
  }
  return energy;
}

// The forces of springs, dampers and loads on each body, about r.
inline std::vector<Wrench> applied(const Mechanism &m, const std::vector<Motion> &x)
{
  Loads loads(m);
  std::vector<Wrench> out;
  add_forces(loads, x);
  for (size_t i = 0; i < x.size(); i++)
    out.push_back(loads.wrench(i, x[i]));
  return out;
}

inline double potential(const Mechanism &m, const std::vector<Motion> &x)
{
  Loads none(m);
  return add_forces(none, x);
}

// ---- multipliers ----

// Adds -λ ∇g of one row (o31: a_3·b_1, a2: a_2·(x_b - x_a), p1: e_1·(x_b - x_a), d: distance).
inline void add_row(Loads &to, const Joint &j, const Placed &at, const std::string &row,
                    double lambda)
{
  const size_t i = row.size() > 1 ? (size_t)(row[1] - '1') : 0;
  const auto &[a, b] = j.bodies;
  const Vec between = at.x[1] - at.x[0];
  Vec u = row[0] == 'd' ? between : row[0] == 'p' ? Motion().d[i] : at.axis[0][i];
  if (row[0] == 'o') {
    const size_t k = (size_t)(row[2] - '1');
    to.add(b, j.frames[1].axes[k], -lambda * u, false);
    to.add(a, j.frames[0].axes[i], -lambda * at.axis[1][k], false);
    return;
  }
  to.add(b, j.frames[1].place, -lambda * u, true);
  to.add(a, j.frames[0].place, lambda * u, true);
  if (row[0] == 'a')
    to.add(a, j.frames[0].axes[i], -lambda * between, false);
}

// The rows of a joint: "p1p2p3o31o32" is p1, p2, p3, o31, o32.
inline std::vector<std::string> rows_of(const Joint &j)
{
  std::vector<std::string> out;
  for (char c : j.rows)
    if (c >= 'a')
      out.emplace_back(1, c);
    else
      out.back() += c;
  return out;
}

// Returns the multipliers of a joint whose wrench acts on the second body about its point. They are
// computed by least squares, so contributions along the free motions of the joint are ignored.
inline std::vector<double> joint_multipliers(const Mechanism &m, const Joint &j, const Placed &at,
                                             const Wrench &w)
{
  const auto rows = rows_of(j);
  const size_t n = rows.size();
  std::vector<std::array<double, 6>> unit;
  std::vector<std::vector<double>> A(n, std::vector<double>(n + 1));
  for (const auto &row : rows) {
    const size_t side = j.moving();
    const Motion &body = at.body[side];
    Loads loads(m);
    add_row(loads, j, at, row, 1);
    const Wrench one =
        j.on_second(side, loads.wrench((size_t)j.bodies[side], body).about(at.x[1] - body.r));
    unit.push_back({});
    std::copy_n(one.force.at, 3, unit.back().begin());
    std::copy_n(one.torque.at, 3, unit.back().begin() + 3);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < 6; c++) {
      A[i][n] += unit[i][c] * (c < 3 ? w.force[c] : w.torque[c - 3]);
      for (size_t k = 0; k < n; k++)
        A[i][k] += unit[i][c] * unit[k][c];
    }
  for (size_t i = 0; i < n; i++) // Gauss-Jordan; A is positive definite
    for (size_t k = 0; k < n; k++) {
      const double factor = A[k][i] / A[i][i];
      for (size_t c = i; c <= n && k != i; c++)
        A[k][c] -= factor * A[i][c];
    }
  std::vector<double> out(n);
  for (size_t i = 0; i < n; i++)
    out[i] = A[i][n] / A[i][i];
  return out;
}

// Computes all multipliers from the wrenches of the joints. The multipliers of the rows within a
// body follow from its motion, D_k d_k'' = F_k - Σ_l λ_kl d_l, with ω' from Euler's equations.
inline std::vector<double> multipliers(const Mechanism &m, const std::vector<Motion> &x,
                                       const std::vector<Wrench> &reactions)
{
  Loads F(m);
  std::vector<double> out, own;
  add_forces(F, x);
  for (size_t i = 0; i < x.size(); i++)
    F.add((int)i, m.bodies[i].centre, m.bodies[i].mass * m.gravity, true);
  for (size_t i = 0; i < m.joints.size(); i++) {
    const Placed at(m.joints[i], x);
    const auto rows = rows_of(m.joints[i]);
    const auto lambda = joint_multipliers(m, m.joints[i], at, reactions[i]);
    for (size_t k = 0; k < rows.size(); k++)
      add_row(F, m.joints[i], at, rows[k], lambda[k]);
    out.insert(out.end(), lambda.begin(), lambda.end());
  }
  for (size_t i = 0; i < x.size(); i++) {
    const Mat &d = x[i].d;
    const Vec I = m.bodies[i].moments(), w = into(d, x[i].w);
    const Vec torque =
        into(d, F.wrench(i, x[i]).torque) - cross(w, {I[0] * w[0], I[1] * w[1], I[2] * w[2]});
    const Vec spin = out_of(d, {torque[0] / I[0], torque[1] / I[1], torque[2] / I[2]});
    const auto inner = [&](size_t k, size_t l) {
      const Vec turned = cross(spin, d[k]) + cross(x[i].w, cross(x[i].w, d[k]));
      return dot(d[l], F.of[i][k + 1] - m.bodies[i].second[k] * turned);
    };
    for (size_t k = 0; k < 3; k++)
      own.push_back(inner(k, k));
    for (const auto &[k, l] : {std::pair<size_t, size_t>{0, 1}, {0, 2}, {1, 2}})
      own.push_back((inner(k, l) + inner(l, k)) / 2);
  }
  out.insert(out.begin(), own.begin(), own.end());
  return out;
}

// Writes a state with its potential and the multipliers that correspond to these reactions.
inline void put_reactions(const Mechanism &m, const std::vector<Motion> &x,
                          const std::vector<Wrench> &reactions)
{
  std::vector<double> further = multipliers(m, x, reactions);
  further.insert(further.begin(), potential(m, x));
  put_motions(m, x, further);
}

} // namespace adapter

#endif
