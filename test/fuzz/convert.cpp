// The parsers of `vicino convert` behind libclang: directives, their clauses, and the edits that change them. Tokens
// are found here by a few simple rules. Edits must lie in the text, one behind the other.
#include <algorithm>
#include <cctype>

#include "directive.hpp"
#include "rewrite.hpp"
#include "source.hpp"
#include "target.hpp"

using namespace vicino::convert;

namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

size_t end_of_token(std::string_view text, size_t begin, Token::Kind& kind) {
  size_t end = begin + 1;
  const char first = text[begin];
  if (is_of_word(first)) {
    kind = std::isdigit(static_cast<unsigned char>(first)) ? Token::kLiteral : Token::kWord;
    while (end < text.size() && is_of_word(text[end])) ++end;
  } else if (first == '"') {
    kind = Token::kLiteral;
    while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
    if (end < text.size() && text[end] == '"') ++end;
  } else if (text.substr(begin, 2) == "//") {
    kind = Token::kComment;
    end = std::min(text.find('\n', begin), text.size());
  } else if (text.substr(begin, 2) == "/*") {
    kind = Token::kComment;
    const size_t close = text.find("*/", begin + 2);
    end = close == text.npos ? text.size() : close + 2;
  }
  return end;
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (size_t begin = 0; begin < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[begin])) || text[begin] == '\\') {
      ++begin;
      continue;
    }
    Token::Kind kind = Token::kMark;
    const size_t end = end_of_token(text, begin, kind);
    tokens.push_back({kind, text.substr(begin, end - begin), begin, end});
    begin = end;
  }
  return tokens;
}

void check_edits(std::string_view text, const std::vector<Edit>& edits) {
  size_t at = 0;
  for (const Edit& edit : edits) {
    MUST(at <= edit.begin && edit.begin <= edit.end && edit.end <= text.size());
    at = edit.end;
  }
  MUST(unified_diff(text, edits, "file.c").empty() == (edited(text, edits) == text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  View view;
  view.text = vicino::fuzz::text_of(data, size);
  view.directives = directives_of(view.text, tokens_of(view.text));
  for (const Directive& directive : view.directives.all) {
    MUST(directive.begin < directive.end && directive.end <= view.text.size());
    for (const Clause& clause : directive.clauses) (void)clause.list();
    if (!directive.is_loop()) continue;
    for (const Target target : {Target::kRuntime, Target::kTaskloop}) {
      const Wish wish{target, true};
      if (!is_wanted(directive, wish) || refusal(view, directive, wish)) continue;
      std::vector<Edit> edits = rewrite(view.text, directive, wish);
      std::ranges::sort(edits);
      check_edits(view.text, edits);
    }
  }
  return 0;
}
