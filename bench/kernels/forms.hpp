// forms.hpp: the forms of a kernel that is written once: as taskloops, worksharing loops, serial.
//
//     form.loop(n, [&](long i) { ... });                    for all i in [0, n), in any order
//     double sum = form.sum(n, [&](long i) { return ...; });
//     double least = form.least(n, [&](long i) { return ...; });
//
// Sites  each loop of a kernel is a call site of its own to the runtime, for a body is a type and
//        the functions here are made anew for each.
// Not    with clauses that leave the runtime no choice: no grain, no number of tasks, no schedule.
//        gcc makes schedule(auto) static without asking anyone.
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

// One thread goes through the steps and meets the taskloops; the team runs them.
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

struct Runtime {
  static constexpr const char* kName = "runtime";
  static int thread() { return omp_get_thread_num(); }
  static int threads() { return omp_get_max_threads(); }
  template <class Steps>
  static void region(const Steps& steps) {
    steps();
  }
  template <class Body>
  static void loop(long n, const Body& body) {
#pragma omp parallel for schedule(runtime)
    for (long i = 0; i < n; ++i) body(i);
  }
  template <class Term>
  static double sum(long n, const Term& term) {
    double total = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : total)
    for (long i = 0; i < n; ++i) total += term(i);
    return total;
  }
  template <class Term>
  static double least(long n, const Term& term) {
    double found = kEndless;
#pragma omp parallel for schedule(runtime) reduction(min : found)
    for (long i = 0; i < n; ++i) found = std::min(found, term(i));
    return found;
  }
};

struct Auto {
  static constexpr const char* kName = "auto";
  static int thread() { return omp_get_thread_num(); }
  static int threads() { return omp_get_max_threads(); }
  template <class Steps>
  static void region(const Steps& steps) {
    steps();
  }
  template <class Body>
  static void loop(long n, const Body& body) {
#pragma omp parallel for schedule(auto)
    for (long i = 0; i < n; ++i) body(i);
  }
  template <class Term>
  static double sum(long n, const Term& term) {
    double total = 0;
#pragma omp parallel for schedule(auto) reduction(+ : total)
    for (long i = 0; i < n; ++i) total += term(i);
    return total;
  }
  template <class Term>
  static double least(long n, const Term& term) {
    double found = kEndless;
#pragma omp parallel for schedule(auto) reduction(min : found)
    for (long i = 0; i < n; ++i) found = std::min(found, term(i));
    return found;
  }
};

}  // namespace bench
