// Placement of pages. The arithmetic is compared with results by hand and on recorded machines; the
// calls run on this machine, whatever its nodes. For several nodes see test/lab/pages.cpp.
#include <errno.h>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "topo/machine.hpp"
#include "topo/pages.hpp"
#include "topo/places.hpp"

namespace vicino::topo {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

const size_t kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));

Machine recorded(const std::string& name) {
  Result<Machine> machine = Machine::from_xml(std::string(VICINO_MACHINES) + "/" + name + ".xml");
  EXPECT_TRUE(machine.ok()) << machine.error();
  return *std::move(machine);
}

std::vector<CpuSet> places(const Machine& machine, std::string_view text) {
  return parse_places(text, machine)->places;
}

std::vector<int> owners_of(const Machine& machine, std::string_view text, std::vector<int> nodes) {
  return owners(machine, places(machine, text), nodes);
}

// Pages that are returned at the end of a test.
struct Pages {
  explicit Pages(size_t count) : bytes(count * kPage) {
    EXPECT_EQ(allocate_pages(bytes, &start), 0);
    madvise(start, bytes, MADV_NOHUGEPAGE);  // so that an untouched page does not exist
  }
  ~Pages() { free_pages(start, bytes); }
  Pages(const Pages&) = delete;
  char* page(size_t i) const { return static_cast<char*>(start) + i * kPage; }
  void touch() const {
    for (size_t at = 0; at < bytes; at += kPage) page(0)[at] = 1;
  }
  std::vector<int> nodes() const {
    std::vector<int> nodes(bytes / kPage, 99);
    EXPECT_EQ(query_pages(start, bytes, nodes), 0);
    return nodes;
  }

  size_t bytes;
  void* start = nullptr;
};

TEST(NodeMask, HasAWordForTheHighestNode) {
  EXPECT_THAT(node_mask({}), IsEmpty());
  EXPECT_THAT(node_mask(std::vector{0, 63}), ElementsAre(0x8000000000000001));
  EXPECT_THAT(node_mask(std::vector{64}), ElementsAre(0, 1));
  EXPECT_THAT(node_mask(std::vector{130, 1, 65}), ElementsAre(2, 2, 4));
}

TEST(Cut, WholePagesByParts) {
  EXPECT_THAT(cut(4096, 8 * 4096, 4096, std::vector{0}), ElementsAre(PageRun{4096, 8 * 4096, 0}));
  EXPECT_THAT(cut(0, 8 * 4096, 4096, std::vector{3, 1}),
              ElementsAre(PageRun{0, 4 * 4096, 3}, PageRun{4 * 4096, 8 * 4096, 1}));
  // Neighbouring parts for one node are one run: four parts, three nodes.
  EXPECT_THAT(cut(0, 8 * 4096, 4096, std::vector{0, 2, 2, 1}),
              ElementsAre(PageRun{0, 2 * 4096, 0}, PageRun{2 * 4096, 6 * 4096, 2},
                          PageRun{6 * 4096, 8 * 4096, 1}));
}

// [100, 5300) with pages of 1000: pages 1 to 4 are whole. The halves meet at 2700, inside page 2,
// most of which belongs to the first half.
TEST(Cut, APageGoesToThePartThatHasMostOfIt) {
  EXPECT_THAT(cut(100, 5300, 1000, std::vector{0, 1}),
              ElementsAre(PageRun{1000, 3000, 0}, PageRun{3000, 5000, 1}));
  EXPECT_THAT(cut(100, 4500, 1000, std::vector{0, 1}),
              ElementsAre(PageRun{1000, 2000, 0}, PageRun{2000, 4000, 1}));
}

// 7 pages in 3 parts, as in a static loop: 3, 2, 2.
TEST(Cut, TheFirstPartsAreTheLongerOnes) {
  EXPECT_THAT(cut(10, 17, 1, std::vector{0, 1, 2}),
              ElementsAre(PageRun{10, 13, 0}, PageRun{13, 15, 1}, PageRun{15, 17, 2}));
}

