#include "directive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <span>
#include <utility>

namespace vicino::convert {
namespace {

template <size_t N>
bool among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 12> kLists = {
    "private", "firstprivate", "lastprivate", "reduction", "linear",      "shared",
    "copyin",  "aligned",      "nontemporal", "allocate",  "copyprivate", "in_reduction"};
constexpr std::array<std::string_view, 13> kValues = {
    "schedule", "ordered",   "nowait",  "collapse", "order",  "if",    "num_threads",
    "default",  "proc_bind", "safelen", "simdlen",  "filter", "untied"};
constexpr std::array<std::string_view, 9> kStandAlone = {
    "barrier",      "taskwait",      "taskyield", "flush", "cancel",
    "cancellation", "threadprivate", "scan",      "depobj"};

// Whether the preprocessor sees the end of a line in the gap between two tokens.
bool line_ends_in(std::string_view gap) {
  for (size_t at = gap.find('\n'); at != std::string_view::npos; at = gap.find('\n', at + 1)) {
    const size_t last = gap.substr(0, at).find_last_not_of(" \t\r");
    if (last == std::string_view::npos || gap[last] != '\\') return true;
    // The backslash has to belong to this line.
    if (gap.substr(last, at - last).find('\n') != std::string_view::npos) return true;
  }
  return false;
}

// Tokens of one line as the preprocessor counts lines.
using Line = std::span<const Token>;

Line line_at(std::string_view text, const std::vector<Token>& tokens, size_t first) {
  size_t past = first + 1;
  while (
      past < tokens.size() &&
      !line_ends_in(text.substr(tokens[past - 1].end, tokens[past].begin - tokens[past - 1].end)))
    ++past;
  return {tokens.data() + first, past - first};
}

bool is_hash(const Token& token) { return token.text == "#" || token.text == "%:"; }

// How many of the words after `omp` form the directive's name. `simd` and `ordered` may be a part
// of the name or a clause.
size_t words_of_name(std::span<const Token> words) {
  static constexpr std::array<std::string_view, 3> kDevice = {"target", "teams", "distribute"};
  static constexpr std::array<std::string_view, 10> kDeviceMore = {
      "target", "teams", "distribute", "parallel", "for", "simd", "loop", "data", "enter", "exit"};
  const auto at = [&](size_t i) { return i < words.size() ? words[i].text : std::string_view(); };
  if (among(kDevice, at(0))) {
    size_t count = 1;
    while (among(kDeviceMore, at(count))) ++count;
    return count;
  }
  size_t count = 0;
  if (at(count) == "parallel") ++count;
  if (at(count) == "for") return at(count + 1) == "simd" ? count + 2 : count + 1;
  if (at(count) == "master" || at(count) == "masked" || at(count) == "taskloop") {
    if (at(count) != "taskloop") ++count;
    if (at(count) == "taskloop") ++count;
    return at(count) == "simd" ? count + 1 : count;
  }
  if (count == 1) return at(1) == "sections" || at(1) == "loop" || at(1) == "workshare" ? 2 : 1;
  return words.empty() ? 0 : 1;
}

std::vector<Clause> clauses_of(std::span<const Token> tokens) {
  std::vector<Clause> clauses;
  std::optional<size_t> comma;
  for (size_t i = 0; i < tokens.size();) {
    const Token& name = tokens[i++];
    if (name.text == ",") {
      comma = name.begin;
      continue;
    }
    Clause clause{name.text, name.begin, name.end, std::exchange(comma, std::nullopt), {}};
    if (i < tokens.size() && tokens[i].text == "(") {
      int depth = 0;
      for (; i < tokens.size(); ++i) {
        if (tokens[i].text == "(") ++depth;
        if (tokens[i].text == ")" && --depth == 0) break;
        if (depth > 1 || tokens[i].text != "(") clause.arguments.push_back(tokens[i]);
      }
      if (i < tokens.size()) ++i;
      clause.end = tokens[i - 1].end;
    }
    clauses.push_back(std::move(clause));
  }
  return clauses;
}

std::optional<Directive> directive_of(Line line) {
  std::vector<Token> tokens;
  for (const Token& token : line)
    if (token.kind != Token::kComment) tokens.push_back(token);
  if (tokens.size() < 4 || !is_hash(tokens[0]) || tokens[1].text != "pragma" ||
      tokens[2].text != "omp")
    return std::nullopt;
  const std::span<const Token> words(tokens.begin() + 3, tokens.end());
  const size_t named = words_of_name(words);
  return Directive{.begin = tokens[0].begin,
                   .end = tokens.back().end,
                   .name_begin = words[0].begin,
                   .name = {words.begin(), words.begin() + static_cast<std::ptrdiff_t>(named)},
                   .clauses = clauses_of(words.subspan(named))};
}

// Why an `omp parallel for` that is not in a #pragma cannot be edited: a macro or _Pragma makes a
// directive of it, or it is in an attribute.
std::optional<std::string> loop_in(std::span<const Token> tokens, size_t at) {
  const auto text = [&](size_t i) {
    return i < tokens.size() ? tokens[i].text : std::string_view();
  };
  if (text(at) == "_Pragma" && text(at + 1) == "(") {
    static const std::regex loop(R"(^[^"]*"\s*omp\s+(parallel\s+)?for\b)");
    return std::regex_search(std::string(text(at + 2)), loop)
               ? std::optional<std::string>("it is made by _Pragma")
               : std::nullopt;
  }
  if (text(at) != "omp") return std::nullopt;
  size_t next = at + 1;
  const bool attribute = text(next) == "::" && text(next + 1) == "directive";
  if (attribute) next += 3;
  if (text(next) == "parallel") ++next;
  if (text(next) != "for") return std::nullopt;
  return attribute ? "it is an attribute, not a #pragma" : "it is made by a macro";
}

void find_unreachable(Line line, std::vector<Unreachable>& found) {
  std::vector<Token> tokens;
  for (const Token& token : line)
    if (token.kind != Token::kComment) tokens.push_back(token);
  const bool defines = tokens.size() > 2 && is_hash(tokens[0]) && tokens[1].text == "define";
  for (size_t at = 0; at < tokens.size(); ++at)
    if (auto reason = loop_in(tokens, at)) {
      if (defines) reason = fmt::format("it comes from the macro '{}'", tokens[2].text);
      found.push_back({tokens[at].begin, *reason});
    }
}

}  // namespace

