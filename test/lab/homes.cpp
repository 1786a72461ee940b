// homes.cpp: checks on which nodes the runtime's own data lie. Each bound thread's Member and
// Worker must lie on the node whose memory is nearest to the thread, after every change of places.
// The nodes of the words that loops keep for each thread are printed and not checked. The program
// is linked with the runtime's core, to see its objects.
#include <string.h>
#include <sys/mman.h>

#include <map>
#include <memory>
#include <thread>

#include "kernel.hpp"
#include "region/constructs.hpp"
#include "region/fork.hpp"
#include "region/roots.hpp"
#include "team/own_pages.hpp"
#include "team/places.hpp"
#include "team/team_loops.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"

using namespace vicino;  // NOLINT

namespace {

const std::vector<int> kNear = memory_of_cpus();
// Whether threads differ in their nearest memory; on the uneven machine they do not.
const bool kApart = std::ranges::adjacent_find(kNear, std::ranges::not_equal_to()) != kNear.end();
const auto kPage = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));

// What one thread of a region found.
struct Seen {
  int cpu = -1;
  const team::Member* member = nullptr;
  const team::Worker* worker = nullptr;
  const void* initial = nullptr;
  std::vector<int> member_on, worker_on;  // nodes, page by page
  int lane_on = -1;
};

std::vector<int> nodes_of(const void* object, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(object);
  std::vector<int> nodes;
  for (uintptr_t page = begin / kPage * kPage; page < begin + bytes; page += kPage)
    nodes.push_back(node_of(reinterpret_cast<void*>(page)));
  return nodes;
}

void look(team::Member& member, const team::Call& call) {
  auto& all = *static_cast<std::vector<Seen>*>(call.args[0]);
  Seen& seen = all[static_cast<size_t>(member.id)];
  seen.cpu = sched_getcpu();
  seen.member = &member;
  seen.worker = member.worker;
  seen.member_on = nodes_of(&member, sizeof member);
  seen.worker_on = nodes_of(member.worker, sizeof *member.worker);
  const auto lanes = member.team->loops().lanes(0, static_cast<uint32_t>(member.team->size));
  seen.lane_on = node_of(&lanes[static_cast<size_t>(member.id)]);
}

std::vector<Seen> region(int threads, topo::Bind bind) {
  std::vector<Seen> seen(static_cast<size_t>(threads));
  const team::Call call{look, nullptr, 1, {&seen}};
  region::fork(call, {.threads = threads, .has_bind = true, .bind = bind});
  return seen;
}

bool all_on(const std::vector<int>& nodes, int node) {
  return !nodes.empty() && std::ranges::count(nodes, node) == static_cast<long>(nodes.size());
}

std::string text(const std::vector<int>& nodes) {
  std::string text;
  for (int node : nodes) text += " " + std::to_string(node);
  return text;
}

int home_of(const Seen& seen) { return kNear.at(static_cast<size_t>(seen.cpu)); }

void all_at_home(const std::vector<Seen>& threads, const std::string& what) {
  std::vector<int> homes;
  std::string astray;
  for (const Seen& seen : threads) {
    homes.push_back(home_of(seen));
    if (!all_on(seen.member_on, homes.back()) || !all_on(seen.worker_on, homes.back()))
      astray += "\n     on CPU " + std::to_string(seen.cpu) + ", home " +
                std::to_string(homes.back()) + ": Member" + text(seen.member_on) + ", Worker" +
                text(seen.worker_on);
  }
  check(astray.empty(), what + ": Members and Workers are on their nodes:" + text(homes) + astray);
}

bool on_several_nodes(const std::vector<Seen>& threads) {
  return std::ranges::any_of(
      threads, [&](const Seen& seen) { return home_of(seen) != home_of(threads.front()); });
}

