// dot_lexer.hpp: divides a text in DOT into its tokens.
#pragma once

#include <string>
#include <string_view>

namespace vicino::patterns {

struct DotToken {
  enum Kind {
    kEnd,
    kName,   // also numbers
    kArrow,  // ->
    kLine,   // --
    kMark,   // one of { } [ ] ; , = : +
    kWrong,  // `text` says what is wrong
  };
  Kind kind = kEnd;
  std::string text;
  size_t line = 1;
  bool quoted = false;  // then a name is no keyword

  bool is(char mark) const { return kind == kMark && text[0] == mark; }
  // Keywords are known in any case; `keyword` is in lower case.
  bool is_keyword(std::string_view keyword) const;
};

class DotLexer {
 public:
  explicit DotLexer(std::string_view text) : text_(text) {}

  DotToken next();

 private:
  // Goes past blanks and comments; false at a comment that does not end.
  bool skip();
  bool skip_comment();
  void pass(size_t count);
  DotToken quoted();
  DotToken html();
  DotToken bare();
  DotToken made(DotToken::Kind kind, std::string text) const;
  bool begins(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  std::string_view text_;
  size_t at_ = 0, line_ = 1;
  size_t begun_ = 1;  // the line of the token or comment that is being read
};

}  // namespace vicino::patterns
