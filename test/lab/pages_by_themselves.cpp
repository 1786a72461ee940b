// pages_by_themselves.cpp: tries to break what the runtime does by itself for pages that one thread
// filled. The first argument names a case (kCases); each is a process of its own. Prints a line for
// each check; exits with 1 if one fails.
//
// Every case has arrays that the initial thread fills, and goes over them in many regions; at the
// end it compares all numbers with those that arithmetic says, whatever was moved meanwhile. Lines
// that begin with "moved" tell whether pages were spread where they may be, so that none of the
// others holds only because nothing was ever moved.
//
// get_mempolicy, which needs no right, says where a page is and which policy it has.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <thread>

#include "../../lab/mark.h"
#include "kernel.hpp"

namespace {

const size_t kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));
constexpr size_t kWords = 8192;  // of an array, for each CPU
constexpr int kSteps = 150;

size_t words() { return kWords * static_cast<size_t>(omp_get_max_threads()); }
size_t bytes() { return words() * sizeof(uint64_t); }

uint64_t scrambled(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u + 0x9E3779B97F4A7C15u;
  return x ^ (x >> 27);
}

// A mapping of numbers, by whatever call made it.
class Array {
 public:
  explicit Array(uint64_t* at) : at_(at) {}
  uint64_t* at() const { return at_; }

  std::vector<int> nodes() const {
    std::vector<int> nodes;
    const uintptr_t begin = (reinterpret_cast<uintptr_t>(at_) + kPage - 1) / kPage * kPage;
    const uintptr_t end = reinterpret_cast<uintptr_t>(at_ + words());
    for (uintptr_t page = begin; page + kPage <= end; page += kPage)
      nodes.push_back(node_of(reinterpret_cast<const void*>(page)));
    return nodes;
  }

 private:
  uint64_t* at_;
};

Array heap() {
  void* const at = malloc(bytes());
  if (at == nullptr) abort();
  return Array(static_cast<uint64_t*>(at));
}

Array mapped(int flags, int file = -1) {
  void* const at = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, flags, file, 0);
  if (at == MAP_FAILED) perror("mmap"), abort();
  return Array(static_cast<uint64_t*>(at));
}
Array own() { return mapped(MAP_PRIVATE | MAP_ANONYMOUS); }

// Arrays that regions add up: to[i] += from[i] in each step.
class Sum {
 public:
  Sum(Array to, Array from) : to_(to), from_(from) {}

  void fill() const {
    for (size_t i = 0; i < words(); ++i) {
      to_.at()[i] = scrambled(i);
      from_.at()[i] = scrambled(i + words());
    }
  }

  void step() {
    uint64_t* const to = to_.at();
    const uint64_t* const from = from_.at();
    const size_t n = words();
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) to[i] += from[i];
    ++steps_;
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }

  // How many numbers are wrong.
  size_t wrong() const {
    size_t count = 0;
    for (size_t i = 0; i < words(); ++i) {
      const uint64_t from = scrambled(i + words());
      count += from_.at()[i] != from || to_.at()[i] != scrambled(i) + steps_ * from;
    }
    return count;
  }
  void check_right(const std::string& what) const {
    check(wrong() == 0, what + ": " + std::to_string(wrong()) + " numbers of " +
                            std::to_string(words()) + " wrong after " + std::to_string(steps_) +
                            " steps");
  }
  const Array& to() const { return to_; }
  const Array& from() const { return from_; }

 private:
  Array to_, from_;
  uint64_t steps_ = 0;
};

// Each node that has CPUs and memory should have its part: half of it is enough.
bool is_spread(const Array& array) {
  const std::vector<int> nodes = array.nodes();
  const size_t count = memory_nodes().size();
  bool right = count > 1;
  for (int node : memory_nodes()) {
    const auto here = static_cast<size_t>(std::ranges::count(nodes, node));
    right = right && here >= nodes.size() / count / 2;
  }
  return right;
}
void check_moved(const Array& array, const std::string& what) {
  check(is_spread(array), "moved: " + what + ":" + runs(array.nodes()));
}

void check_stayed(const Array& array, const std::vector<int>& before, const std::string& what) {
  const std::vector<int> nodes = array.nodes();
  check(nodes == before, what + " stayed where it was:" + runs(nodes));
}

