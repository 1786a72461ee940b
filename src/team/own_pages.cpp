#include "team/own_pages.hpp"

#include <errno.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "base/line.hpp"
#include "team/places.hpp"
#include "topo/machine.hpp"
#include "topo/pages.hpp"

// LeakSanitizer looks for pointers in memory from malloc, but a Worker, which lies elsewhere, holds
// the only pointers to its teams. Null where the program has no such sanitizer.
extern "C" [[gnu::weak]] void __lsan_register_root_region(const void*, size_t);
extern "C" [[gnu::weak]] void __lsan_unregister_root_region(const void*, size_t);

namespace vicino::team {
namespace {

using topo::Machine;

size_t page_size() noexcept {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

size_t whole_pages(size_t bytes) noexcept {
  return (bytes + page_size() - 1) / page_size() * page_size();
}

void* new_pages(size_t bytes) {
  void* pages = nullptr;
  if (topo::allocate_pages(bytes, &pages) != 0) throw std::bad_alloc();
  const int kept = errno;
  // A huge page lies on one node, and would hold the objects of many threads.
  madvise(pages, bytes, MADV_NOHUGEPAGE);
  errno = kept;
  if (__lsan_register_root_region) __lsan_register_root_region(pages, bytes);
  return pages;
}

}  // namespace

// The node near the spot; -1 if its CPUs are near different nodes.
int PageMoves::node_near(int spot) {
  if (spot < 0) return -1;
  if (spot == last_spot_) return last_node_;
  static const auto* const with_memory = new std::vector<int>(topo::memory_nodes(Machine::here()));
  const std::vector<int> owners = topo::owners(Machine::here(), {&spots()[spot], 1}, *with_memory);
  const bool one = std::ranges::adjacent_find(owners, std::ranges::not_equal_to()) == owners.end();
  last_spot_ = spot;
  return last_node_ = one && !owners.empty() ? owners.front() : -1;
}

void* OnOwnPages::operator new(size_t bytes) {
  return PageMoves::differ() ? new_pages(whole_pages(bytes))
                             : ::operator new(bytes, std::align_val_t(kLinePair));
}

void OnOwnPages::operator delete(void* object, size_t bytes) noexcept {
  if (!PageMoves::differ()) return ::operator delete(object, std::align_val_t(kLinePair));
  if (__lsan_unregister_root_region) __lsan_unregister_root_region(object, whole_pages(bytes));
  topo::free_pages(object, whole_pages(bytes));
}

bool PageMoves::differ() noexcept {
  static const bool several =
      topo::may_have_memory_nodes() && topo::memory_nodes(Machine::here()).size() > 1;
  return several;
}

void PageMoves::add(OnOwnPages& object, size_t bytes, int spot) {
  const int node = node_near(spot);
  if (node < 0 || node == object.home_) return;
  object.home_ = node;
  auto* const first = reinterpret_cast<std::byte*>(&object);
  for (size_t at = 0; at < bytes; at += page_size()) {
    pages_.push_back(first + at);
    nodes_.push_back(node);
  }
}

// Where the kernel refuses, pages stay where they are, which costs time and no more.
bool PageMoves::send() {
  if (pages_.empty()) return false;
  const int kept = errno;
  std::vector<int> status(pages_.size());
  syscall(SYS_move_pages, 0L, pages_.size(), pages_.data(), nodes_.data(), status.data(),
          static_cast<long>(MPOL_MF_MOVE));
  errno = kept;
  return true;
}

}  // namespace vicino::team
