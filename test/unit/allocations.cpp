#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local bool counting = false;
thread_local std::size_t allocated = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (counting) allocated += bytes;
  if (void* memory = std::malloc(bytes != 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace vicino {

Allocations::Allocations() {
  allocated = 0;
  counting = true;
}
Allocations::~Allocations() { counting = false; }
std::size_t Allocations::bytes() const { return allocated; }

}  // namespace vicino