// No two threads share a page, so each page can go to its thread's node.
void have_pages_of_their_own(const std::vector<Seen>& threads) {
  std::map<uintptr_t, int> objects;
  const auto count = [&](const void* object, size_t bytes) {
    const auto begin = reinterpret_cast<uintptr_t>(object);
    for (uintptr_t page = begin / kPage; page <= (begin + bytes - 1) / kPage; ++page)
      ++objects[page];
  };
  for (const Seen& seen : threads) {
    count(seen.member, sizeof *seen.member);
    count(seen.worker, sizeof *seen.worker);
  }
  check(std::ranges::all_of(objects, [](const auto& page) { return page.second == 1; }),
        "no two of them share a page");
}

void tell_of_lanes(const std::vector<Seen>& threads) {
  long home = 0;
  for (const Seen& seen : threads) home += seen.lane_on == home_of(seen);
  printf("     loops' words on their thread's node: %ld of %zu\n", home, threads.size());
}

// After its pages have moved, a thread finds their contents unchanged: the region works as before.
void count_together(int threads, topo::Bind bind) {
  static std::vector<int> runs;
  runs.assign(static_cast<size_t>(threads), 0);
  const team::Call call{[](team::Member& member, const team::Call&) {
                          for (int i = 0; i < 100; ++i) {
                            ++runs[static_cast<size_t>(member.id)];
                            region::barrier(member);
                          }
                        },
                        nullptr,
                        0,
                        {}};
  region::fork(call, {.threads = threads, .has_bind = true, .bind = bind});
  check(std::ranges::count(runs, 100) == threads, "and all meet 100 times");
}

void arrangements(int cpus) {
  const auto close = region(cpus, topo::Bind::kClose);
  check(on_several_nodes(close) == kApart, "they are near several memories, if there are several");
  all_at_home(close, "a thread for each CPU");
  have_pages_of_their_own(close);
  tell_of_lanes(close);
  const int half = cpus / 2;
  all_at_home(region(half, topo::Bind::kClose), "half as many, close");
  const auto spread = region(half, topo::Bind::kSpread);
  check(on_several_nodes(spread) == kApart, "half as many, spread, are near several, if possible");
  all_at_home(spread, "half as many, spread");
  count_together(half, topo::Bind::kSpread);
  const auto primary = region(cpus, topo::Bind::kPrimary);
  check(!on_several_nodes(primary), "with the primary thread all are on one node");
  all_at_home(primary, "all with the primary thread");
  all_at_home(region(cpus, topo::Bind::kClose), "and back");
  all_at_home(region(2 * cpus, topo::Bind::kSpread), "more threads than CPUs");
  count_together(cpus, topo::Bind::kClose);
}

// Objects that are made together lie where their threads will run before anything moves them. Each page of them is
// asked for together with the others, and those that are left are given back.
void made_ahead() {
  struct Object : team::OnOwnPages {
    char words[5000];
  };
  const int last = team::places().size() - 1;
  const auto make = [](team::PagesAhead& ahead, int spot) {
    ahead.send_to(spot);
    auto object = std::make_unique<Object>();
    ahead.is_made(*object);
    memset(object->words, 1, sizeof object->words);
    return object;
  };
  const auto lies_near = [](const Object& object, int cpu) {
    return all_on(nodes_of(&object, sizeof object), kNear.at(static_cast<size_t>(cpu)));
  };
  const auto cpu_of = [](int spot) { return team::places()[spot].first(); };
  std::unique_ptr<Object> first, second, third, unbound, further;
  {
    team::PagesAhead ahead(4, sizeof(Object));
    first = make(ahead, 0);
    second = make(ahead, last);
    third = make(ahead, 0);
    unbound = make(ahead, -1);
    further = make(ahead, last);
  }
  check(lies_near(*first, cpu_of(0)) && lies_near(*second, cpu_of(last)) &&
            lies_near(*third, cpu_of(0)),
        "objects that are made ahead lie near their threads");
  check(lies_near(*unbound, sched_getcpu()), "one of no spot lies where it is written first");
  const auto at = [](const auto& object) { return reinterpret_cast<uintptr_t>(object.get()); };
  const uintptr_t apart = at(second) - at(first);
  check(apart < 3 * kPage && at(third) - at(second) == apart && at(unbound) - at(third) == apart,
        "they follow each other");
  team::PageMoves moves;
  moves.add(*first, 0);
  moves.add(*second, last);
  check(!moves.send(), "they need not be moved");
  moves.add(*third, last);
  check(moves.send() == kApart && lies_near(*third, cpu_of(last)),
        "one moves when its thread does");
  uintptr_t only;
  {
    team::PagesAhead ahead(3, sizeof(Object));
    only = at(make(ahead, 0));
  }
  unsigned char state[6];
  check(mincore(reinterpret_cast<void*>(only + apart), 2 * apart, state) != 0 && errno == ENOMEM,
        "those that are left are given back");
}