TEST(Cut, NoWholePage) {
  EXPECT_THAT(cut(1, 4096, 4096, std::vector{0, 1}), IsEmpty());
  EXPECT_THAT(cut(100, 200, 4096, std::vector{0, 1}), IsEmpty());
  EXPECT_THAT(cut(4096, 4096, 4096, std::vector{0}), IsEmpty());
}

// With fewer pages than parts, or more parts than bytes, each page still has one node.
TEST(Cut, EachPageOnceWhateverTheSizes) {
  std::vector<int> nodes;
  for (int n = 0; n < 70; ++n) nodes.push_back(n);
  for (uintptr_t begin : {0, 1, 15, 16, 31})
    for (uintptr_t end = begin; end < 400; end += 3)
      for (size_t parts : {1, 2, 7, 70}) {
        uintptr_t at = (begin + 15) / 16 * 16;
        for (const PageRun& run : cut(begin, end, 16, std::span(nodes).first(parts))) {
          EXPECT_EQ(run.begin, at) << begin << ' ' << end << ' ' << parts;
          EXPECT_LT(run.begin, run.end);
          EXPECT_EQ(run.begin % 16 + run.end % 16, 0u);
          at = run.end;
        }
        EXPECT_EQ(at, std::max((begin + 15) / 16 * 16, end / 16 * 16)) << begin << ' ' << end;
      }
}

