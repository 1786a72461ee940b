#include "region/threadprivate.hpp"

#include <stdlib.h>
#include <string.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "sync/cold.hpp"
#include "team/worker.hpp"

namespace vicino::region {
namespace {

struct Variable {
  ThreadprivateClass its_class;
  ThreadprivateArray its_array;  // if it was registered as one
  std::vector<std::byte> image;  // the value when any thread first asked
  bool seen = false;
};

// The key is the original's address. Under the Cold lock.
std::unordered_map<void*, Variable>& variables() {
  static auto& made = *new std::unordered_map<void*, Variable>;  // threads outlive main()
  return made;
}

// What is known of the variable. The first call takes its image.
Variable seen_by_now(void* original, size_t size) {
  const sync::Cold cold;
  Variable& variable = variables()[original];
  if (!variable.seen) {
    const auto* bytes = static_cast<const std::byte*>(original);
    variable.image.assign(bytes, bytes + size);
    variable.seen = true;
  }
  return variable;
}

// The initial thread of the program, whose copy is the variable itself.
constexpr int kInitial = 0;

// Zeroed memory, aligned as strictly as any variable is that does not ask for more.
void* allocate(size_t size) {
  constexpr size_t kAlign = 64;
  const size_t rounded = (size + kAlign - 1) / kAlign * kAlign;
  void* memory = aligned_alloc(kAlign, rounded);
  if (memory == nullptr) abort();
  return memset(memory, 0, rounded);
}

void* make_copy(const Variable& variable, void* original, size_t size) {
  void* copy = allocate(size);
  const ThreadprivateArray& array = variable.its_array;
  if (array.construct != nullptr)
    array.construct(copy, array.length);
  else if (array.copy_construct != nullptr)
    array.copy_construct(copy, original, array.length);
  else if (variable.its_class.construct != nullptr)
    variable.its_class.construct(copy);
  else if (variable.its_class.copy_construct != nullptr)
    variable.its_class.copy_construct(copy, original);
  else
    memcpy(copy, variable.image.data(), size);
  return copy;
}

}  // namespace

void register_threadprivate(void* original, const ThreadprivateClass& its_class) {
  const sync::Cold cold;
  variables()[original].its_class = its_class;
}

void register_threadprivate(void* original, const ThreadprivateArray& its_array) {
  const sync::Cold cold;
  variables()[original].its_array = its_array;
}

void* threadprivate(Worker& worker, void* original, size_t size) {
  if (auto found = worker.copies.find(original); found != worker.copies.end()) return found->second;
  const Variable variable = seen_by_now(original, size);
  void* copy = worker.gtid() == kInitial ? original : make_copy(variable, original, size);
  worker.copies.emplace(original, copy);
  return copy;
}

void end_threadprivate(Worker& worker) {
  for (const auto& [original, copy] : worker.copies) {
    if (copy == original) continue;
    const Variable variable = seen_by_now(original, 0);
    const ThreadprivateArray& array = variable.its_array;
    if (array.destroy != nullptr) array.destroy(copy, array.length);
    if (variable.its_class.destroy != nullptr) variable.its_class.destroy(copy);
    free(copy);
  }
  worker.copies.clear();
}

}  // namespace vicino::region
