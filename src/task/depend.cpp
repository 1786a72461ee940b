// depend.cpp: the table of addresses.
#include "task/depend.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/line.hpp"
#include "base/spread.hpp"

namespace vicino::task {

void* take_vertex_memory(Heap& heap, size_t bytes, Heap::Origin& origin) {
  if (bytes <= Heap::kSmall) return heap.take(bytes, origin);
  origin = {};
  void* const memory = aligned_alloc(kLine, (bytes + kLine - 1) / kLine * kLine);
  if (memory == nullptr) die("out of memory for a task's dependences: %zu bytes", bytes);
  return memory;
}

void give_vertex_memory(Heap& heap, void* memory, Heap::Origin origin) noexcept {
  if (origin.heap == nullptr)
    free(memory);
  else
    heap.give(memory, origin);
}

void Vertex::make_room(size_t dependences, size_t exclusions) {
  const size_t edges = Table::edges_for(dependences);
  static_assert(sizeof(Edge) == 2 * sizeof(Join*));
  edges_ = many_ = new Edge[edges + (exclusions + 1) / 2];
  exclusions_ = reinterpret_cast<Join**>(edges_ + edges);
}

void Table::unlist(Vertex*& vertex, Heap& heap) noexcept {
  Vertex* const was = vertex;
  vertex = nullptr;
  if (was == nullptr || --was->listed_ > 0) return;
  if (was->drop()) free_vertex(heap, *was);
}

bool Table::idle(const Entry& entry) const noexcept {
  if (entry.count == 0) return entry.before == nullptr || entry.before->done();
  if (entry.joined) return static_cast<const Join*>(entry.members[0])->idle();
  return std::all_of(entry.members, entry.members + entry.count,
                     [](const Vertex* member) { return member->done(); });
}

Join& Table::make_join(Entry& entry, Heap& heap) {
  Heap::Origin origin;
  auto* join = new (take_vertex_memory(heap, sizeof(Join), origin)) Join;
  join->origin = origin;
  join->hold();  // for the table
  list(*join);
  for (Vertex*& member : std::span(entry.members, entry.count)) {
    join->add(*member);
    unlist(member, heap);
  }
  entry.members[0] = join;
  entry.count = 1;
  entry.joined = true;
  return *join;
}

Gate& Table::make_gate(Heap& heap) {
  Heap::Origin origin;
  auto* gate = new (take_vertex_memory(heap, sizeof(Gate), origin)) Gate;
  gate->origin = origin;
  return *gate;
}

void Table::close_join(Entry& entry) noexcept {
  if (!entry.joined) return;
  static_cast<Join*>(entry.members[0])->end_phase();
  entry.joined = false;
}

void Table::forget(Entry& entry, Heap& heap) noexcept {
  close_join(entry);
  unlist(entry.before, heap);
  for (Vertex*& member : entry.members) unlist(member, heap);
  entry.count = 0;
}

void Table::wait_for_before(Entry& entry, Vertex& vertex, Heap& heap) noexcept {
  if (entry.before != nullptr && !vertex.wait_for(*entry.before)) unlist(entry.before, heap);
}

void Table::wait_for_members(Entry& entry, Vertex& vertex, Heap& heap) noexcept {
  if (entry.count == 0) return wait_for_before(entry, vertex, heap);
  close_join(entry);
  for (Vertex* member : std::span(entry.members, entry.count)) vertex.wait_for(*member);
}

// The members become what the next phase waits for.
void Table::end_phase(Entry& entry, Heap& heap) {
  if (entry.count == 0) return;
  unlist(entry.before, heap);
  if (entry.count > 1) make_join(entry, heap);
  close_join(entry);
  std::swap(entry.before, entry.members[0]);
  entry.count = 0;
}

void Table::join_phase(Entry& entry, Vertex& vertex, Heap& heap) {
  if (entry.access == Access::kMutex) {
    Join& join = entry.joined ? *static_cast<Join*>(entry.members[0]) : make_join(entry, heap);
    join.add(vertex);
    join.hold();
    vertex.need(join);
  } else if (entry.joined || entry.count == kDirect) {
    Join& join = entry.joined ? *static_cast<Join*>(entry.members[0]) : make_join(entry, heap);
    join.add(vertex);
  } else {
    entry.members[entry.count++] = &vertex;
    list(vertex);
  }
}

void Table::enter(Entry& entry, Vertex& vertex, Heap& heap) {
  if (entry.wanted == Access::kOut) {
    wait_for_members(entry, vertex, heap);
    forget(entry, heap);
    entry.access = Access::kOut;
    entry.members[entry.count++] = &vertex;
    list(vertex);
    return;
  }
  if (entry.wanted != entry.access) {
    end_phase(entry, heap);
    entry.access = entry.wanted;
  }
  wait_for_before(entry, vertex, heap);
  join_phase(entry, vertex, heap);
}

// The vertex comes after all earlier ones, and all later ones come after it.
void Table::enter_all(Vertex& vertex, Heap& heap) {
  delete[] vertex.many_;
  vertex.edges_ = vertex.many_ = new Edge[kDirect * used_ + 1];
  for (Entry& entry : entries_)
    if (entry.access != Access::kNone) {
      wait_for_members(entry, vertex, heap);
      forget(entry, heap);
      entry = {};
    }
  used_ = 0;
  if (memory_ != nullptr) vertex.wait_for(*memory_);
  unlist(memory_, heap);
  memory_ = &vertex;
  list(vertex);
}

bool Table::add(Vertex& vertex, std::span<const Dependence> dependences, Heap& heap) {
  reserve(dependences.size(), heap);
  vertex.hold();  // for the table
  list(vertex);   // until it has been entered at all its addresses
  ++vertices_;
  met_.clear();
  bool all = false;
  for (const Dependence& d : dependences) {
    if (d.access == Access::kMemory) {
      all = true;
      continue;
    }
    Entry& entry = find_or_make(d.address);
    if (entry.met == vertices_) {
      if (entry.wanted != d.access) entry.wanted = Access::kOut;
      continue;
    }
    entry.met = vertices_;
    entry.wanted = d.access;
    met_.push_back(&entry);
  }
  if (all)
    enter_all(vertex, heap);
  else
    for (Entry* entry : met_) enter(*entry, vertex, heap);
  std::sort(vertex.exclusions_, vertex.exclusions_ + vertex.exclusions_needed_);  // I5
  Vertex* listed = &vertex;
  unlist(listed, heap);
  return vertex.all_known();
}

bool Table::await(Vertex& vertex, std::span<const Dependence> dependences, Heap& heap) {
  for (const Dependence& d : dependences) {
    if (d.access == Access::kMemory) {
      vertex.edges_ = vertex.many_ = new Edge[kDirect * used_ + 1 + edges_for(dependences.size())];
      for (Entry& entry : entries_)
        if (entry.access != Access::kNone) {
          end_phase(entry, heap);
          wait_for_before(entry, vertex, heap);
        }
      if (memory_ != nullptr) vertex.wait_for(*memory_);
      break;
    }
    if (Entry* entry = find(d.address)) {
      if (entry->access != d.access || d.access == Access::kOut || d.access == Access::kMutex)
        end_phase(*entry, heap);
      wait_for_before(*entry, vertex, heap);
    } else if (memory_ != nullptr) {
      vertex.wait_for(*memory_);
    }
  }
  return vertex.all_known();
}

bool Table::met(std::span<const Dependence> dependences) const noexcept {
  const auto past = [](const Vertex* vertex) { return vertex == nullptr || vertex->done(); };
  for (const Dependence& d : dependences) {
    if (d.access == Access::kMemory) {
      for (const Entry& entry : entries_)
        if (entry.access != Access::kNone && !idle(entry)) return false;
      return past(memory_);
    }
    const Entry* entry = find(d.address);
    if (entry == nullptr) {
      if (!past(memory_)) return false;
    } else if (entry->access == d.access && d.access != Access::kOut &&
               d.access != Access::kMutex) {
      if (!past(entry->before)) return false;
    } else if (!idle(*entry)) {
      return false;
    }
  }
  return true;
}

void Table::clear(Heap& heap) noexcept {
  constexpr size_t kKeep = 64;  // a larger table costs more to look through than to make anew
  if (used_ > 0)
    for (Entry& entry : entries_)
      if (entry.access != Access::kNone) {
        forget(entry, heap);
        entry = {};
      }
  used_ = 0;
  unlist(memory_, heap);
  if (entries_.size() > kKeep) std::vector<Entry>().swap(entries_);
}

// The index where the entry of the address is, or would be.
size_t Table::place(const void* address) const noexcept {
  const size_t mask = entries_.size() - 1;
  constexpr int kBits = 44;
  size_t at = static_cast<size_t>(spread(address, kBits)) & mask;
  while (entries_[at].access != Access::kNone && entries_[at].address != address)
    at = (at + 1) & mask;
  return at;
}

const Table::Entry* Table::find(const void* address) const noexcept {
  if (used_ == 0) return nullptr;
  const Entry& entry = entries_[place(address)];
  return entry.access != Access::kNone ? &entry : nullptr;
}
Table::Entry* Table::find(const void* address) noexcept {
  return const_cast<Entry*>(std::as_const(*this).find(address));
}

Table::Entry& Table::find_or_make(const void* address) noexcept {
  Entry& entry = entries_[place(address)];
  if (entry.access == Access::kNone) {
    entry = {.address = address};
    entry.access = Access::kOut;  // by no member; only `before` counts
    if (memory_ != nullptr) {
      entry.before = memory_;
      list(*memory_);
    }
    ++used_;
  }
  return entry;
}

// Makes room for so many more entries, so that no entry moves until they are in. First it drops
// entries whose tasks are done.
void Table::reserve(size_t more, Heap& heap) {
  const size_t capacity = entries_.size();
  if ((used_ + more) * 2 <= capacity) return;
  constexpr size_t kFirst = 16;
  size_t live = 0;
  for (const Entry& entry : entries_) live += entry.access != Access::kNone && !idle(entry);
  size_t wanted = std::max(kFirst, capacity);
  while ((live + more) * 4 > wanted) wanted *= 2;
  sweep(wanted, heap);
}

void Table::sweep(size_t capacity, Heap& heap) {
  std::vector<Entry> old(capacity);
  old.swap(entries_);
  used_ = 0;
  for (Entry& entry : old) {
    if (entry.access == Access::kNone) continue;
    if (idle(entry)) {
      forget(entry, heap);
      continue;
    }
    entries_[place(entry.address)] = entry;
    ++used_;
  }
  if (memory_ != nullptr && memory_->done()) unlist(memory_, heap);
}

}  // namespace vicino::task
