#include "topo/pages.hpp"

#include <errno.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <type_traits>

#include "base/kept_errno.hpp"

namespace vicino::topo {
namespace {

constexpr size_t kWordBits = 8 * sizeof(unsigned long);
// Pages per system call: three arrays of this size fit on any stack.
constexpr size_t kBatch = 512;

// Arguments fill whole registers: the kernel reads some as long, and a variadic int fills only
// half.
template <class T>
long in_register(T argument) noexcept {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<long>(argument);
  else
    return static_cast<long>(argument);
}

// A system call's result, or its error negated; the program's errno is kept.
template <class... Arguments>
long call(long number, Arguments... arguments) noexcept {
  const KeptErrno kept;
  const long result = syscall(number, in_register(arguments)...);
  return result < 0 ? -errno : result;
}

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

std::optional<Range> range_of(const void* start, size_t bytes) noexcept {
  const auto begin = reinterpret_cast<uintptr_t>(start);
  // The last page of the address space is left out, so that rounding up cannot wrap around.
  if (bytes > UINTPTR_MAX - page_size() - begin || begin > UINTPTR_MAX - page_size())
    return std::nullopt;
  return Range{begin, begin + bytes};
}

uintptr_t down(uintptr_t address, size_t page) noexcept { return address / page * page; }
uintptr_t up(uintptr_t address, size_t page) noexcept { return down(address + page - 1, page); }

// The whole pages inside `range`; empty if there is none.
Range inner(Range range) noexcept {
  const uintptr_t begin = up(range.begin, page_size());
  return {begin, std::max(begin, down(range.end, page_size()))};
}

bool has(std::span<const int> nodes, int node) {
  return std::ranges::find(nodes, node) != nodes.end();
}

// The nodes that the cgroup's cpuset leaves; nothing if the kernel does not tell.
std::optional<std::vector<unsigned long>> allowed_mask() {
  // More than any kernel's nodes, and at most the one page that the kernel accepts.
  std::vector<unsigned long> mask(4096 / kWordBits);
  if (call(SYS_get_mempolicy, 0, mask.data(), mask.size() * kWordBits, 0, MPOL_F_MEMS_ALLOWED) < 0)
    return std::nullopt;
  return mask;
}

bool test(std::span<const unsigned long> mask, int node) {
  const auto bit = static_cast<size_t>(node);
  return bit / kWordBits < mask.size() && (mask[bit / kWordBits] >> bit % kWordBits & 1) != 0;
}

bool is_plain(const Machine& machine, int node) {
  return std::ranges::any_of(machine.memories(), [&](const Memory& memory) {
    return memory.os_index == node && memory.sort.empty();
  });
}

// The memory node for threads of the machine's node with this index.
int memory_near(const Machine& machine, int index, std::span<const int> nodes) {
  const auto domains = machine.domains(Level::kNode);
  for (int near : machine.nodes_nearest_first(index)) {
    const int os_index = domains[static_cast<size_t>(near)].os_index;
    if (has(nodes, os_index)) return os_index;
    for (const Memory& memory : machine.memories())  // special memory beside a node without its own
      if (memory.node == near && has(nodes, memory.os_index)) return memory.os_index;
  }
  return nodes.front();
}

int mbind(Range range, int policy, std::span<const int> nodes, unsigned flags) {
  const std::vector<unsigned long> mask = node_mask(nodes);
  // The kernel subtracts one from the number of bits.
  return static_cast<int>(-call(SYS_mbind, range.begin, range.end - range.begin, policy,
                                mask.data(), mask.size() * kWordBits + 1, flags));
}

int prefer(Range range, int node) {
  return mbind(range, MPOL_PREFERRED, std::span(&node, 1), MPOL_MF_MOVE);
}

// The status of up to kBatch pages: each a node, or an error negated.
class Batch {
 public:
  Batch() = default;
  Batch(uintptr_t first, uintptr_t end) noexcept {
    for (; !is_full() && first < end; first += page_size()) add(first);
  }
  void add(uintptr_t page) noexcept { pages_[size_++] = reinterpret_cast<void*>(page); }
  bool is_full() const noexcept { return size_ == kBatch; }
  void clear() noexcept { size_ = 0; }
  size_t size() const noexcept { return size_; }
  int status(size_t i) const noexcept { return status_[i]; }
  uintptr_t address(size_t i) const noexcept { return reinterpret_cast<uintptr_t>(pages_[i]); }

  int look() noexcept { return run(nullptr, 0); }
  // Stores the node of each page, -1 where there is none.
  int look(int* nodes) noexcept {
    const int error = look();
    for (size_t i = 0; error == 0 && i < size_; ++i) nodes[i] = std::max(-1, status_[i]);
    return error;
  }

  // Moves each page to node_of(address).
  template <class NodeOf>
  int move(NodeOf node_of) noexcept {
    std::array<int, kBatch> to;
    for (size_t i = 0; i < size_; ++i) to[i] = node_of(address(i));
    const int error = run(to.data(), MPOL_MF_MOVE);
    return error == ENOENT ? 0 : error;  // older kernels return it when nothing has to move
  }