TEST(Owners, AreTheNodesOfThePlaces) {
  const Machine machine = recorded("plain-2x4");
  EXPECT_THAT(owners_of(machine, "cores", {0, 1}), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(owners_of(machine, "sockets", {0, 1}), ElementsAre(0, 1));
  EXPECT_THAT(owners_of(machine, "{6},{1},{7}", {0, 1}), ElementsAre(1, 0, 1));
}

TEST(Owners, APlaceOnSeveralNodesCountsByItsCpus) {
  const Machine machine = recorded("plain-2x4");
  EXPECT_THAT(owners_of(machine, "{0:8}", {0, 1}), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(owners_of(machine, "{3:3},{0:2}", {0, 1}), ElementsAre(0, 1, 1, 0, 0));
}

// The row of node 3 on the ladder is 22 16 16 10 22 16 28 22.
TEST(Owners, ANodeWithoutMemoryUsesTheNearestWithSome) {
  const Machine machine = recorded("opteron-8x2-ladder");
  EXPECT_THAT(owners_of(machine, "{6}", {0, 1, 2, 4, 5, 6, 7}), ElementsAre(1));
  EXPECT_THAT(owners_of(machine, "{6}", {0, 4, 6}), ElementsAre(0));
  EXPECT_THAT(owners_of(machine, "{6}", {6}), ElementsAre(6));
  // Nodes 3 and 4 are as near to node 0 as to node 7.
  EXPECT_THAT(owners_of(machine, "sockets", {0, 7}), ElementsAre(0, 0, 0, 0, 0, 7, 7, 7));
}

TEST(Owners, SpecialMemoryOnlyIfThereIsNoOther) {
  const Machine machine = recorded("knl-7250-68x4-flat");
  EXPECT_THAT(owners_of(machine, "cores", {0, 1}), Each(0));
  EXPECT_THAT(owners_of(machine, "cores", {1}), Each(1));
}

// Node 1 has CPU 0 and fast memory, node 3; node 2 has CPU 1; node 0 is memory far from both.
TEST(Owners, MemoryBesideTheCpusIsNearerThanMemoryWithoutAny) {
  Hardware hardware;
  for (int cpu : {0, 1})
    hardware.pus.push_back(
        {.os_index = cpu, .core = cpu, .cache_group = cpu, .node = cpu, .package = cpu, .kind = 0});
  hardware.node_os = {1, 2};
  hardware.package_os = {0, 1};
  hardware.memories = {{0, 1 << 30, -1, ""}, {1, 0, 0, ""}, {2, 0, 1, ""}, {3, 1 << 30, 0, "HBM"}};
  const Machine machine(hardware);
  EXPECT_THAT(owners_of(machine, "cores", {0, 3}), ElementsAre(3, 3));
  EXPECT_THAT(owners_of(machine, "cores", {0}), ElementsAre(0, 0));
}

TEST(DomainOfMemory, IsTheNodeWhoseThreadsAreNear) {
  EXPECT_EQ(domain_of_memory(recorded("plain-2x4"), 1), 1);
  EXPECT_EQ(domain_of_memory(recorded("plain-2x4"), 2), -1);
  EXPECT_EQ(domain_of_memory(recorded("plain-2x4"), -1), -1);
  // Fast memory is a node of its own without CPUs.
  EXPECT_EQ(domain_of_memory(recorded("knl-7250-68x4-flat"), 1), 0);
}

// The kernel's numbers are not indices of domains: node 3 is the first of two.
TEST(DomainOfMemory, GoesByTheKernelsNumbers) {
  Hardware hardware;
  for (int cpu : {0, 1})
    hardware.pus.push_back(
        {.os_index = cpu, .core = cpu, .cache_group = cpu, .node = cpu, .package = cpu, .kind = 0});
  hardware.node_os = {3, 5};
  hardware.package_os = {0, 1};
  hardware.memories = {{3, 1 << 30, 0, ""}, {5, 1 << 30, 1, ""}, {7, 1 << 30, -1, ""}};
  const Machine machine(hardware);
  EXPECT_EQ(domain_of_memory(machine, 3), 0);
  EXPECT_EQ(domain_of_memory(machine, 5), 1);
  EXPECT_EQ(domain_of_memory(machine, 7), -1);
  EXPECT_EQ(domain_of_memory(machine, 0), -1);
}

TEST(DomainOfPage, OnlyAPageThatIsThereHasOne) {
  const Machine& machine = Machine::here();
  const Pages pages(2);
  pages.page(0)[0] = 1;
  const std::vector<int> nodes = pages.nodes();
  if (nodes[0] < 0) GTEST_SKIP() << "the kernel does not tell where pages are";
  EXPECT_EQ(domain_of_page(machine, pages.page(0) + kPage - 1),
            domain_of_memory(machine, nodes[0]));
  EXPECT_GE(domain_of_page(machine, pages.page(0)), 0);
  EXPECT_EQ(domain_of_page(machine, pages.page(1)), -1);
  EXPECT_THAT(pages.nodes(), ElementsAre(nodes[0], -1));
  EXPECT_EQ(domain_of_page(machine, nullptr), -1);
}

TEST(DomainOfPage, IsUnknownOnARecordedMachine) {
  const Pages pages(1);
  pages.touch();
  EXPECT_EQ(domain_of_page(recorded("plain-2x4"), pages.start), -1);
}

TEST(PageCount, CountsPagesThatAreTouched) {
  const auto at = [](uintptr_t address) { return reinterpret_cast<void*>(address); };
  EXPECT_EQ(page_count(at(kPage), 0), 0u);
  EXPECT_EQ(page_count(at(kPage), 1), 1u);
  EXPECT_EQ(page_count(at(kPage), kPage), 1u);
  EXPECT_EQ(page_count(at(kPage + 1), kPage), 2u);
  EXPECT_EQ(page_count(at(2 * kPage - 1), 2), 2u);
  EXPECT_EQ(page_count(at(kPage), SIZE_MAX), 0u);
}

TEST(Allocation, GivesZerosAndTakesThemBack) {
  const Pages pages(3);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pages.start) % kPage, 0u);
  EXPECT_TRUE(std::all_of(pages.page(0), pages.page(3), [](char c) { return c == 0; }));
  void* memory = nullptr;
  EXPECT_EQ(allocate_pages(1, &memory), 0);
  *static_cast<char*>(memory) = 1;
  EXPECT_EQ(free_pages(memory, 1), 0);
  int gone = 0;
  EXPECT_EQ(query_pages(memory, 1, std::span(&gone, 1)), 0);
  EXPECT_EQ(gone, -1);
}

TEST(Allocation, NothingAndTooMuch) {
  void* memory = &memory;
  EXPECT_EQ(allocate_pages(0, &memory), 0);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(free_pages(nullptr, 0), 0);
  for (size_t bytes : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX - kPage}) {
    memory = &memory;
    EXPECT_EQ(allocate_pages(bytes, &memory), ENOMEM);
    EXPECT_EQ(memory, nullptr);
  }
  const Pages pages(1);
  EXPECT_EQ(free_pages(pages.page(0) + 1, 1), EINVAL);
}

