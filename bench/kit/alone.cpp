// alone.cpp: what templates of C++'s library call in the library, for programs that are linked without it.
//
// Why    A program of the kit (cmake/kit.cmake) runs on systems whose C++ library is older than the
//        compiler's, or that have none. Its templates are compiled into it; here is the rest.
// Not    exceptions: a program that lacks memory, or is wrong about a size, says so and ends.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

[[noreturn]] void end(const char* why) {
  std::fprintf(stderr, "refused: %s\n", why);
  std::abort();
}

void* memory(std::size_t size, std::size_t alignment) {
  void* block = nullptr;
  if (posix_memalign(&block, alignment, size > 0 ? size : 1) != 0) end("out of memory");
  return block;
}

void* memory(std::size_t size) {
  void* const block = std::malloc(size > 0 ? size : 1);
  if (block == nullptr) end("out of memory");
  return block;
}

}  // namespace

void* operator new(std::size_t size) { return memory(size); }
void* operator new[](std::size_t size) { return memory(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return memory(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return memory(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

#ifdef __GLIBCXX__
// Declared by the library's own headers, which call them where they find a mistake.
namespace std {
void __throw_bad_alloc() { end("out of memory"); }
void __throw_bad_array_new_length() { end("an array of no possible size"); }
void __throw_bad_function_call() { end("a call of an empty function"); }
void __throw_length_error(const char* where) { end(where); }
void __throw_logic_error(const char* where) { end(where); }
void __throw_out_of_range(const char* where) { end(where); }
void __throw_out_of_range_fmt(const char* where, ...) { end(where); }
}  // namespace std
#endif
