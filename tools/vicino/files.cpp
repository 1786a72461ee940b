#include "files.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>

#include <fstream>

#include "base/quote.hpp"
#include "janitor.hpp"
#include "say.hpp"

namespace vicino::cli {

void write_or_print(const std::string& file, const std::string& text) {
  if (file == "-") {
    fmt::print("{}", text);
    return;
  }
  std::ofstream out(file);
  if (!(out << text).flush()) throw Failure(kUsage, fmt::format("cannot write '{}'", file));
}

TemporaryFolder::TemporaryFolder(std::string_view command) {
  std::string name =
      std::filesystem::temp_directory_path() / fmt::format("vicino-{}-XXXXXX", command);
  if (mkdtemp(name.data()) == nullptr)
    throw Failure(kRunFailed, fmt::format("{}: {}: {}", command, name, strerror(errno)));
  path_ = name;
  start_janitor(path_);  // a signal may end the process
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string in_xml(const std::string& text) {
  std::string escaped;
  for (const char c : plain(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace vicino::cli