TEST(Query, TellsPagesThatAreThere) {
  const std::vector<int> nodes = memory_nodes(Machine::here());
  const Pages pages(1300);  // more than one call takes
  *pages.page(0) = *pages.page(700) = *pages.page(1299) = 1;
  const std::vector<int> found = pages.nodes();
  for (size_t i = 0; i < found.size(); ++i)
    if (i == 0 || i == 700 || i == 1299)
      EXPECT_THAT(nodes, testing::Contains(found[i])) << i;
    else
      EXPECT_EQ(found[i], -1) << i;
}

TEST(Query, WantsRoomForEachPage) {
  const Pages pages(4);
  std::vector<int> room(5, 99);
  EXPECT_EQ(query_pages(pages.page(0), 4 * kPage, std::span(room).first(3)), ERANGE);
  EXPECT_THAT(room, Each(99));
  EXPECT_EQ(query_pages(pages.page(1) - 1, 2, std::span(room).first(2)), 0);
  EXPECT_THAT(room, ElementsAre(-1, -1, 99, 99, 99));
  EXPECT_EQ(query_pages(pages.page(0), 0, {}), 0);
  EXPECT_EQ(query_pages(pages.page(0), SIZE_MAX, room), EINVAL);
}

// On a machine of one node, only wrong arguments could go unnoticed.
class Placement : public testing::Test {
 protected:
  void SetUp() override {
    nodes_ = memory_nodes(machine_);
    ASSERT_THAT(nodes_, testing::Not(IsEmpty()));
    std::vector<int> sorted = nodes_;
    std::ranges::sort(sorted);
    EXPECT_EQ(sorted, nodes_);
  }
  int spread_over_cores(void* start, size_t bytes) {
    return spread(machine_, default_places(machine_).places, start, bytes);
  }
  // Calls all functions that place pages, on the same range.
  std::vector<int> place(void* start, size_t bytes) {
    size_t there;
    return {spread_over_cores(start, bytes), interleave(machine_, start, bytes),
            bind_pages(machine_, start, bytes, nodes_[0]),
            move_pages(machine_, start, bytes, nodes_[0], &there)};
  }

  const Machine& machine_ = Machine::here();
  std::vector<int> nodes_;
};

TEST_F(Placement, KeepsWhatIsInThePages) {
  const Pages pages(1200);
  for (size_t i = 0; i < 1200; ++i) *pages.page(i) = static_cast<char>(i);
  EXPECT_THAT(place(pages.start, pages.bytes), Each(0));
  for (size_t i = 0; i < 1200; ++i) EXPECT_EQ(*pages.page(i), static_cast<char>(i));
}

TEST_F(Placement, BoundPagesAreOnTheNode) {
  for (int node : nodes_) {
    const Pages pages(8);
    *pages.page(3) = 1;
    EXPECT_EQ(bind_pages(machine_, pages.start, pages.bytes, node), 0);
    pages.touch();
    EXPECT_THAT(pages.nodes(), Each(node));
  }
}

TEST_F(Placement, MoveCountsWholePagesThatAreThere) {
  const Pages pages(1000);
  for (size_t i = 0; i < 600; ++i) *pages.page(i) = 1;
  size_t there = 99;
  EXPECT_EQ(move_pages(machine_, pages.page(0) + 1, pages.bytes - 1, nodes_.back(), &there), 0);
  EXPECT_EQ(there, 599u);
  EXPECT_EQ(move_pages(machine_, pages.page(0) + 1, 2 * kPage - 2, nodes_.back(), &there), 0);
  EXPECT_EQ(there, 0u);
}

TEST_F(Placement, NothingToPlace) {
  const Pages pages(2);
  EXPECT_THAT(place(nullptr, 0), Each(0));
  EXPECT_THAT(place(pages.page(0) + 1, kPage), Each(0));
}

