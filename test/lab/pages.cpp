// pages.cpp: compares each call of vicino/pages.h with what the kernel says of every page, on a
// machine that has several nodes with memory. Prints a line for each check; exits with 1 if one
// fails.
//
// get_mempolicy, which Vicino does not use to find pages, says where a page is; /sys says which
// nodes there are. Threads are bound, so that pages can be compared with a static loop's first
// touch.
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <vicino/vicino.h>

#include "kernel.hpp"

namespace {

const size_t kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));
std::vector<int> cpus_of(int node) {
  return numbers(read_node("node" + std::to_string(node) + "/cpulist"));
}

void run_on(int node) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu : cpus_of(node)) CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) perror("sched_setaffinity");
}

// Returns a node with CPUs whose first touch does not go to `node`, or -1 if there is none.
int toucher_for_other_than(int node) {
  for (int other : numbers(read_node("has_cpu")))
    if (memory_for(other) != node) return other;
  return -1;
}

class Array {
 public:
  explicit Array(size_t pages) : bytes_(pages * kPage) {
    if (vicino_pages_alloc(bytes_, reinterpret_cast<void**>(&data_)) != 0) abort();
    madvise(data_, bytes_, MADV_NOHUGEPAGE);
  }
  ~Array() { vicino_pages_free(data_, bytes_); }
  Array(const Array&) = delete;

  char* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  size_t pages() const { return bytes_ / kPage; }
  char* page(size_t i) const { return data_ + i * kPage; }
  void touch() const {
    for (size_t i = 0; i < pages(); ++i) *page(i) = static_cast<char>(i % 113);
  }
  bool intact() const {
    for (size_t i = 0; i < pages(); ++i)
      if (*page(i) != static_cast<char>(i % 113)) return false;
    return true;
  }
  std::vector<int> nodes() const {
    std::vector<int> nodes;
    for (size_t i = 0; i < pages(); ++i) nodes.push_back(node_of(page(i)));
    return nodes;
  }
  bool all_on(int node) const {
    const std::vector<int> is = nodes();
    return std::ranges::count(is, node) == static_cast<long>(is.size());
  }

 private:
  size_t bytes_;
  char* data_ = nullptr;
};

// Blocks are on the nodes of a static loop's threads, whichever node touches the pages.
void spread(int toucher) {
  const int cpus = omp_get_num_places();
  const Array by_loop(static_cast<size_t>(cpus) * 24), fresh(by_loop.pages()), old(by_loop.pages());
#pragma omp parallel for schedule(static) num_threads(cpus)
  for (size_t i = 0; i < by_loop.bytes(); ++i) by_loop.data()[i] = 1;
  const std::vector<int> loop = by_loop.nodes();

  std::vector<int> by_hand;
  for (int node : numbers(read_node("has_cpu")))
    by_hand.insert(by_hand.end(), 24 * cpus_of(node).size(), memory_for(node));
  check(loop == by_hand, "a static loop touches blocks by node:" + runs(loop));

  run_on(toucher);
  check(vicino_pages_spread(fresh.data(), fresh.bytes()) == 0, "spread fresh pages");
  fresh.touch();
  check(fresh.nodes() == loop, "fresh pages are where the loop's are:" + runs(fresh.nodes()));
  old.touch();
  check(vicino_pages_spread(old.data(), old.bytes()) == 0, "spread pages that are there");
  check(old.nodes() == loop && old.intact(), "they moved there, whole:" + runs(old.nodes()));
}

// The same where nothing says how threads are bound: the default team begins on the node where the
// initial thread happens to be.
void spread_near() {
  const int members = omp_get_max_threads();
  const Array by_loop(static_cast<size_t>(members) * 24), fresh(by_loop.pages());
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < by_loop.bytes(); ++i) by_loop.data()[i] = 1;
  check(vicino_pages_spread(fresh.data(), fresh.bytes()) == 0, "spread with nothing set");
  fresh.touch();
  check(fresh.nodes() == by_loop.nodes(), "pages are where the loop's are:" + runs(fresh.nodes()));
}

bool in_turns(const std::vector<int>& nodes, size_t turn) {
  for (size_t i = turn; i < nodes.size(); ++i)
    if (nodes[i] != nodes[i - turn]) return false;
  std::vector<int> first(nodes.begin(), nodes.begin() + static_cast<long>(turn));
  std::ranges::sort(first);
  return first == memory_nodes();
}

void interleave(int toucher) {
  run_on(toucher);
  const size_t turn = memory_nodes().size();
  const Array fresh(turn * 200), old(turn * 200);
  check(vicino_pages_interleave(fresh.data(), fresh.bytes()) == 0, "interleave fresh pages");
  fresh.touch();
  check(in_turns(fresh.nodes(), turn), "fresh pages take turns:" + runs(fresh.nodes()));
  old.touch();
  check(vicino_pages_interleave(old.data(), old.bytes()) == 0, "interleave pages that are there");
  check(in_turns(old.nodes(), turn) && old.intact(), "they take turns, whole:" + runs(old.nodes()));
}

