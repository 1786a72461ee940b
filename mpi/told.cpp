#include "told.hpp"

#include <dlfcn.h>
#include <stdlib.h>

#include "config/numbers.hpp"

namespace vicino::pmpi {
namespace {

// Written once, while MPI begins.
using Begins = void(const char* function, const void* where);
using Ends = void(uint64_t bytes);
constinit Begins* begins = nullptr;
constinit Ends* ends = nullptr;

template <class Function>
bool find(Function*& function, const char* name) noexcept {
  function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

}  // namespace

// The value is a file's name or a flag. An older library has no such functions.
void look_for_trace() noexcept {
  const char* const text = secure_getenv("VICINO_TRACE");
  if (text == nullptr || *text == '\0' || !config::Flag::parse(text).value_or(true)) return;
  if (find(begins, "vicino_communication_begin") && find(ends, "vicino_communication_end"))
    special.fetch_or(kTraces, std::memory_order_relaxed);
}

void Told::begin(const Function& function, const Caller& caller) noexcept {
  begins(function.name(), caller.address);
}
void Told::end(uint64_t bytes) noexcept { ends(bytes); }

}  // namespace vicino::pmpi
