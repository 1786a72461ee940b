#include "config/wrap.hpp"

namespace vicino::config {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::string_view kIndent = "    ";

}  // namespace

void append_wrapped(std::string& out, std::string_view text) {
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size() == text.size() ? word.size() : word.size() + 1);
    if (column != 0 && column + 1 + word.size() > kWidth) {
      out += '\n';
      column = 0;
    }
    out.append(column == 0 ? kIndent : " ").append(word);
    column += word.size() + (column == 0 ? kIndent.size() : 1);
  }
  out += '\n';
}

}  // namespace vicino::config