TEST_F(Placement, WrongRanges) {
  const Pages pages(6);
  ASSERT_EQ(munmap(pages.page(2), kPage), 0);
  EXPECT_EQ(spread_over_cores(pages.start, pages.bytes), EFAULT);
  EXPECT_EQ(interleave(machine_, pages.start, pages.bytes), EFAULT);
  EXPECT_EQ(bind_pages(machine_, pages.start, pages.bytes, nodes_[0]), EFAULT);
  *pages.page(1) = *pages.page(5) = 1;
  size_t there = 99;
  EXPECT_EQ(move_pages(machine_, pages.start, pages.bytes, nodes_[0], &there), 0);
  EXPECT_EQ(there, 2u);
  EXPECT_THAT(place(pages.page(0) + 1, SIZE_MAX), Each(EINVAL));
}

TEST_F(Placement, WrongNodes) {
  const Pages pages(2);
  size_t there = 99;
  for (int node : {-1, -2, 1 << 20, nodes_.back() + 1}) {
    EXPECT_EQ(bind_pages(machine_, pages.start, pages.bytes, node), EINVAL) << node;
    EXPECT_EQ(move_pages(machine_, pages.start, pages.bytes, node, &there), EINVAL) << node;
    EXPECT_EQ(there, 0u);
  }
}

TEST_F(Placement, LeavesErrnoAlone) {
  const Pages pages(2);
  errno = ELOOP;
  place(pages.start, pages.bytes);
  place(pages.page(0), SIZE_MAX);
  bind_pages(machine_, pages.page(2), kPage << 20, nodes_[0]);
  void* memory;
  allocate_pages(SIZE_MAX, &memory);
  EXPECT_EQ(errno, ELOOP);
}

// No call uses the nodes of a machine that is not this one, or of one of which nothing is known.
TEST(PlacementElsewhere, IsNotSupported) {
  const Pages pages(2);
  size_t there = 99;
  for (const Machine& machine : {recorded("plain-2x4"), Machine::flat(CpuSet::of(0))}) {
    EXPECT_THAT(memory_nodes(machine), IsEmpty());
    EXPECT_EQ(spread(machine, default_places(machine).places, pages.start, pages.bytes), ENOTSUP);
    EXPECT_EQ(interleave(machine, pages.start, pages.bytes), ENOTSUP);
    EXPECT_EQ(bind_pages(machine, pages.start, pages.bytes, 0), ENOTSUP);
    EXPECT_EQ(move_pages(machine, pages.start, pages.bytes, 0, &there), ENOTSUP);
    EXPECT_EQ(there, 0u);
  }
}

// Runs `work` in a thread whose calls about pages the kernel refuses with `error`, as a container's
// filter does, or a kernel that was built without NUMA.
void refused(unsigned error, const std::function<void()>& work) {
  std::thread([&] {
    std::vector<sock_filter> filter{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    for (unsigned number : {SYS_mbind, SYS_move_pages, SYS_get_mempolicy}) {
      filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
      filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      GTEST_SKIP() << "no filter of system calls here";
    work();
  }).join();
}

TEST_F(Placement, RefusedByTheKernelTheMemoryIsStillGiven) {
  for (int error : {ENOSYS, EPERM})
    refused(static_cast<unsigned>(error), [&] {
      const Pages pages(4);
      pages.touch();
      // With one node, all memory is where it should be.
      const int told = nodes_.size() == 1 ? 0 : error;
      EXPECT_THAT(memory_nodes(machine_), testing::IsSupersetOf(nodes_));
      EXPECT_EQ(spread_over_cores(pages.start, pages.bytes), told);
      EXPECT_EQ(interleave(machine_, pages.start, pages.bytes), told);
      EXPECT_EQ(bind_pages(machine_, pages.start, pages.bytes, nodes_[0]), told);
      size_t there = 99;
      EXPECT_EQ(move_pages(machine_, pages.start, pages.bytes, nodes_[0], &there), error);
      EXPECT_EQ(there, 0u);
      std::vector<int> nodes(4, 99);
      EXPECT_EQ(query_pages(pages.start, pages.bytes, nodes), error);
      EXPECT_EQ(*pages.page(3), 1);
    });
}

}  // namespace
}  // namespace vicino::topo
