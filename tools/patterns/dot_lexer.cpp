#include "patterns/dot_lexer.hpp"

#include <algorithm>
#include <cctype>

#include "base/quote.hpp"

namespace vicino::patterns {
namespace {

constexpr std::string_view kMarks = "{}[];,=:+";

// As in DOT: letters, digits and _, and all bytes that are not ASCII.
bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) || c == '_';
}

}  // namespace

bool DotToken::is_keyword(std::string_view keyword) const {
  return kind == kName && !quoted && std::ranges::equal(text, keyword, [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         });
}

void DotLexer::pass(size_t count) {
  for (const size_t end = at_ + std::min(count, text_.size() - at_); at_ < end; ++at_)
    line_ += text_[at_] == '\n';
}

bool DotLexer::skip_comment() {
  begun_ = line_;
  if (!begins("/*")) {
    pass(text_.substr(at_).find('\n'));
    return true;
  }
  const size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) return false;
  pass(end + 2 - at_);
  return true;
}

bool DotLexer::skip() {
  while (at_ < text_.size()) {
    const bool begins_line = at_ == 0 || text_[at_ - 1] == '\n';
    if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
      pass(1);
    } else if (begins("//") || begins("/*") || (begins_line && text_[at_] == '#')) {
      if (!skip_comment()) return false;
    } else {
      break;
    }
  }
  return true;
}

DotToken DotLexer::made(DotToken::Kind kind, std::string text) const {
  return {kind, std::move(text), begun_};
}

DotToken DotLexer::next() {
  if (!skip()) return made(DotToken::kWrong, "the comment that begins here does not end");
  begun_ = line_;
  if (at_ == text_.size()) return made(DotToken::kEnd, "");
  const char c = text_[at_];
  if (c == '"') return quoted();
  if (c == '<') return html();
  if (kMarks.find(c) != std::string_view::npos) return pass(1), made(DotToken::kMark, {c});
  if (begins("->")) return pass(2), made(DotToken::kArrow, "->");
  if (begins("--")) return pass(2), made(DotToken::kLine, "--");
  return bare();
}

DotToken DotLexer::quoted() {
  std::string name;
  for (pass(1); at_ < text_.size() && text_[at_] != '"'; pass(1)) {
    if (begins("\\\n")) {  // the name goes on in the next line
      pass(1);
      continue;
    }
    if (begins("\\\\")) {  // both stay, and neither escapes what follows
      name += '\\';
      pass(1);
    } else if (begins("\\\"")) {
      pass(1);
    }
    name += text_[at_];
  }
  if (at_ == text_.size()) return made(DotToken::kWrong, "the name in quotes does not end");
  pass(1);
  DotToken token = made(DotToken::kName, std::move(name));
  token.quoted = true;
  return token;
}

DotToken DotLexer::html() {
  const size_t begin = at_;
  size_t open = 0;
  do {
    if (at_ == text_.size()) return made(DotToken::kWrong, "the text in <> does not end");
    if (text_[at_] == '<') ++open;
    if (text_[at_] == '>') --open;
    pass(1);
  } while (open > 0);
  DotToken token = made(DotToken::kName, std::string(text_.substr(begin, at_ - begin)));
  token.quoted = true;
  return token;
}

DotToken DotLexer::bare() {
  const size_t begin = at_;
  const auto digit = [this] {
    return at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]));
  };
  if (text_[at_] == '-' || text_[at_] == '.' || digit()) {
    if (text_[at_] == '-') ++at_;
    while (digit()) ++at_;
    if (at_ < text_.size() && text_[at_] == '.') ++at_;
    while (digit()) ++at_;
    const std::string_view number = text_.substr(begin, at_ - begin);
    if (number.find_first_of("0123456789") == std::string_view::npos)
      return made(DotToken::kWrong, vicino::quoted(number) + " is no number and cannot be here");
    const size_t end = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    if (at_ > end)  // Graphviz would read two names
      return made(DotToken::kWrong, vicino::quoted(text_.substr(begin, at_ - begin)) +
                                        " begins as a number; such names stand in quotes");
    return made(DotToken::kName, std::string(number));
  }
  while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
  if (at_ == begin)
    return made(DotToken::kWrong,
                vicino::quoted(text_.substr(begin, 1)) +
                    " cannot be here; names with such characters stand in quotes");
  return made(DotToken::kName, std::string(text_.substr(begin, at_ - begin)));
}

}  // namespace vicino::patterns
