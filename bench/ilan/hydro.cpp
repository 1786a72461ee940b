// hydro: an explosion at the corner of a cube of gas, on a mesh of hexahedra that moves with it.
//
// Why    A step does what hydrodynamics codes like LULESH do: loops over elements with much
//        arithmetic, a loop over mesh points (struct Node) that gathers from the elements around
//        each, the least time step of all, and an equation of state whose work is uneven and moves
//        with the shock.
// Steps  1. The time step: a reduction. 2. Elements: the force on each corner, from pressure,
//        viscosity and the damping of hourglass modes. 3. Mesh points: the forces gathered,
//        acceleration, motion. 4. Elements: the work that these forces have done, and the new
//        volume. 5. Elements: temperature and pressure.
// Gas    Each element is of one of four kinds. Three have vibrating molecules, whose temperature
//        takes a search once they are warm; the temperature of the fourth is a division.
// Check  The sum of inner and kinetic energy: an element loses exactly what its forces give to mesh
//        points, so the sum stays constant but for rounding. And no element is turned inside out.
#include <array>

#include "kernel.hpp"

namespace {

struct Vector {
  double x, y, z;

  Vector operator+(const Vector& o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vector operator-(const Vector& o) const { return {x - o.x, y - o.y, z - o.z}; }
};
Vector operator*(double f, const Vector& v) { return {f * v.x, f * v.y, f * v.z}; }
double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Corner c of an element is at (c & 1, c >> 1 & 1, c >> 2).
using Corners = std::array<Vector, 8>;

// Counterclockwise as seen from outside.
constexpr int kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                              {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

// The derivative of the volume by the positions of the corners. Faces need not be flat: each is
// taken as the mean of the two ways to fold it.
Corners volume_gradient(const Corners& at) {
  Corners gradient{};
  for (const auto& face : kFaces)
    for (int f = 0; f < 4; ++f) {
      const Vector &b = at[face[(f + 1) % 4]], &c = at[face[(f + 2) % 4]],
                   &d = at[face[(f + 3) % 4]];
      Vector& to = gradient[face[f]];
      to = to + 1.0 / 12 * (cross(b, c + d) + cross(c, d));
    }
  return gradient;
}

// The volume is homogeneous of degree three in the positions, and translation does not change it.
double volume_of(const Corners& at, const Corners& gradient) {
  double sum = 0;
  for (int c = 0; c < 8; ++c) sum += dot(at[c], gradient[c]);
  return sum / 3;
}

// The four hourglass modes: corners move, but the element does not, to first order.
double hourglass(int mode, int corner) {
  const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
  const int odd[4] = {x ^ y, y ^ z, z ^ x, x ^ y ^ z};
  return odd[mode] ? -1 : 1;
}

struct Element {
  double mass, energy, volume, length;
  double pressure, sound, temperature;
};

struct Node {
  Vector place, velocity, midway;  // midway: the velocity in the middle of the last step
  double mass;
};

class Kernel {
 public:
  static constexpr const char* kName = "hydro";
  static constexpr bench::Sizes kSizes{
      .usual = 14, .small = 4, .least = 2, .most = 1000};  // elements in a row
  static constexpr double kTolerance = 1e-11;

  explicit Kernel(long size)
      : n_(size),
        elements_(size * size * size),
        forces_(elements_.size()),
        nodes_((size + 1) * (size + 1) * (size + 1)) {}

  template <class Form>
  void start(Form form) {
    const double edge = 1 / static_cast<double>(n_);
    form.loop(nodes_.size(), [&](long i) {
      const auto [x, y, z] = coordinates(i, n_ + 1);
      nodes_[i] = {.place = {edge * double(x), edge * double(y), edge * double(z)},
                   .velocity = {0, 0, 0},
                   .midway = {0, 0, 0},
                   .mass = 0};
    });
    form.loop(elements_.size(), [&](long e) {
      elements_[e] = {};
      update_shape(e);
      elements_[e].mass = elements_[e].volume;  // of density 1
      elements_[e].energy = (e == 0 ? kExplosion : kCold * elements_[e].mass);
      forces_[e] = {};
      update_state(e);
    });
    form.loop(nodes_.size(), [&](long i) {
      each_element_around(i, [&](long e, int) { nodes_[i].mass += elements_[e].mass / 8; });
    });
    time_step_ = 0;
    first_energy_ = energy();
  }

  template <class Form>
  void step(Form form, long) {
    const double allowed = form.least(elements_.size(), [&](long e) { return longest_step(e); });
    time_step_ = time_step_ > 0 ? std::min(allowed, kGrowth * time_step_) : kFirst * allowed;
    form.loop(elements_.size(), [&](long e) { find_forces(e); });
    form.loop(nodes_.size(), [&](long i) { move(i); });
    form.loop(elements_.size(), [&](long e) {
      for (int c = 0; c < 8; ++c)
        elements_[e].energy -= time_step_ * dot(forces_[e][c], nodes_[corner(e, c)].midway);
      update_shape(e);
    });
    form.loop(elements_.size(), [&](long e) { update_state(e); });
  }

  double difference(const Kernel& other) const {
    double most = 0;
    for (long e = 0; e < elements_.size(); ++e) {
      const Element &a = elements_[e], &b = other.elements_[e];
      most = std::max({most, bench::apart(a.energy, b.energy), bench::apart(a.pressure, b.pressure),
                       bench::apart(a.volume / a.mass, b.volume / b.mass)});
    }
    for (long i = 0; i < nodes_.size(); ++i) {
      const Vector off = nodes_[i].place - other.nodes_[i].place;
      most = std::max(most, bench::apart(std::sqrt(dot(off, off)), 0));
    }
    return most;
  }

  const char* complaint() const {
    for (const Element& e : elements_)
      if (!(e.volume > 0)) return "an element is turned inside out";
    return std::abs(energy() / first_energy_ - 1) <= 1e-11 ? nullptr : "energy is not conserved";
  }

 private:
  static constexpr double kExplosion = 0.5, kCold = 1e-6;
  static constexpr double kDegrees = 2.5;  // energy of a molecule that does not vibrate
  static constexpr double kAdiabatic = 1.4;
  static constexpr double kLinear = 0.5, kQuadratic = 2, kHourglass = 0.03;
  static constexpr double kFirst = 0.1, kGrowth = 1.1;

  static std::array<long, 3> coordinates(long i, long row) {
    return {i % row, i / row % row, i / row / row};
  }

  long corner(long e, int c) const {
    const auto [x, y, z] = coordinates(e, n_);
    return ((z + (c >> 2)) * (n_ + 1) + y + (c >> 1 & 1)) * (n_ + 1) + x + (c & 1);
  }

  // Calls `visit` with each element that has the mesh point, and the corner at which it has it.
  template <class Visit>
  void each_element_around(long node, const Visit& visit) const {
    const auto [x, y, z] = coordinates(node, n_ + 1);
    for (int c = 0; c < 8; ++c) {
      const long i = x - (c & 1), j = y - (c >> 1 & 1), k = z - (c >> 2);
      if (std::min({i, j, k}) >= 0 && std::max({i, j, k}) < n_) visit((k * n_ + j) * n_ + i, c);
    }
  }

  Corners places(long e) const {
    Corners at;
    for (int c = 0; c < 8; ++c) at[c] = nodes_[corner(e, c)].place;
    return at;
  }

  void update_shape(long e) {
    const Corners at = places(e), gradient = volume_gradient(at);
    double longest = 0;
    for (const Vector& g : gradient) longest = std::max(longest, dot(g, g));
    Element& element = elements_[e];
    element.volume = volume_of(at, gradient);
    element.length = element.volume / (4 * std::sqrt(longest / 3));  // a cube's edge, exactly
  }

  double longest_step(long e) const {
    const Element& element = elements_[e];
    const Corners gradient = volume_gradient(places(e));
    double growth = 0;
    for (int c = 0; c < 8; ++c) growth += dot(gradient[c], nodes_[corner(e, c)].velocity);
    const double speed = std::abs(growth) / element.volume * element.length;
    return 0.3 * element.length / (element.sound + 2 * kQuadratic * speed);
  }

  void find_forces(long e) {
    const Element& element = elements_[e];
    const Corners at = places(e), gradient = volume_gradient(at);
    Corners velocity;
    double growth = 0;
    for (int c = 0; c < 8; ++c) {
      velocity[c] = nodes_[corner(e, c)].velocity;
      growth += dot(gradient[c], velocity[c]);
    }
    const double density = element.mass / element.volume;
    const double closing = std::max(0.0, -growth / element.volume * element.length);
    const double viscosity = density * closing * (kQuadratic * closing + kLinear * element.sound);
    const double pressure = element.pressure + viscosity;
    for (int c = 0; c < 8; ++c) forces_[e][c] = pressure * gradient[c];
    damp_hourglass(e, at, gradient, velocity);
  }

  // Damps the modes in which the volume, and so the pressure, does not change.
  void damp_hourglass(long e, const Corners& at, const Corners& gradient, const Corners& velocity) {
    const Element& element = elements_[e];
    const double strength = kHourglass * element.sound * element.mass / std::cbrt(element.volume);
    for (int mode = 0; mode < 4; ++mode) {
      Vector along{0, 0, 0};
      for (int c = 0; c < 8; ++c) along = along + hourglass(mode, c) * at[c];
      double shape[8];
      Vector speed{0, 0, 0};
      for (int c = 0; c < 8; ++c) {
        // The part that moves the element as a whole or changes its size is removed.
        shape[c] = hourglass(mode, c) - dot(along, gradient[c]) / element.volume;
        speed = speed + shape[c] * velocity[c];
      }
      for (int c = 0; c < 8; ++c) forces_[e][c] = forces_[e][c] - strength * shape[c] * speed;
    }
  }

  void move(long i) {
    Node& node = nodes_[i];
    Vector force{0, 0, 0};
    each_element_around(i, [&](long e, int c) { force = force + forces_[e][c]; });
    const auto [x, y, z] = coordinates(i, n_ + 1);
    if (x == 0) force.x = 0;  // planes of symmetry
    if (y == 0) force.y = 0;
    if (z == 0) force.z = 0;
    const Vector before = node.velocity;
    node.velocity = before + time_step_ / node.mass * force;
    node.midway = 0.5 * (before + node.velocity);
    node.place = node.place + time_step_ * node.midway;
  }

  void update_state(long e) {
    Element& element = elements_[e];
    const double energy = std::max(0.0, element.energy / element.mass);
    element.temperature = temperature(energy, vibration(e));
    element.pressure = element.mass / element.volume * element.temperature;
    element.sound = std::sqrt(kAdiabatic * element.temperature);
  }

  // The temperature at which the element's molecules begin to vibrate; 0 if they never do.
  static double vibration(long e) {
    constexpr double kKinds[] = {0, 0.1, 1, 10};
    return kKinds[bench::scrambled(static_cast<uint64_t>(e)) % 4];
  }

  // Vibrations hold at most as much energy as the temperature: hence `low`.
  static double temperature(double energy, double vibration) {
    double low = energy / (kDegrees + 1), high = energy / kDegrees;
    if (high * 40 < vibration || vibration == 0) return high;
    while (true) {
      const double middle = 0.5 * (low + high);
      if (!(low < middle && middle < high)) return middle;
      const bool too_low = kDegrees * middle + vibration / std::expm1(vibration / middle) < energy;
      (too_low ? low : high) = middle;
    }
  }

  double energy() const {
    double sum = 0;
    for (const Element& e : elements_) sum += e.energy;
    for (const Node& n : nodes_) sum += 0.5 * n.mass * dot(n.velocity, n.velocity);
    return sum;
  }

  long n_;
  bench::Array<Element> elements_;
  bench::Array<Corners> forces_;
  bench::Array<Node> nodes_;
  double time_step_ = 0, first_energy_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