void bind(int node) {
  const std::string on = " node " + std::to_string(node);
  const int toucher = toucher_for_other_than(node);
  if (toucher < 0) return check(false, "a thread whose memory is not" + on);
  run_on(toucher);
  const Array fresh(300), old(300);
  check(vicino_pages_bind(fresh.data(), fresh.bytes(), node) == 0, "bind fresh pages to" + on);
  fresh.touch();
  check(fresh.all_on(node), "all fresh pages are on" + on);
  old.touch();
  check(!old.all_on(node), "pages that a thread elsewhere touches are not on" + on);
  check(vicino_pages_bind(old.data(), old.bytes(), node) == 0, "bind pages that are there");
  check(old.all_on(node) && old.intact(), "all moved, whole, to" + on);
}

void move(int node) {
  const std::string to = " node " + std::to_string(node);
  const int toucher = toucher_for_other_than(node);
  if (toucher < 0) return check(false, "a thread whose memory is not" + to);
  const int home = memory_for(toucher);
  run_on(toucher);
  const Array array(1500);
  for (size_t i = 0; i < 1000; ++i) *array.page(i) = static_cast<char>(i % 113);
  size_t there = 0;
  const int error = vicino_pages_move(array.data() + 1, array.bytes() - 2, node, &there);
  check(error == 0 && there == 999,
        "move from inside page 0: " + std::to_string(there) + " pages to" + to);

  std::vector<int> told(vicino_pages_count(array.data(), array.bytes()));
  vicino_pages_query(array.data(), array.bytes(), told.data(), told.size());
  std::vector<int> want(1500, -1);
  want[0] = home;
  std::fill(want.begin() + 1, want.begin() + 1000, node);
  check(told == want, "query: page 0 stays, the moved, the absent:" + runs(told));
  array.touch();
  std::fill(want.begin() + 1000, want.end(), home);
  check(array.nodes() == want && array.intact(),
        "no placement stays behind, and get_mempolicy agrees:" + runs(array.nodes()));
}

// A page that is shared with a child stays where it is.
void move_shared(int node) {
  run_on(toucher_for_other_than(node));
  const Array array(10);
  array.touch();
  int end[2];
  if (pipe(end) != 0) abort();
  const pid_t child = fork();
  if (child == 0) {
    char byte;
    close(end[1]);
    _exit(read(end[0], &byte, 1) == 0 ? 0 : 1);
  }
  size_t there = 99;
  const int told = vicino_pages_move(array.data(), array.bytes(), node, &there);
  check(told == EBUSY && there == 0,
        "pages shared with a child are busy: " + std::string(strerror(told)));
  close(end[1]);
  waitpid(child, nullptr, 0);
  check(vicino_pages_move(array.data(), array.bytes(), node, &there) == 0 && there == 10,
        "and move once it is gone");
}

// Binding is a preference: no process is killed while there is memory on other nodes.
void overfull(int node) {
  std::ifstream meminfo("/sys/devices/system/node/node" + std::to_string(node) + "/meminfo");
  std::string word, line;
  size_t kib = 0;
  while (meminfo >> word)
    if (word == "MemTotal:") meminfo >> kib;
  const Array array(kib * 1024 / kPage + 2000);
  run_on(toucher_for_other_than(node));
  check(vicino_pages_bind(array.data(), array.bytes(), node) == 0, "bind more than a node has");
  array.touch();
  const long here = std::ranges::count(array.nodes(), node);
  check(here > static_cast<long>(array.pages() / 2) && here < static_cast<long>(array.pages()),
        std::to_string(here) + " of " + std::to_string(array.pages()) +
            " pages on it, the others elsewhere");
}

void mistakes() {
  const Array array(2);
  std::vector<int> with = memory_nodes();
  for (int node : numbers(read_node("online")))
    if (std::ranges::find(with, node) == with.end())
      check(vicino_pages_bind(array.data(), array.bytes(), node) == EINVAL,
            "no pages for node " + std::to_string(node) + ", which has no memory");
  check(vicino_pages_bind(array.data(), array.bytes(), 99) == EINVAL, "there is no node 99");
}

}  // namespace

int main(int, char** argv) {
  if (!getenv("OMP_PROC_BIND")) {
    spread_near();
    if (failed) return result();
    fflush(stdout);
    setenv("OMP_PROC_BIND", "close", 1);
    setenv("OMP_PLACES", "cores", 1);
    execv("/proc/self/exe", argv);
  }
  if (memory_nodes().size() < 2) {
    check(false, "two nodes with memory");
    return result();
  }
  spread(numbers(read_node("has_cpu")).back());
  interleave(numbers(read_node("has_cpu")).front());
  for (int node : memory_nodes())
    if (toucher_for_other_than(node) >= 0) {
      bind(node);
      move(node);
    }
  const int last = memory_nodes().back();
  move_shared(last);
  mistakes();
  overfull(last);
  return result();
}