void plain() {
  Sum sum(heap(), heap());
  sum.fill();
  check(std::ranges::count(sum.to().nodes(), sum.to().nodes()[0]) ==
            static_cast<long>(sum.to().nodes().size()),
        "one thread fills pages of one node:" + runs(sum.to().nodes()));
  sum.steps(kSteps);
  sum.check_right("arrays of malloc");
  check_moved(sum.to(), "an array that is written");
  check_moved(sum.from(), "an array that is read");
}

// Before most regions there is a process more, which shares all pages, writes some, and may live
// until many regions later. It runs regions of its own.
void forks() {
  Sum sum(heap(), heap());
  sum.fill();
  std::vector<pid_t> children;
  int ends[2];
  if (pipe(ends) != 0) abort();
  for (int round = 0; round < kSteps / 5; ++round) {
    sum.steps(5);
    if (round % 5 != 1) continue;
    children.push_back(fork());
    if (children.back() != 0) continue;
    char byte;
    close(ends[1]);
    sum.steps(3);
    if (round % 2 == 0 && read(ends[0], &byte, 1) != 0) _exit(2);
    sum.steps(3);
    _exit(sum.wrong() == 0 ? 0 : 1);
  }
  close(ends[1]);
  int worst = 0;
  for (const pid_t child : children) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) abort();
    worst = std::max(worst, status);
  }
  check(!children.empty() && worst == 0,
        std::to_string(children.size()) + " children end well: " + std::to_string(worst));
  sum.check_right("the parent's arrays");
}

// What a thread does to memory of its own, over and over.
class Churn {
 public:
  Churn() : thread_([this] { run(); }) {}
  void end() {
    stop_.store(true);
    thread_.join();
  }
  long rounds() const { return rounds_; }
  bool right() const { return right_; }

 private:
  void expect(bool right) { right_ = right_ && right; }