 private:
  int run(const int* to, int flags) noexcept {
    const long result = call(SYS_move_pages, 0, size_, pages_.data(), to, status_.data(), flags);
    return result < 0 ? static_cast<int>(-result) : 0;  // above 0: some pages could not move
  }

  size_t size_ = 0;
  std::array<void*, kBatch> pages_;
  std::array<int, kBatch> status_;
};

// With one node the kernel has nothing to do, so its refusal does no harm.
int refusal(int error, std::span<const int> nodes) {
  const bool forbidden = error == ENOSYS || error == EPERM;
  return forbidden && nodes.size() == 1 ? 0 : error;
}

// Calls place(range, nodes) with the range to place and the nodes that may be used.
template <class Place>
int with_nodes(const Machine& machine, void* start, size_t bytes, Place place) {
  const std::optional<Range> range = range_of(start, bytes);
  if (!range) return EINVAL;
  const std::vector<int> nodes = memory_nodes(machine);
  if (nodes.empty()) return ENOTSUP;
  return refusal(place(*range, std::span<const int>(nodes)), nodes);
}

}  // namespace

int memory_of_node(const Machine& machine, int index) {
  const std::vector<int> nodes = memory_nodes(machine);
  return nodes.empty() ? -1 : memory_near(machine, index, nodes);
}

size_t page_size() noexcept {
  return static_cast<size_t>(sysconf(_SC_PAGESIZE));  // the C library knows it
}

std::vector<int> memory_nodes(const Machine& machine) {
  std::vector<int> nodes;
  if (machine.recorded()) return nodes;
  const auto allowed = allowed_mask();
  for (const Memory& memory : machine.memories())
    if (memory.bytes > 0 && memory.os_index >= 0 && (!allowed || test(*allowed, memory.os_index)))
      nodes.push_back(memory.os_index);
  std::ranges::sort(nodes);
  return nodes;
}

bool may_have_memory_nodes() {
  const auto allowed = allowed_mask();
  if (!allowed) return true;
  int nodes = 0;
  for (const unsigned long word : *allowed) nodes += std::popcount(word);
  return nodes > 1;
}

std::vector<int> owners(const Machine& machine, std::span<const CpuSet> places,
                        std::span<const int> nodes) {
  const bool whole =
      std::ranges::all_of(places, [&](const CpuSet& place) { return machine.node_of(place) >= 0; });
  std::vector<int> owners;
  for (const CpuSet& place : places)
    for (int node = 0; node < machine.count(Level::kNode); ++node) {
      const CpuSet here = place & machine.domains(Level::kNode)[static_cast<size_t>(node)].cpus;
      if (here.empty()) continue;
      const auto parts = static_cast<size_t>(whole ? 1 : here.count());
      owners.insert(owners.end(), parts, memory_near(machine, node, nodes));
    }
  return owners;
}

std::vector<PageRun> cut(uintptr_t begin, uintptr_t end, size_t page, std::span<const int> owners) {
  const uintptr_t first = up(begin, page);
  const uintptr_t last = down(end, page);
  const size_t parts = owners.size();
  const size_t length = (end - begin) / parts;
  const size_t rest = (end - begin) % parts;
  std::vector<PageRun> runs;
  uintptr_t from = first;
  for (size_t i = 0; i < parts && from < last; ++i) {
    const uintptr_t border = begin + (i + 1) * length + std::min(i + 1, rest);
    const uintptr_t to = i + 1 == parts ? last : std::min(last, down(border + page / 2, page));
    if (to <= from) continue;
    if (!runs.empty() && runs.back().node == owners[i])
      runs.back().end = to;
    else
      runs.push_back({from, to, owners[i]});
    from = to;
  }
  return runs;
}

int prefer_node(void* memory, size_t bytes, int node) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const Range range{begin, begin + bytes};
  return node < 0 ? mbind(range, MPOL_DEFAULT, {}, 0)
                  : mbind(range, MPOL_PREFERRED, std::span(&node, 1), 0);
}

std::vector<unsigned long> node_mask(std::span<const int> nodes) {
  std::vector<unsigned long> mask;
  for (int node : nodes) {
    const auto bit = static_cast<size_t>(node);
    if (bit / kWordBits >= mask.size()) mask.resize(bit / kWordBits + 1);
    mask[bit / kWordBits] |= 1ul << bit % kWordBits;
  }
  return mask;
}

int allocate_pages(size_t bytes, void** memory) noexcept {
  *memory = nullptr;
  if (bytes == 0) return 0;
  const KeptErrno kept;
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return errno;
  *memory = pages;
  return 0;
}

int free_pages(void* memory, size_t bytes) noexcept {
  if (memory == nullptr && bytes == 0) return 0;
  return static_cast<int>(-call(SYS_munmap, memory, bytes));
}

int spread(const Machine& machine, std::span<const CpuSet> places, void* start, size_t bytes) {
  return with_nodes(machine, start, bytes, [&](Range range, std::span<const int> nodes) {
    const std::vector<int> to = owners(machine, places, nodes);
    if (to.empty()) return ENOTSUP;
    for (const PageRun& run : cut(range.begin, range.end, page_size(), to))
      if (const int error = prefer({run.begin, run.end}, run.node)) return error;
    return 0;
  });
}

