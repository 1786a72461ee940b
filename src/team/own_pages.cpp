#include "team/own_pages.hpp"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/first_made.hpp"
#include "base/kept_errno.hpp"
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

size_t whole_pages(size_t bytes) noexcept {
  return (bytes + topo::page_size() - 1) / topo::page_size() * topo::page_size();
}

// Null: there is no memory.
void* new_pages(size_t bytes) noexcept {
  void* pages = nullptr;
  if (topo::allocate_pages(bytes, &pages) != 0) return nullptr;
  const KeptErrno kept;
  // A huge page lies on one node, and would hold the objects of many threads.
  madvise(pages, bytes, MADV_NOHUGEPAGE);
  return pages;
}

thread_local constinit PagesAhead* ahead = nullptr;

// The memory node near some CPUs; -1 if they are near different nodes.
int memory_near(const CpuSet& cpus) {
  static constinit FirstMade<const std::vector<int>> with_memory;
  const auto& nodes = with_memory.get([] { return topo::memory_nodes(Machine::here()); });
  const std::vector<int> owners = topo::owners(Machine::here(), {&cpus, 1}, nodes);
  const bool one = std::ranges::adjacent_find(owners, std::ranges::not_equal_to()) == owners.end();
  return one && !owners.empty() ? owners.front() : -1;
}

std::vector<int> memory_near_nodes() {
  std::vector<int> near;
  for (const topo::Domain& node : Machine::here().domains(topo::Level::kNode))
    near.push_back(memory_near(node.cpus));
  return near;
}

int node_near(int spot) {
  if (spot < 0) return -1;
  static constinit FirstMade<const std::vector<int>> near;
  const int node = Machine::here().node_of(spots()[spot]);
  return node >= 0 ? near.get(memory_near_nodes)[static_cast<size_t>(node)]
                   : memory_near(spots()[spot]);
}

}  // namespace

PagesAhead::PagesAhead(size_t count, size_t bytes) noexcept {
  const size_t all = count * whole_pages(bytes);
  if (count < 2 || ahead != nullptr || !PageMoves::differ()) return;
  next_ = static_cast<std::byte*>(new_pages(all));
  if (next_ == nullptr) return;
  end_ = next_ + all;
  ahead = this;
}

PagesAhead::~PagesAhead() {
  if (ahead == this) ahead = nullptr;
  if (next_ != end_) topo::free_pages(next_, static_cast<size_t>(end_ - next_));
}

// Where the kernel refuses, the pages are moved later like others.
void PagesAhead::send_to(int spot) {
  const int node = ahead == this && next_ != end_ ? node_near(spot) : -1;
  if (node == node_) return;
  const bool obeyed = topo::prefer_node(next_, static_cast<size_t>(end_ - next_), node) == 0;
  node_ = obeyed ? node : -1;
}

void* PagesAhead::take(size_t bytes) noexcept {
  if (bytes > static_cast<size_t>(end_ - next_)) return nullptr;
  return std::exchange(next_, next_ + bytes);
}

void* OnOwnPages::operator new(size_t bytes) {
  if (!PageMoves::differ()) return ::operator new(bytes, std::align_val_t(kLinePair));
  const size_t all = whole_pages(bytes);
  void* pages = ahead != nullptr ? ahead->take(all) : nullptr;
  if (pages == nullptr) pages = new_pages(all);
  if (pages == nullptr) throw std::bad_alloc();
  if (__lsan_register_root_region) __lsan_register_root_region(pages, all);
  return pages;
}

void OnOwnPages::operator delete(void* object, size_t bytes) noexcept {
  if (!PageMoves::differ()) return ::operator delete(object, std::align_val_t(kLinePair));
  if (__lsan_unregister_root_region) __lsan_unregister_root_region(object, whole_pages(bytes));
  topo::free_pages(object, whole_pages(bytes));
}

bool PageMoves::differ() noexcept {
  static constinit FirstMade<const bool> several;
  return several.get([] {
    return topo::may_have_memory_nodes() && topo::memory_nodes(Machine::here()).size() > 1;
  });
}

void PageMoves::add(OnOwnPages& object, size_t bytes, int spot) {
  const int node = node_near(spot);
  if (node < 0 || node == object.home_) return;
  object.home_ = node;
  auto* const first = reinterpret_cast<std::byte*>(&object);
  for (size_t at = 0; at < bytes; at += topo::page_size()) {
    pages_.push_back(first + at);
    nodes_.push_back(node);
  }
}

// Where the kernel refuses, pages stay where they are, which costs time and no more.
bool PageMoves::send() {
  if (pages_.empty()) return false;
  const KeptErrno kept;
  std::vector<int> status(pages_.size());
  syscall(SYS_move_pages, 0L, pages_.size(), pages_.data(), nodes_.data(), status.data(),
          static_cast<long>(MPOL_MF_MOVE));
  return true;
}

}  // namespace vicino::team