  void run() {
    while (!stop_.load()) {
      const size_t pages = 16 + static_cast<size_t>(rounds_ % 50);
      grow(pages);
      cut(pages);
      use_heap(pages * kPage);
      ++rounds_;
    }
  }
  // mremap moves pages to another address.
  void grow(size_t pages) {
    char* at = map(pages);
    memset(at, 7, pages * kPage);
    void* const moved = mremap(at, pages * kPage, 3 * pages * kPage, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return expect(false);
    at = static_cast<char*>(moved);
    expect(at[0] == 7 && at[pages * kPage - 1] == 7 && at[pages * kPage] == 0);
    munmap(at, 3 * pages * kPage);
  }
  // Unmaps every second page, and gives others another protection.
  void cut(size_t pages) {
    char* const at = map(pages);
    memset(at, 9, pages * kPage);
    for (size_t i = 1; i < pages; i += 2) munmap(at + i * kPage, kPage);
    for (size_t i = 0; i < pages; i += 4) mprotect(at + i * kPage, kPage, PROT_READ);
    for (size_t i = 0; i < pages; i += 2) expect(at[i * kPage] == 9);
    for (size_t i = 2; i < pages; i += 4) madvise(at + i * kPage, kPage, MADV_DONTNEED);
    for (size_t i = 2; i < pages; i += 4) expect(at[i * kPage] == 0);
    // One by one: what is between them may be another thread's by now.
    for (size_t i = 0; i < pages; i += 2) munmap(at + i * kPage, kPage);
  }
  void use_heap(size_t size) {
    auto* at = static_cast<char*>(malloc(4 * size));
    memset(at, 5, 4 * size);
    at = static_cast<char*>(realloc(at, 9 * size));
    expect(at[4 * size - 1] == 5);
    free(at);
  }
  static char* map(size_t pages) {
    void* const at =
        mmap(nullptr, pages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) abort();
    return static_cast<char*>(at);
  }

  std::atomic<bool> stop_{false};
  long rounds_ = 0;
  bool right_ = true;
  std::thread thread_;  // last: it uses the others
};

void churn() {
  Sum sum(heap(), heap());
  sum.fill();
  Churn churn;
  sum.steps(kSteps);
  churn.end();
  sum.check_right("arrays beside a thread that maps and unmaps");
  check(churn.right() && churn.rounds() > 0,
        "that thread's memory, in " + std::to_string(churn.rounds()) + " rounds");
}

// An array is gone before its pages can have been moved, and another mapping has its place.
void freed() {
  Sum lasting(own(), own());
  lasting.fill();
  size_t wrong = 0;
  for (int round = 0; round < 12; ++round) {
    const auto sum = std::make_unique<Sum>(own(), own());
    sum->fill();
    sum->steps(4);
    lasting.steps(2);
    wrong += sum->wrong();
    void *const to = sum->to().at(), *const from = sum->from().at();
    void* in_its_place = MAP_FAILED;
    std::thread other([=, &in_its_place] {
      munmap(to, bytes());
      const int now = round % 2 == 0 ? PROT_NONE : PROT_READ | PROT_WRITE;
      in_its_place =
          mmap(to, bytes() / 2, now, MAP_FIXED_NOREPLACE | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      munmap(from, bytes());
    });
    lasting.steps(6);
    other.join();
    if (in_its_place != MAP_FAILED) munmap(in_its_place, bytes() / 2);
  }
  check(wrong == 0, "arrays that were freed soon: " + std::to_string(wrong) + " numbers wrong");
  lasting.check_right("arrays that stayed meanwhile");
}

// An array grows in every few steps, mostly to another address. The kernel refuses this for what is
// several mappings, which pieces with policies of their own would be.
void remapped() {
  uint64_t* at = own().at();
  size_t size = words();
  for (size_t i = 0; i < size; ++i) at[i] = scrambled(i);
  uint64_t added = 0;
  for (int round = 0; round < 12; ++round) {
    for (int step = 0; step < 8; ++step, ++added) {
#pragma omp parallel for schedule(static)
      for (size_t i = 0; i < size; ++i) ++at[i];
    }
    const size_t wider = size + words() / 4;
    void* const moved = mremap(at, size * 8, wider * 8, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return check(false, "mremap: " + std::string(strerror(errno)));
    at = static_cast<uint64_t*>(moved);
    for (size_t i = size; i < wider; ++i) at[i] = scrambled(i) + added;
    size = wider;
  }
  size_t wrong = 0;
  for (size_t i = 0; i < size; ++i) wrong += at[i] != scrambled(i) + added;
  check(wrong == 0, "an array that grew: " + std::to_string(wrong) + " numbers wrong");
}

// While pages move, a thread that belongs to no team writes to each, and the kernel does on behalf
// of another: no write may be lost, and no system call may see a page that is not there.
void written() {
  Sum sum(own(), own());
  const Array counters = own(), target = own();
  sum.fill();
  const size_t pages = bytes() / kPage, line = kPage / 8;
  for (size_t i = 0; i < words(); ++i) counters.at()[i] = 0, target.at()[i] = 1;
  std::atomic<bool> stop{false};
  uint64_t rounds = 0;
  bool read_all = true;
  std::thread writer([&] {
    for (; !stop.load(); ++rounds)
      for (size_t page = 0; page < pages; ++page) ++counters.at()[page * line + 1];
  });
  std::thread reader([&] {
    const int zeros = open("/dev/zero", O_RDONLY);
    while (!stop.load())
      read_all = read_all && read(zeros, target.at(), bytes()) == static_cast<ssize_t>(bytes());
    close(zeros);
  });
  for (int step = 0; step < kSteps; ++step) {
    sum.step();
    uint64_t* const at = counters.at();
    const uint64_t* const other = target.at();
    const size_t n = words();
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i += 2) at[i] += 1 + (other[i] & ~uint64_t{1});
  }
  stop.store(true);
  writer.join();
  reader.join();
  size_t wrong = 0;
  for (size_t page = 0; page < pages; ++page) {
    wrong += counters.at()[page * line + 1] != rounds;
    wrong += counters.at()[page * line] != kSteps;
  }
  check(wrong == 0, std::to_string(rounds) + " additions to each page: " + std::to_string(wrong) +
                        " pages wrong");
  check(read_all, "read() into pages that move is never refused");
  sum.check_right("arrays beside them");
}

size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) ++count;
  return count;
}

