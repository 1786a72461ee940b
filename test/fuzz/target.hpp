// target.hpp: what the fuzz targets share.
//
// A target is one file with LLVMFuzzerTestOneInput(). In the preset `fuzz` libFuzzer calls it with inputs that it
// makes; in other builds replay.cpp calls it with the files of the corpus. It ends the process when something that
// must hold for all inputs does not.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace vicino::fuzz {

inline void must(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
  abort();
}
// Also with NDEBUG.
#define MUST(condition) vicino::fuzz::must(bool(condition), #condition, __FILE__, __LINE__)

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A message is one line that a terminal shows as it is.
inline bool is_plain(std::string_view message) {
  return !message.empty() && message.find_first_of("\n\033") == message.npos;
}

// The input as a file in memory, for what reads files.
class File {
 public:
  explicit File(std::string_view bytes) : descriptor_(memfd_create("input", 0)) {
    MUST(descriptor_ >= 0);
    MUST(write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace vicino::fuzz
