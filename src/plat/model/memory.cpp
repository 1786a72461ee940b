#include "plat/model/memory.hpp"

#include "plat/model/digest.hpp"

namespace vicino::model {
namespace {

bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}

bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

void Memory::clear() noexcept {
  for (LocationId l = 0; l < addresses_.size(); ++l) {
    locations_[l].stores.clear();
    locations_[l].digest = 0;
  }
  addresses_.clear();
  threads_ = {};
  strong_ = {};
  digest_ = 0;
}

void Memory::create(const void* address, uint64_t value, Event by) {
  std::replace(addresses_.begin(), addresses_.end(), address, static_cast<const void*>(nullptr));
  declare(address);
  append(by, static_cast<LocationId>(addresses_.size() - 1), value, View{});
}

LocationId Memory::find(const void* address, uint64_t value) {
  const auto at = std::find(addresses_.begin(), addresses_.end(), address);
  const auto l = static_cast<LocationId>(at - addresses_.begin());
  if (at == addresses_.end()) declare(address);
  if (locations_[l].stores.empty()) append({}, l, value, View{});
  return l;
}

Time Memory::newest(LocationId l) const noexcept {
  return static_cast<Time>(locations_[l].stores.size() - 1);
}

Time Memory::oldest(ThreadId thread, LocationId l, std::memory_order order) const noexcept {
  const Time coherent = threads_[thread].now.oldest[l];
  return order == std::memory_order_seq_cst ? std::max(coherent, strong_[l]) : coherent;
}

void Memory::strengthen(LocationId l, Time t) noexcept {
  if (t <= strong_[l]) return;
  digest_ ^= splitmix64(uint64_t{1} << 48 | l << 16 | strong_[l]);
  strong_[l] = t;
  digest_ ^= splitmix64(uint64_t{1} << 48 | l << 16 | strong_[l]);
}

void Memory::read(ThreadId thread, LocationId l, Time t, std::memory_order order) noexcept {
  Thread& me = threads_[thread];
  me.now.oldest[l] = std::max(me.now.oldest[l], t);
  (acquires(order) ? me.now : me.pending).join(at(l, t).message);
  if (order == std::memory_order_seq_cst) strengthen(l, t);
}

void Memory::append(Event by, LocationId l, uint64_t value, const View& message) {
  Location& location = locations_[l];
  location.stores.push_back({value, by, message});
  const Time t = newest(l);
  location.stores.back().message.oldest[l] = t;
  threads_[by.thread].now.oldest[l] = t;
  digest_ ^= fold(location.digest, l);
  location.digest = fold(location.digest, by.thread << 16 | by.number);
  digest_ ^= fold(location.digest, l);
}

void Memory::write(Event by, LocationId l, uint64_t value, std::memory_order order) {
  const Thread& me = threads_[by.thread];
  append(by, l, value, releases(order) ? me.now : me.released);
  if (order == std::memory_order_seq_cst) strengthen(l, newest(l));
}

void Memory::replace(Event by, LocationId l, uint64_t value, std::memory_order order) {
  const Thread& me = threads_[by.thread];
  View message = releases(order) ? me.now : me.released;
  message.join(at(l, newest(l)).message);
  append(by, l, value, message);
  if (order == std::memory_order_seq_cst) strengthen(l, newest(l));
}

void Memory::fence(ThreadId thread, std::memory_order order) noexcept {
  Thread& me = threads_[thread];
  if (acquires(order)) me.now.join(me.pending);
  if (order == std::memory_order_seq_cst)
    for (LocationId l = 0; l < addresses_.size(); ++l) {
      strengthen(l, me.now.oldest[l]);
      me.now.oldest[l] = strong_[l];
    }
  if (releases(order)) me.released = me.now;
}

uint64_t Memory::strength() const noexcept {
  uint64_t digest = 0;
  for (LocationId l = 0; l < addresses_.size(); ++l)
    if (strong_[l] != 0) digest ^= splitmix64(uint64_t{1} << 48 | l << 16 | strong_[l]);
  return digest;
}

void Memory::look(ThreadId thread, LocationId l) noexcept {
  threads_[thread].now.oldest[l] = newest(l);
}

// Both are operations: what a thread touches before them is ordered before what the other thread
// does after them.
void Memory::spawn(ThreadId parent, ThreadId child) noexcept {
  tick(parent);
  threads_[child] = threads_[parent];
}

void Memory::join(ThreadId parent, ThreadId child) noexcept {
  tick(child);
  threads_[parent].now.join(threads_[child].now);
}

bool Memory::touch(ThreadId thread, Footprint& data, bool writes) const noexcept {
  const auto& seen = threads_[thread].now.clock;
  // An access between a thread's operations n and n+1 is not covered by what n released.
  const auto number = static_cast<uint16_t>(seen[thread] + 1);
  const auto covered = [&](ThreadId t, uint16_t n) { return t == thread || n <= seen[t]; };
  if (!covered(data.written.thread, data.written.number)) return false;
  if (writes)
    for (ThreadId t = 0; t < kMaxThreads; ++t)
      if (!covered(t, data.read[t])) return false;
  if (writes)
    data.written = {thread, number};
  else
    data.read[thread] = number;
  return true;
}

}  // namespace vicino::model
