#include "base/say.hpp"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

#include "base/file.hpp"

namespace vicino {
namespace {

std::atomic<bool> warnings{true};

// Each line goes out in one write, so that lines of several threads and processes do not mix.
void write_line(const char* format, va_list arguments) noexcept {
  char line[1024] = "vicino: ";
  constexpr int kPrefix = 8;
  const int room = static_cast<int>(sizeof line) - kPrefix - 1;
  int length = vsnprintf(line + kPrefix, static_cast<size_t>(room), format, arguments);
  if (length < 0) return;
  length = (length < room ? length : room - 1) + kPrefix;
  line[length++] = '\n';
  write_all(STDERR_FILENO, {line, static_cast<size_t>(length)});
}

}  // namespace

void say(const char* format, ...) noexcept {
  if (!warnings.load(std::memory_order_relaxed)) return;
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
}

void die(const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
  abort();
}

void give_up(const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  write_line(format, arguments);
  va_end(arguments);
  exit(1);
}

void set_warnings(bool on) noexcept { warnings.store(on, std::memory_order_relaxed); }

}  // namespace vicino