// The kernel allows 65,530 mappings. A policy of its own would make one more of each block; the
// last ones are the program's; some of these are the threads' stacks.
void many_mappings() {
  constexpr size_t kMost = 65'250, kOwn = 100;
  Sum sum(own(), own());
  sum.fill();
  const size_t pages = kMost - mappings();
  void* const holes = mmap(nullptr, pages * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (holes == MAP_FAILED) abort();
  for (size_t page = 0; page < pages; page += 2)
    if (mprotect(static_cast<char*>(holes) + page * kPage, kPage, PROT_READ | PROT_WRITE) != 0)
      return check(false, "mprotect: " + std::string(strerror(errno)));
  check(mappings() > 65'000, std::to_string(mappings()) + " mappings");
  sum.steps(kSteps);
  sum.check_right("arrays beside them");
  size_t made = 0;
  for (; made < kOwn; ++made) {
    const int protection = made % 2 == 0 ? PROT_READ : PROT_READ | PROT_WRITE | PROT_EXEC;
    if (mmap(nullptr, kPage, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) break;
  }
  check(made == kOwn,
        "the program gets " + std::to_string(made) + " mappings more of " + std::to_string(kOwn));
}

// As a user who may lock 64 KiB.
void lock_limit() {
  const rlimit limit{64 << 10, 64 << 10};
  if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0 || setgid(65534) != 0 || setuid(65534) != 0) abort();
  Sum sum(heap(), heap());
  sum.fill();
  check(mlock(sum.to().at(), bytes()) != 0, "the limit is one");
  sum.steps(kSteps);
  sum.check_right("arrays of a user with a lock limit");
}

void locked() {
  Sum sum(own(), own()), fixed(own(), own());
  if (mlock(fixed.to().at(), bytes()) != 0 || mlock(fixed.from().at(), bytes()) != 0) abort();
  sum.fill();
  fixed.fill();
  const std::vector<int> before = fixed.to().nodes();
  for (int step = 0; step < kSteps; ++step) sum.step(), fixed.step();
  check_stayed(fixed.to(), before, "locked memory");
  sum.check_right("arrays that are not locked");
  fixed.check_right("arrays that are locked");
  check_moved(sum.to(), "an array beside them");
}

int sized(int file) {
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes())) != 0) perror("file"), abort();
  return file;
}
int file_of(const char* name) { return sized(open(name, O_RDWR | O_CREAT | O_TRUNC, 0600)); }

// The steps of a sum, with regions between them that add one to each word of four other arrays.
template <class Other>
void steps_beside(Sum& sum, const Other (&others)[4]) {
  uint64_t *const a = others[0].array.at(), *const b = others[1].array.at(),
                  *const c = others[2].array.at(), *const d = others[3].array.at();
  const size_t n = words();
  for (int step = 0; step < kSteps; ++step) {
    sum.step();
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) ++a[i], ++b[i], ++c[i], ++d[i];
  }
}

void shared() {
  Sum sum(own(), own());
  struct {
    const char* what;
    Array array;
    std::vector<int> before = {};
  } others[] = {
      {"anonymous memory that is shared", mapped(MAP_SHARED | MAP_ANONYMOUS)},
      {"a file that is shared", mapped(MAP_SHARED, file_of("/tmp/shared"))},
      {"a memory file that is shared", mapped(MAP_SHARED, sized(memfd_create("shared", 0)))},
      {"a private mapping of a file", mapped(MAP_PRIVATE, file_of("/tmp/private"))},
  };
  sum.fill();
  for (auto& other : others) {
    for (size_t i = 0; i < words(); ++i) other.array.at()[i] = scrambled(i);
    other.before = other.array.nodes();
  }
  steps_beside(sum, others);
  for (const auto& other : others) {
    size_t wrong = 0;
    for (size_t i = 0; i < words(); ++i) wrong += other.array.at()[i] != scrambled(i) + kSteps;
    check(wrong == 0, std::string(other.what) + ": " + std::to_string(wrong) + " numbers wrong");
    check_stayed(other.array, other.before, other.what);
  }
  sum.check_right("arrays of its own");
  check_moved(sum.to(), "an array of its own");
}

long mbind_of(const Array& array, int mode, unsigned long nodes) {
  return syscall(SYS_mbind, array.at(), bytes(), mode, &nodes, 8 * sizeof nodes, 0);
}

// {mode, nodes} that hold at an address, or for the thread.
std::pair<int, unsigned long> policy_of(const void* at) {
  int mode = -1;
  unsigned long nodes[16] = {};
  const unsigned long flags = at != nullptr ? MPOL_F_ADDR : 0ul;
  if (syscall(SYS_get_mempolicy, &mode, nodes, 8 * sizeof nodes, at, flags) != 0) abort();
  return {mode, nodes[0]};
}

