#include "patterns/text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace vicino::patterns {

Result<std::string> read_whole(const std::string& path) {
  const bool standard = path == "-";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(
      standard ? nullptr : std::fopen(path.c_str(), "r"), std::fclose);
  std::FILE* const file = standard ? stdin : opened.get();
  if (file == nullptr) return Error{path + ": " + std::strerror(errno)};
  std::string text;
  char block[1 << 16];
  while (const size_t got = std::fread(block, 1, sizeof block, file)) text.append(block, got);
  if (std::ferror(file) != 0) return Error{path + ": " + std::strerror(errno)};
  return text;
}

Error wrong_at(std::string_view file, size_t line, std::string_view text) {
  return {std::string(file) + ":" + std::to_string(line) + ": " + std::string(text)};
}

}  // namespace vicino::patterns
