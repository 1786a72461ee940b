#include "config/rules.hpp"

#include <cxxabi.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "base/file.hpp"
#include "config/selection.hpp"
#include "config/text.hpp"

// toml++ asserts some things of the text that any text may break (a key that begins with a stray
// character), or, with NDEBUG, has the compiler assume them, and then handles what it ruled out. So
// it is given no assertions, of either kind.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
// Else it reads numbers by streams, and the library would carry the locale machinery.
#define TOML_FLOAT_CHARCONV 1
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace vicino::config {
namespace {

constexpr std::string_view kKeys[] = {"file", "line", "function", "schedule"};

std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

// What is wrong, and where: "vicino.toml:3: ...".
Error at(const std::string& name, const toml::source_region& where, std::string text) {
  return {name + ":" + std::to_string(where.begin.line) + ": " + std::move(text)};
}

Error unknown_key(const std::string& name, const toml::key& key) {
  std::vector<std::string_view> known(std::begin(kKeys), std::end(kKeys));
  sort_by_likeness(known, key.str());
  std::string text = "no key " + quoted(key.str()) + " in a [[loop]]; there are ";
  for (const auto k : known) text.append(k == known.front() ? "" : ", ").append(k);
  return at(name, key.source(), text);
}

Error wrong_value(const std::string& name, const toml::key& key, const toml::node& value,
                  std::string_view accepted) {
  std::string text(key.str());
  if (const auto number = value.value_exact<int64_t>())
    text.append(" = ").append(std::to_string(*number));
  else if (const auto* string = value.as_string())
    text.append(" = ").append(quoted(string->get()));
  return at(name, value.source(), text.append(" is not ").append(accepted));
}

// An empty error if all is well.
Error set(Rule& rule, const std::string& name, const toml::key& key, const toml::node& value) {
  if (key == "line") {
    const auto line = value.value_exact<int64_t>();
    if (!line || *line < 1 || *line > INT32_MAX)
      return wrong_value(name, key, value, "a whole number from 1 to 2147483647");
    rule.line = static_cast<uint32_t>(*line);
    return {};
  }
  if (std::ranges::find(kKeys, key.str()) == std::end(kKeys)) return unknown_key(name, key);
  const auto text = value.value_exact<std::string>();
  if (!text || text->empty())
    return wrong_value(name, key, value, "text between quotation marks, of a letter or more");
  if (key == "file") rule.file = *text;
  if (key == "function") rule.function = *text;
  if (key == "schedule") {
    auto selection = parse_selection(*text);
    if (!selection) return at(name, value.source(), selection.error());
    rule.schedule = *selection;
  }
  return {};
}

Result<Rule> parse_rule(const toml::table& table, const std::string& name) {
  Rule rule;
  rule.written_at = table.source().begin.line;
  for (auto&& [key, value] : table)
    if (Error wrong = set(rule, name, key, value); !wrong.text.empty()) return wrong;
  if (!rule.schedule) return at(name, table.source(), "this [[loop]] has no schedule");
  if (rule.file.empty() && rule.line == 0 && rule.function.empty())
    return at(name, table.source(),
              "this [[loop]] says of no loop: it needs a file, a line or a function; "
              "VICINO_SCHEDULE is for all loops");
  return rule;
}

bool ends_path(std::string_view path, std::string_view end) noexcept {
  if (!path.ends_with(end)) return false;
  return path.size() == end.size() || end.front() == '/' ||
         path[path.size() - end.size() - 1] == '/';
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), free);
  return status == 0 && text != nullptr ? text.get() : std::string();
}

bool matches_pattern(const std::string& pattern, const std::string& name) {
  return !name.empty() && fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool names_function(const std::string& pattern, const std::string& symbol) {
  const std::string own(without_suffix(symbol));
  if (matches_pattern(pattern, symbol) || matches_pattern(pattern, own)) return true;
  const std::string written = demangled(own);
  return matches_pattern(pattern, written) ||
         matches_pattern(pattern, written.substr(0, written.find('(')));
}

std::string_view known(std::string_view text) noexcept {
  return text == "unknown" ? std::string_view() : text;
}

}  // namespace

Location parse_source(std::string_view source) {
  Location location;
  if (!source.starts_with(';')) return location;
  source.remove_prefix(1);
  location.file = known(take_until(source, ';'));
  location.function = known(take_until(source, ';'));
  const auto line = take_until(source, ';');
  std::from_chars(line.data(), line.data() + line.size(), location.line);
  return location;
}

std::string_view without_suffix(std::string_view symbol) noexcept {
  return symbol.substr(0, symbol.find('.', 1));
}

bool matches(const Rule& rule, const Location& location) {
  return (rule.line == 0 || rule.line == location.line) &&
         (rule.file.empty() || ends_path(location.file, rule.file)) &&
         (rule.function.empty() || names_function(rule.function, location.function));
}

Result<std::vector<Rule>> parse_rules(std::string_view text, const std::string& name) {
  const toml::parse_result parsed = toml::parse(text, name);
  if (!parsed) return at(name, parsed.error().source(), std::string(parsed.error().description()));
  std::vector<Rule> rules;
  for (auto&& [key, value] : parsed.table()) {
    const toml::array* loops = value.as_array();
    if (key != "loop" || loops == nullptr || !loops->is_homogeneous(toml::node_type::table))
      return at(name, key.source(), "no " + quoted(key.str()) + " here; there are tables [[loop]]");
    for (const toml::node& node : *loops) {
      auto rule = parse_rule(*node.as_table(), name);
      if (!rule) return Error{rule.error()};
      rules.push_back(*std::move(rule));
    }
  }
  return rules;
}

Result<std::vector<Rule>> read_rules(const std::string& file) {
  struct stat status;
  if (stat(file.c_str(), &status) != 0) return Error{file + ": " + strerror(errno)};
  if (!S_ISREG(status.st_mode)) return Error{file + ": not a file"};
  return parse_rules(read_file(file), file);
}

}  // namespace vicino::config
