// directive.hpp: OpenMP's directives as they stand in the text: their words, clauses and offsets.
//
// Why    libclang shows neither the clauses of a directive nor the contents of its region (a
//        captured statement has no children there). The text has both. libclang splits the text
//        into tokens, so comments, literals and continued lines are found as the compiler finds
//        them, also in code that an #if leaves out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vicino::convert {

struct Token {
  enum Kind { kWord, kMark, kLiteral, kComment };
  Kind kind;
  std::string_view text;  // as it stands in the file
  size_t begin, end;
};

struct Clause {
  std::string_view name;
  size_t begin, end;             // with its parentheses
  std::optional<size_t> comma;   // the place of a comma before it
  std::vector<Token> arguments;  // in the parentheses, without comments

  // The names of a list; of `reduction` and its like the names after the colon.
  std::vector<std::string_view> list() const;
};

struct Directive {
  size_t begin, end;        // from `#` to the end of the last token that is no comment
  size_t name_begin;        // of the first word after `omp`
  std::vector<Token> name;  // `parallel`, `for`
  std::vector<Clause> clauses;

  bool is(std::string_view words) const;    // "parallel for"
  bool names(std::string_view word) const;  // whether its name has that word
  bool is_loop() const;                     // one that may be converted: [parallel] for [simd]
  bool stands_alone() const;                // has no statement: barrier, taskwait
  const Clause* clause(std::string_view name) const;
};

// A directive for a loop that cannot be edited where it stands.
struct Unreachable {
  size_t begin;
  std::string reason;
};

struct Directives {
  std::vector<Directive> all;  // in the order of the text
  std::vector<Unreachable> unreachable;
};

Directives directives_of(std::string_view text, const std::vector<Token>& tokens);

// Whether OpenMP has a clause of that name on any form of a loop or of a parallel region.
bool is_clause(std::string_view name);
// Whether the clause's argument is a list of variables.
bool takes_list(std::string_view name);

}  // namespace vicino::convert
