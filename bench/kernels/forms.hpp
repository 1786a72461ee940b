// forms.hpp: a kernel is written once; its forms are taskloops, worksharing loops and serial loops.
//
//     form.loop(n, [&](long i) { ... });                    for all i in [0, n), in any order
//     double sum = form.sum(n, [&](long i) { return ...; });
//     double least = form.least(n, [&](long i) { return ...; });
//
// Sites  Each loop of a kernel is its own call site to the runtime: each body has its own type, and
//        the functions here are instantiated for each.
// Not    used: clauses that leave the runtime no choice, such as a grain, a number of tasks or a
//        fixed schedule. gcc makes schedule(auto) static without asking the runtime.
#pragma once
#include <omp.h>

#include <algorithm>
#include <limits>

namespace bench {

inline constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Serial {
  static constexpr const char* kName = "serial";
  static int thread() { return 0; }
  static int threads() { return 1; }  // at most
  template <class Steps>
  static void region(const Steps& steps) {
    steps();
  }
  template <class Body>
  static void loop(long n, const Body& body) {
    for (long i = 0; i < n; ++i) body(i);
  }
  template <class Term>
  static double sum(long n, const Term& term) {
    double total = 0;
    for (long i = 0; i < n; ++i) total += term(i);
    return total;
  }
  template <class Term>
  static double least(long n, const Term& term) {
    double found = kEndless;
    for (long i = 0; i < n; ++i) found = std::min(found, term(i));
    return found;
  }
};

// In a template clang compares a taskloop's bounds with unsigned ones of its own, and warns of it.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wsign-compare"
#endif

// One thread executes the steps and meets the taskloops; the team runs their tasks.
struct Taskloop {
  static constexpr const char* kName = "taskloop";
  static int thread() { return omp_get_thread_num(); }
  static int threads() { return omp_get_max_threads(); }
  template <class Steps>
  static void region(const Steps& steps) {
#pragma omp parallel
#pragma omp single
    steps();
  }
  template <class Body>
  static void loop(long n, const Body& body) {
#pragma omp taskloop shared(body)
    for (long i = 0; i < n; ++i) body(i);
  }
  template <class Term>
  static double sum(long n, const Term& term) {
    double total = 0;
#pragma omp taskloop shared(term) reduction(+ : total)
    for (long i = 0; i < n; ++i) total += term(i);
    return total;
  }
  template <class Term>
  static double least(long n, const Term& term) {
    double found = kEndless;
#pragma omp taskloop shared(term) reduction(min : found)
    for (long i = 0; i < n; ++i) found = std::min(found, term(i));
    return found;
  }
};

#ifdef __clang__
#pragma clang diagnostic pop
#endif

enum class Schedule { kRuntime, kAuto };

// A schedule clause cannot depend on a template's parameter, so each loop has two pragmas.
template <Schedule kSchedule>
struct Worksharing {
  static constexpr bool kIsAuto = kSchedule == Schedule::kAuto;
  static constexpr const char* kName = kIsAuto ? "auto" : "runtime";
  static int thread() { return omp_get_thread_num(); }
  static int threads() { return omp_get_max_threads(); }
  template <class Steps>
  static void region(const Steps& steps) {
    steps();
  }
  template <class Body>
  static void loop(long n, const Body& body) {
    if constexpr (kIsAuto) {
#pragma omp parallel for schedule(auto)
      for (long i = 0; i < n; ++i) body(i);
    } else {
#pragma omp parallel for schedule(runtime)
      for (long i = 0; i < n; ++i) body(i);
    }
  }
  template <class Term>
  static double sum(long n, const Term& term) {
    double total = 0;
    if constexpr (kIsAuto) {
#pragma omp parallel for schedule(auto) reduction(+ : total)
      for (long i = 0; i < n; ++i) total += term(i);
    } else {
#pragma omp parallel for schedule(runtime) reduction(+ : total)
      for (long i = 0; i < n; ++i) total += term(i);
    }
    return total;
  }
  template <class Term>
  static double least(long n, const Term& term) {
    double found = kEndless;
    if constexpr (kIsAuto) {
#pragma omp parallel for schedule(auto) reduction(min : found)
      for (long i = 0; i < n; ++i) found = std::min(found, term(i));
    } else {
#pragma omp parallel for schedule(runtime) reduction(min : found)
      for (long i = 0; i < n; ++i) found = std::min(found, term(i));
    }
    return found;
  }
};

using Runtime = Worksharing<Schedule::kRuntime>;
using Auto = Worksharing<Schedule::kAuto>;

}  // namespace bench