void policy() {
  Sum sum(own(), own());
  const int last = memory_nodes().back();
  const unsigned long on_last = 1ul << last, on_all = 2 * on_last - 1;
  struct {
    const char* what;
    int mode;
    unsigned long nodes;
    Array array;
    std::vector<int> before = {};
  } others[] = {{"bound memory", MPOL_BIND, on_last, own()},
                {"memory with a preference", MPOL_PREFERRED, on_last, own()},
                {"interleaved memory", MPOL_INTERLEAVE, on_all, own()},
                {"memory that is to be local", MPOL_LOCAL, 0, own()}};
  sum.fill();
  for (auto& other : others) {
    if (mbind_of(other.array, other.mode, other.nodes) != 0) perror("mbind"), abort();
    for (size_t i = 0; i < words(); ++i) other.array.at()[i] = scrambled(i);
    other.before = other.array.nodes();
  }
  steps_beside(sum, others);
  for (const auto& other : others) {
    check_stayed(other.array, other.before, other.what);
    const auto [mode, nodes] = policy_of(other.array.at());
    check(mode == other.mode && (nodes & other.nodes) == other.nodes,
          std::string(other.what) + " has its policy: " + std::to_string(mode));
  }
  sum.check_right("arrays without a policy");
  check_moved(sum.to(), "an array without a policy");
}

// The program's own policy for all that it will touch.
void process_policy() {
  const unsigned long nodes = 1ul << memory_nodes().back();
  if (syscall(SYS_set_mempolicy, MPOL_BIND, &nodes, 8 * sizeof nodes) != 0) abort();
  Sum sum(own(), own());
  sum.fill();
  const std::vector<int> before = sum.to().nodes();
  sum.steps(kSteps);
  check_stayed(sum.to(), before, "memory of a process with a policy");
  sum.check_right("its arrays");
  check(policy_of(nullptr) == std::pair<int, unsigned long>(MPOL_BIND, nodes),
        "the process has its policy");
}

// Memory of reserved large pages.
void reserved() {
  std::ofstream("/proc/sys/vm/nr_hugepages") << 16;
  Sum sum(own(), own());
  void* const at = mmap(nullptr, size_t{16} << 20, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
  if (at == MAP_FAILED)
    return check(false, "memory of large pages: " + std::string(strerror(errno)));
  const Array large(static_cast<uint64_t*>(at));
  sum.fill();
  for (size_t i = 0; i < words(); ++i) large.at()[i] = scrambled(i);
  const std::vector<int> before = large.nodes();
  uint64_t* const a = large.at();
  const size_t n = words();
  for (int step = 0; step < kSteps; ++step) {
    sum.step();
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) ++a[i];
  }
  size_t wrong = 0;
  for (size_t i = 0; i < n; ++i) wrong += a[i] != scrambled(i) + kSteps;
  check(wrong == 0, "large pages: " + std::to_string(wrong) + " numbers wrong");
  check_stayed(large, before, "memory of large pages");
  sum.check_right("arrays beside it");
}

// What the process writes on its standard error from here on.
class Errors {
 public:
  Errors() : before_(dup(2)), file_(memfd_create("errors", 0)) { dup2(file_, 2); }
  std::vector<std::string> lines() {
    dup2(before_, 2);
    std::string text(static_cast<size_t>(lseek(file_, 0, SEEK_END)), ' ');
    if (pread(file_, text.data(), text.size(), 0) < 0) abort();
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

 private:
  int before_, file_;
};

void refuse(std::initializer_list<int> calls, unsigned error) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const int call : calls) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
    perror("seccomp"), abort();
}

void refused(std::initializer_list<int> calls, unsigned error) {
  Errors errors;
  refuse(calls, error);
  for (int round = 0; round < 3; ++round) {
    Sum sum(heap(), heap());
    sum.fill();
    sum.steps(kSteps / 2);
    sum.check_right("arrays where the system refuses");
  }
  const std::vector<std::string> lines = errors.lines();
  check(lines.size() <= 1, "lines of warnings: " + std::to_string(lines.size()));
  for (const std::string& line : lines) printf("     %s\n", line.c_str());
}
void no_mbind() { refused({SYS_mbind, SYS_set_mempolicy}, EPERM); }
void no_move_pages() { refused({SYS_move_pages, SYS_migrate_pages}, EPERM); }
void neither() {
  refused({SYS_mbind, SYS_set_mempolicy, SYS_move_pages, SYS_migrate_pages}, EPERM);
}
void nothing_at_all() {
  refused({SYS_mbind, SYS_set_mempolicy, SYS_get_mempolicy, SYS_move_pages, SYS_migrate_pages,
           SYS_process_vm_readv, SYS_perf_event_open},
          ENOSYS);
}

