#include "files.hpp"

#include <fmt/format.h>

#include <fstream>

#include "base/quote.hpp"
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