// A thread of the program leads a team of workers that were in another team before. Each worker's
// pages move from its last place to the new one.
void another_root(int cpus) {
  std::thread([&] {
    all_at_home(region(cpus, topo::Bind::kSpread), "a second root's team");
  }).join();
  std::thread([&] {
    all_at_home(region(cpus - 1, topo::Bind::kPrimary), "a third's, of the same threads");
  }).join();
}

// A thread of the program comes to its place from elsewhere; the Member of its task outside regions
// moves, too.
void a_root_from_elsewhere(int cpus) {
  std::thread([&] {
    cpu_set_t last;
    CPU_ZERO(&last);
    CPU_SET(kNear.size() - 1, &last);
    check(sched_setaffinity(0, sizeof last, &last) == 0, "a thread on the last CPU");
    const team::Member& initial = region::me();
    check(all_on(nodes_of(&initial, sizeof initial), kNear.back()), "has its task's Member there");
    const Seen primary = region(cpus, topo::Bind::kClose).front();
    check((home_of(primary) != kNear.back()) == kApart, "is called to the first place");
    check(all_on(nodes_of(&initial, sizeof initial), home_of(primary)), "and its Member comes too");
  }).join();
}

// The pages of each inner team are on the nodes of its places, within the outer thread's partition.
void inner_teams() {
  static std::vector<std::vector<Seen>> inner;
  inner.assign(2, {});
  const team::Call call{[](team::Member& member, const team::Call&) {
                          inner[static_cast<size_t>(member.id)] = region(2, topo::Bind::kSpread);
                        },
                        nullptr,
                        0,
                        {}};
  region::fork(call, {.threads = 2, .has_bind = true, .bind = topo::Bind::kSpread});
  for (const auto& seen : inner) all_at_home(seen, "an inner team");
}

// Moves have a budget: if a program arranges each region anew, pages are moved only some of the
// times.
void restless(int cpus) {
  for (int i = 0; i < 40; ++i) region(cpus, i % 2 ? topo::Bind::kClose : topo::Bind::kPrimary);
  long home = 0;
  for (int i = 0; i < 2; ++i)
    for (const Seen& seen : region(cpus, i % 2 ? topo::Bind::kClose : topo::Bind::kPrimary))
      home += all_on(seen.member_on, home_of(seen));
  check((home < 2 * cpus) == kApart, "pages of a restless team stay in the end");
  count_together(cpus, topo::Bind::kClose);
}

}  // namespace

int main(int, char** arguments) {
  if (!getenv("OMP_PROC_BIND")) {
    setenv("OMP_PROC_BIND", "close", 1);
    setenv("OMP_MAX_ACTIVE_LEVELS", "2", 1);
    execv("/proc/self/exe", arguments);
  }
  if (memory_nodes().size() < 2) {
    check(false, "two nodes with memory");
    return result();
  }
  const int cpus = static_cast<int>(topo::Machine::here().pus().size());
  made_ahead();
  arrangements(cpus);
  another_root(cpus);
  a_root_from_elsewhere(cpus);
  inner_teams();
  restless(cpus);
  return result();
}