std::vector<std::string_view> Clause::list() const {
  const auto colon = std::ranges::find(arguments, ":", &Token::text);
  std::vector<std::string_view> names;
  bool expected = true;
  int depth = 0;
  for (auto token = colon == arguments.end() || name == "aligned" ? arguments.begin() : colon + 1;
       token != arguments.end(); ++token) {
    if (token->text == "[" || token->text == "(") ++depth;
    if (token->text == "]" || token->text == ")") --depth;
    if (expected && token->kind == Token::kWord) names.push_back(token->text);
    expected = depth == 0 && token->text == ",";
  }
  return names;
}

bool Directive::is(std::string_view words) const {
  std::string own;
  for (const Token& word : name) own += (own.empty() ? "" : " ") + std::string(word.text);
  return own == words;
}

bool Directive::names(std::string_view word) const {
  return std::ranges::find(name, word, &Token::text) != name.end();
}

bool Directive::is_loop() const {
  return is("for") || is("for simd") || is("parallel for") || is("parallel for simd");
}

bool Directive::stands_alone() const {
  if (name.empty()) return true;
  const std::string_view first = name[0].text;
  if (first == "ordered") return clause("depend") != nullptr || clause("doacross") != nullptr;
  if (first == "target" && name.size() > 1) return names("enter") || names("exit");
  return among(kStandAlone, first) || first == "declare" || first == "begin" || first == "end" ||
         first == "requires" || first == "error" || first == "nothing" || first == "allocate";
}

const Clause* Directive::clause(std::string_view wanted) const {
  const auto found = std::ranges::find(clauses, wanted, &Clause::name);
  return found == clauses.end() ? nullptr : &*found;
}

Directives directives_of(std::string_view text, const std::vector<Token>& tokens) {
  Directives found;
  for (size_t first = 0; first < tokens.size();) {
    const Line line = line_at(text, tokens, first);
    if (auto directive = directive_of(line))
      found.all.push_back(*std::move(directive));
    else
      find_unreachable(line, found.unreachable);
    first += line.size();
  }
  return found;
}

bool is_clause(std::string_view name) { return among(kLists, name) || among(kValues, name); }
bool takes_list(std::string_view name) { return among(kLists, name); }

}  // namespace vicino::convert
