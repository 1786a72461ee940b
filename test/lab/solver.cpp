// solver.cpp: a sparse solve by rows: where do its memory accesses go?
//
//     solver SIDE FILL COARSE PAGES
//
// Incomplete factorisation ILU(FILL) of a cube of SIDE x SIDE x SIDE cells, a forward and a
// backward solve, as in bench/graphs: a task is a row, and COARSE puts rows together. The program
// runs them as a graph of Vicino, or as tasks with depend clauses if it was compiled with
// SOLVER_DEPEND. Each of the three is a region of the lab, in this order.
//
// PAGES says where the rows lie. One thread has touched all pages first.
//   one        they stay there
//   spread     in as many blocks of rows as there are nodes, as a static loop would touch them
//   strict, flexible   on the node that the graph's tasks have
//
// The program ends with an error if an answer differs from that of the serial loops.
#include "../../bench/graphs/solver.hpp"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "../../bench/graphs/pages.hpp"
#include "../../bench/micro/identity.hpp"
#include "../../lab/mark.h"
#include "kernel.hpp"
#ifdef SOLVER_DEPEND
#include "../../bench/graphs/depend_backend.hpp"
using Backend = bench::DependBackend;
#else
#include "../../bench/graphs/vicino_backend.hpp"
using Backend = bench::VicinoBackend;
#endif

namespace {

using namespace bench;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "solver: %s\n", why.c_str());
  std::exit(1);
}

struct Solve {
  System<double> system;
  std::vector<double> value;
  Vector<double> right, y, x;

  Solve(long side, int fill) {
    system.matrix = cube({side, side, side});
    system.factor = incomplete(system.matrix.pattern, fill);
    value.resize(system.factor.pattern.entries());
    right.resize(system.rows());
    for (size_t i = 0; i < right.size(); ++i) right[i] = chance(12, i) - 0.5;
    y.resize(system.rows());
    x.resize(system.rows());
  }
};

// Moves the whole pages inside to a node.
void move_pages_to(int node, const void* start, size_t bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(start);
  const uintptr_t begin = (address + page - 1) / page * page, end = (address + bytes) / page * page;
  const unsigned long mask = 1ul << node;
  if (begin < end && syscall(SYS_mbind, begin, end - begin, MPOL_BIND, &mask, 8 * sizeof mask,
                             MPOL_MF_MOVE | MPOL_MF_STRICT) != 0)
    fail("pages cannot be moved to node " + std::to_string(node));
}

void spread(Solve& solve) {
  const std::vector<int> nodes = memory_nodes();
  const auto rows = uint64_t{solve.system.rows()};
  for (size_t i = 0; i < nodes.size(); ++i)
    each_part(
        solve.system, solve.value, static_cast<Index>(rows * i / nodes.size()),
        static_cast<Index>(rows * (i + 1) / nodes.size()),
        [&](const void* start, size_t bytes) { move_pages_to(nodes[i], start, bytes); },
        solve.right, solve.y, solve.x);
}

void put_pages(Solve& solve, [[maybe_unused]] Backend& backend, std::string_view pages) {
  if (pages == "one") return;
  if (pages == "spread") return spread(solve);
#ifndef SOLVER_DEPEND
  if (pages == "strict" || pages == "flexible")
    return place(backend, pages == "strict", solve.system, solve.value, solve.right, solve.y,
                 solve.x);
#endif
  fail("no place of pages is called '" + std::string(pages) + "'");
}

// Spoils the answers, each row in its task, so that no thread has all of them in its cache.
void spoil(Solve& solve, Backend& backend) {
  constexpr double kWrong = 1e300;
  const auto rows = [&](const auto& tasks) {
    for (const uint32_t row : tasks) {
      const auto* const first = &solve.system.factor.pattern.first[row];
      std::fill(solve.value.begin() + first[0], solve.value.begin() + first[1], kWrong);
      solve.y[row] = solve.x[row] = kWrong;
    }
  };
  backend.run(Operation::kForward, Body(rows));
}

template <class Way>
void run(Solve& solve, const Way& way, bool counted) {
  LAB_REGION(0);
  if (counted) LAB_START();
  way.factor(solve.value);
  if (counted) LAB_STOP();
  LAB_REGION(1);
  if (counted) LAB_START();
  way.forward(solve.value, solve.right, solve.y);
  if (counted) LAB_STOP();
  LAB_REGION(2);
  if (counted) LAB_START();
  way.backward(solve.value, solve.y, solve.x);
  if (counted) LAB_STOP();
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) fail("usage: solver SIDE FILL COARSE PAGES");
  const long side = std::atol(words[1]);
  const int fill = std::atoi(words[2]);
  identify(nullptr, team_size());
  Solve right(side, fill), solve(side, fill);
  run(right, SerialLoops<double>(right.system), false);
  Backend backend(rows_before(solve.system.factor), words[3]);
  put_pages(solve, backend, words[4]);
  const OnGraph<double, Backend> way(solve.system, backend);
  for (const bool counted : {false, true}) {
    spoil(solve, backend);
    run(solve, way, counted);
    if (solve.value != right.value) fail("wrong factors");
    if (solve.y != right.y) fail("wrong answer of the forward solve");
    if (solve.x != right.x) fail("wrong answer of the backward solve");
  }
  std::printf("%u tasks in %zu, answers right\n", solve.system.rows(), backend.division().units);
  return 0;
}