namespace {

int interleave_over(std::span<const int> over, Range range) {
  const Range pages = inner(range);
  if (pages.begin == pages.end) return 0;
  if (const int error = mbind(pages, MPOL_INTERLEAVE, over, 0)) return error;
  // mbind() moves only pages that are on none of the nodes; if all were on one of them, they would
  // be as wrong.
  for (uintptr_t at = pages.begin; at < pages.end; at += kBatch * page_size())
    if (const int error = Batch(at, pages.end).move([&](uintptr_t address) {
          return over[address / page_size() % over.size()];
        }))
      return error;
  return 0;
}

}  // namespace

int interleave(const Machine& machine, void* start, size_t bytes) {
  return with_nodes(machine, start, bytes, [&](Range range, std::span<const int> nodes) {
    std::vector<int> plain;
    std::ranges::copy_if(nodes, std::back_inserter(plain),
                         [&](int node) { return is_plain(machine, node); });
    return interleave_over(plain.empty() ? nodes : plain, range);
  });
}

int interleave(const Machine& machine, std::span<const int> over, void* start, size_t bytes) {
  return with_nodes(machine, start, bytes, [&](Range range, std::span<const int>) {
    return interleave_over(over, range);
  });
}

int bind_pages(const Machine& machine, void* start, size_t bytes, int node) {
  return with_nodes(machine, start, bytes, [&](Range range, std::span<const int> nodes) {
    if (!has(nodes, node)) return EINVAL;
    const Range pages = inner(range);
    return pages.begin == pages.end ? 0 : prefer(pages, node);
  });
}

int move_pages(const Machine& machine, void* start, size_t bytes, int node, size_t* on_node) {
  *on_node = 0;
  const std::optional<Range> range = range_of(start, bytes);
  if (!range) return EINVAL;
  const std::vector<int> nodes = memory_nodes(machine);
  if (nodes.empty()) return ENOTSUP;
  if (!has(nodes, node)) return EINVAL;
  const Range pages = inner(*range);
  bool elsewhere = false;
  for (uintptr_t at = pages.begin; at < pages.end; at += kBatch * page_size()) {
    Batch batch(at, pages.end);
    if (const int error = batch.move([&](uintptr_t) { return node; })) return error;
    if (const int error = batch.look()) return error;
    for (size_t i = 0; i < batch.size(); ++i) {
      *on_node += batch.status(i) == node;
      elsewhere |= batch.status(i) >= 0 && batch.status(i) != node;
    }
  }
  return elsewhere ? EBUSY : 0;
}

size_t page_count(const void* start, size_t bytes) noexcept {
  const std::optional<Range> range = range_of(start, bytes);
  if (!range || bytes == 0) return 0;
  return (up(range->end, page_size()) - down(range->begin, page_size())) / page_size();
}

int query_pages(const void* start, size_t bytes, std::span<int> nodes) noexcept {
  const std::optional<Range> range = range_of(start, bytes);
  if (!range) return EINVAL;
  if (nodes.size() < page_count(start, bytes)) return ERANGE;
  if (bytes == 0) return 0;
  const uintptr_t begin = down(range->begin, page_size());
  size_t filled = 0;
  for (uintptr_t at = begin; at < range->end; at += kBatch * page_size()) {
    Batch batch(at, range->end);
    if (const int error = batch.look(nodes.data() + filled)) return error;
    filled += batch.size();
  }
  return 0;
}

int nodes_of_pages(std::span<const uintptr_t> pages, std::span<int> nodes) noexcept {
  for (size_t first = 0; first < pages.size(); first += kBatch) {
    Batch batch;
    for (const uintptr_t page : pages.subspan(first, std::min(kBatch, pages.size() - first)))
      batch.add(page);
    if (const int error = batch.look(nodes.data() + first)) return error;
  }
  return 0;
}

int send_pages(std::span<const PageRun> runs) noexcept {
  Batch batch;
  std::array<int, kBatch> to;
  const auto flush = [&] {
    size_t i = 0;
    const int error = batch.size() == 0 ? 0 : batch.move([&](uintptr_t) { return to[i++]; });
    batch.clear();
    return error;
  };
  for (const PageRun& run : runs)
    for (uintptr_t page = run.begin; page < run.end; page += page_size()) {
      to[batch.size()] = run.node;
      batch.add(page);
      if (!batch.is_full()) continue;
      if (const int error = flush()) return error;
    }
  return flush();
}

int domain_of_memory(const Machine& machine, int node) noexcept {
  const auto memories = machine.memories();
  const auto found = std::ranges::find(memories, node, &Memory::os_index);
  return node < 0 || found == memories.end() ? -1 : found->node;
}

int domain_of_page(const Machine& machine, const void* address) noexcept {
  int node = -1;
  if (machine.recorded() || query_pages(address, 1, {&node, 1}) != 0) return -1;
  return domain_of_memory(machine, node);
}

}  // namespace vicino::topo
