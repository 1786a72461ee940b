#include "base/file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/no_signals_from_writes.hpp"
#include "base/uncancelled.hpp"

namespace vicino {

std::string read_file(const std::string& path, size_t most) {
  const Uncancelled uncancelled;
  std::string text;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char block[4096];
  for (;;) {
    const ssize_t got = read(file, block, sizeof(block));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(block, static_cast<size_t>(got));
    if (text.size() > most) break;
  }
  close(file);
  return text.size() > most ? std::string() : text;
}

int write_all(int file, std::string_view text) noexcept {
  const Uncancelled uncancelled;
  const NoSignalsFromWrites no_signals;
  while (!text.empty()) {
    const ssize_t done = write(file, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : EIO;
    text.remove_prefix(static_cast<size_t>(done));
  }
  return 0;
}

std::string_view take_until(std::string_view& text, char separator) {
  const std::string_view taken = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), taken.size() + 1));
  return taken;
}

std::string with_process_number(std::string name) {
  if (const auto at = name.find("%p"); at != std::string::npos)
    name.replace(at, 2, std::to_string(getpid()));
  return name;
}

}  // namespace vicino
