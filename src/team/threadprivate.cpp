#include "team/threadprivate.hpp"

#include <stdlib.h>
#include <string.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "sync/lock.hpp"
#include "team/worker.hpp"

namespace vicino::team {
namespace {

struct Variable {
  ThreadprivateClass its_class;
  std::vector<std::byte> image;  // the first value that any thread saw
  bool seen = false;
};

struct Table {
  sync::Lock lock;
  std::unordered_map<void*, Variable> variables;
};
Table& table() {
  static Table* const made = new Table;  // threads outlive main()
  return *made;
}

// The initial thread of the program: the one whose copy is the variable itself.
constexpr int kInitial = 0;
constexpr uint64_t kSpin = 10'000;

// Zeroed memory with the strictest alignment that a variable has without asking for more.
void* allocate(size_t size) {
  constexpr size_t kAlign = 64;
  const size_t rounded = (size + kAlign - 1) / kAlign * kAlign;
  void* memory = aligned_alloc(kAlign, rounded);
  if (memory == nullptr) abort();
  return memset(memory, 0, rounded);
}

void* make_copy(const Variable& variable, void* original, size_t size) {
  void* copy = allocate(size);
  if (variable.its_class.construct != nullptr)
    variable.its_class.construct(copy);
  else if (variable.its_class.copy_construct != nullptr)
    variable.its_class.copy_construct(copy, original);
  else
    memcpy(copy, variable.image.data(), size);
  return copy;
}

}  // namespace

void register_threadprivate(void* original, const ThreadprivateClass& its_class) {
  Table& t = table();
  t.lock.acquire({kSpin});
  t.variables[original].its_class = its_class;
  t.lock.release();
}

void* threadprivate(Worker& worker, void* original, size_t size) {
  if (auto found = worker.copies.find(original); found != worker.copies.end()) return found->second;
  Table& t = table();
  t.lock.acquire({kSpin});
  Variable& variable = t.variables[original];
  if (!variable.seen) {
    const auto* bytes = static_cast<const std::byte*>(original);
    variable.image.assign(bytes, bytes + size);
    variable.seen = true;
  }
  const Variable now = variable;
  t.lock.release();
  void* copy = worker.gtid() == kInitial ? original : make_copy(now, original, size);
  worker.copies.emplace(original, copy);
  return copy;
}

void end_threadprivate(Worker& worker) {
  Table& t = table();
  for (const auto& [original, copy] : worker.copies) {
    if (copy == original) continue;
    t.lock.acquire({kSpin});
    const auto destroy = t.variables[original].its_class.destroy;
    t.lock.release();
    if (destroy != nullptr) destroy(copy);
    free(copy);
  }
  worker.copies.clear();
}

}  // namespace vicino::team