size_t free_kib(int node) {
  std::ifstream meminfo("/sys/devices/system/node/node" + std::to_string(node) + "/meminfo");
  size_t kib = 0;
  for (std::string word; meminfo >> word;)
    if (word == "MemFree:") {
      meminfo >> kib;
      break;
    }
  return kib;
}

// A node on which there is no memory for its blocks. Nothing is killed for it.
void full() {
  Sum sum(own(), own());
  sum.fill();
  const int node =
      sum.to().nodes()[0] == memory_nodes().back() ? memory_nodes().front() : memory_nodes().back();
  constexpr size_t kChunk = 1 << 20, kLeft = 2048;
  std::vector<char*> chunks;
  const unsigned long nodes = 1ul << node;
  while (free_kib(node) > kLeft && chunks.size() < 4096) {
    void* const at =
        mmap(nullptr, kChunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) break;
    syscall(SYS_mbind, at, kChunk, MPOL_PREFERRED, &nodes, 8 * sizeof nodes, 0);
    chunks.push_back(static_cast<char*>(at));
    for (size_t i = 0; i < kChunk; i += kPage) chunks.back()[i] = static_cast<char>(i / kPage + 1);
    if (chunks.size() % 16 == 0 && node_of(at) != node) break;
  }
  check(free_kib(node) < 4 * kLeft,
        "node " + std::to_string(node) + " has " + std::to_string(free_kib(node)) + " KiB free");
  sum.steps(kSteps);
  sum.check_right("arrays where a node is full");
  size_t wrong = 0;
  for (char* const chunk : chunks)
    for (size_t i = 0; i < kChunk; i += kPage)
      wrong += chunk[i] != static_cast<char>(i / kPage + 1);
  check(wrong == 0, "what fills the node: " + std::to_string(wrong) + " pages wrong");
  const std::vector<int> is = sum.to().nodes();
  printf("     the array:%s\n", runs(is).c_str());
}

// Two threads of the program open regions, each over arrays of its own, in teams that exist at the
// same time.
void two_teams() {
  Sum sums[2] = {{heap(), heap()}, {heap(), heap()}};
  for (const Sum& sum : sums) sum.fill();
  std::thread other([&] { sums[1].steps(kSteps); });
  sums[0].steps(kSteps);
  other.join();
  for (const Sum& sum : sums) sum.check_right("arrays of one of two teams");
}

// The first thread that leads regions ends, and so do two after it. The initial one has arrays that live on.
void leaders() {
  size_t wrong = 0;
  words();  // the last of them is known before the others
  for (int round = 0; round < 3; ++round)
    std::thread([&] {
      Sum sum(own(), own());
      sum.fill();
      sum.steps(3 + round);
      wrong += sum.wrong();
      for (const Array& array : {sum.to(), sum.from()}) munmap(array.at(), bytes());
    }).join();
  check(wrong == 0, "arrays of threads that end: " + std::to_string(wrong) + " numbers wrong");
  // On 8 CPUs one pair is just as large as what is noticed.
  Sum sum(heap(), heap()), beside(heap(), heap());
  beside.fill();
  sum.fill();
  // The looks that came before have to be paid for first.
  constexpr int kMostRounds = 500;
  for (int round = 0; round < kMostRounds && !is_spread(sum.to()); ++round) sum.steps(kSteps);
  sum.check_right("arrays of the thread that is left");
  check_moved(sum.to(), "an array of that thread");
}

constexpr struct {
  std::string_view name;
  void (*run)();
} kCases[] = {{"plain", plain},
              {"forks", forks},
              {"churn", churn},
              {"freed", freed},
              {"remapped", remapped},
              {"written", written},
              {"mappings", many_mappings},
              {"lock_limit", lock_limit},
              {"locked", locked},
              {"shared", shared},
              {"policy", policy},
              {"process_policy", process_policy},
              {"reserved", reserved},
              {"no_mbind", no_mbind},
              {"no_move_pages", no_move_pages},
              {"neither", neither},
              {"nothing_at_all", nothing_at_all},
              {"full", full},
              {"two_teams", two_teams},
              {"leaders", leaders}};

}  // namespace

int main(int count, char** words) {
  for (const auto& one : kCases) {
    if (count < 2) printf("%s\n", one.name.data());
    if (count != 2 || one.name != words[1]) continue;
    LAB_START();  // memory costs time
    one.run();
    LAB_STOP();
    return result();
  }
  return count < 2 ? 0 : 2;
}
