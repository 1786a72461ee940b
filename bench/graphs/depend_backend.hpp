// depend_backend.hpp: OpenMP's tasks with depend clauses: a task for each unit, which says by
// iterators whose results it reads. OpenMP keeps no graph: each run makes all tasks anew.
#pragma once

#include <string>
#include <vector>

#include "units.hpp"
#include "work.hpp"

namespace bench {

class DependBackend {
 public:
  static constexpr const char* kName = "depend tasks";
  static constexpr bool kSearches = false;
  static constexpr bool kHasNodes = false;

  DependBackend(const Pattern& before, const std::string& coarse)
      : units_(before, coarse), results_(units_.division().units) {}
  void run(Operation operation, const Body& body) {
    const vicino::graph::Coarse& coarse = units_.of(operation);
#pragma omp parallel
#pragma omp single
    for (uint32_t place = 0; place < coarse.graph.size(); ++place)
      spawn(coarse, coarse.graph.in_order(place), body, results_.data());
  }
  template <class Each>
  static void loop(long count, const Each& each) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < count; ++i) each(i);
  }
  Division division() const { return units_.division(); }
  static std::string explanation() { return {}; }

 private:
  // A function of its own, because compilers keep the list of a task's dependences on the stack
  // until the function ends. gcc takes a variable of which only the address is used for an unused
  // one.
  [[gnu::noinline]] static void spawn(const vicino::graph::Coarse& coarse, uint32_t unit,
                                      const Body& body, [[maybe_unused]] char* results) {
    const auto before = coarse.graph.before(unit);
    const uint32_t* const of = before.data();
    const auto count = static_cast<int>(before.size());
    const auto tasks = coarse.tasks[unit];
    const uint32_t* const first = tasks.data();
    const size_t length = tasks.size();
    const Body* const function = &body;
    if (count == 0) {
#pragma omp task depend(out : results[unit]) firstprivate(first, length, function)
      (*function)(first, length);
      return;
    }
#pragma omp task depend(iterator(int i = 0 : count), in : results[of[i]]) \
    depend(out : results[unit]) firstprivate(first, length, function)
    (*function)(first, length);
  }

  Units units_;
  std::vector<char> results_;  // only their addresses are used
};

}  // namespace bench
