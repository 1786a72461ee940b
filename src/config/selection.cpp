#include "config/selection.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "base/arithmetic.hpp"
#include "base/decimal.hpp"
#include "config/text.hpp"

namespace vicino::config {
namespace {

using loop::Parameter;
using loop::Preset;
using loop::Selection;

std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (const auto name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

Error unknown_name(std::string_view name) {
  std::vector<std::string_view> names;
  for (const loop::Row& row : loop::registry()) names.push_back(row.name);
  sort_by_likeness(names, name);
  return {"no schedule " + quoted(name) + "; there are " + joined(names)};
}

Error unknown_parameter(const loop::Row& row, std::string_view name) {
  std::vector<std::string_view> names = {"chunk"};
  for (const Parameter& parameter : row.parameters) names.push_back(parameter.name);
  return {std::string(row.name) + " has no parameter " + quoted(name) + "; it has " +
          joined(names)};
}

std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

// No value if the text is malformed.
std::optional<double> value_of(const Parameter& parameter, std::string_view text) {
  for (std::size_t i = 0; i < parameter.words.size(); ++i)
    if (!text.empty() && same_word(parameter.words[i], text)) return Parameter::word(i);
  const std::optional<double> value = parse_decimal(text);
  if (!value || *value < parameter.least || *value > parameter.most) return std::nullopt;
  if (parameter.whole && *value != round_down(*value)) return std::nullopt;
  return value;
}

// Returns an empty error if all is well.
Error set_chunk(Selection& selection, std::string_view text) {
  const auto chunk = parse_digits(text);
  if (!chunk || *chunk == 0 || *chunk > INT64_MAX)
    return {"a chunk of " + quoted(text) + " is not a positive integer below 2^63"};
  selection.chunk = *chunk;
  return {};
}

// `given`: bit 0 is for the chunk, bit i + 1 for parameter i, the last bit for the preset.
bool is_given_again(uint64_t& given, std::size_t bit) noexcept {
  const uint64_t before = std::exchange(given, given | uint64_t{1} << bit);
  return before == given;
}

Error twice(std::string_view name) { return {std::string(name) + " is given twice"}; }

constexpr std::size_t kPresetBit = 63;
constexpr uint64_t kParameterBits = ~(uint64_t{1} << kPresetBit | 1);

// A word that is neither a number nor a preset, where a schedule has presets.
Error unknown_preset(const loop::Row& row, std::string_view word) {
  std::vector<std::string_view> names;
  for (const Preset& preset : row.presets) names.push_back(preset.name);
  return {std::string(row.name) + " has no preset " + quoted(word) + "; it has " + joined(names) +
          ". A chunk is a positive integer"};
}

// Returns an empty error if all is well.
Error set_preset(Selection& selection, const Preset& preset, uint64_t& given) {
  if (is_given_again(given, kPresetBit)) return {"a preset is given twice"};
  if ((given & kParameterBits) != 0)
    return {std::string(preset.name) + " sets all parameters, and must stand before those that " +
            "change it"};
  selection.values = preset.values;
  return {};
}

// An item without a name: a chunk or a preset. Returns an empty error if all is well.
Error set_word(Selection& selection, std::string_view text, uint64_t& given) {
  for (const Preset& preset : selection.row->presets)
    if (same_word(preset.name, text)) return set_preset(selection, preset, given);
  const char first = text.empty() ? '0' : upper_case(text.substr(0, 1))[0];
  const bool is_word = first >= 'A' && first <= 'Z';
  if (is_word && !selection.row->presets.empty()) return unknown_preset(*selection.row, text);
  return is_given_again(given, 0) ? twice("the chunk") : set_chunk(selection, text);
}

bool is_named(const Parameter& parameter, std::string_view name) noexcept {
  return same_word(parameter.name, name) ||
         (!parameter.also.empty() && same_word(parameter.also, name));
}

// Returns an empty error if all is well.
Error set(Selection& selection, std::string_view item, uint64_t& given) {
  const Halves halves = split_first(item, '=');
  const std::string_view name = halves.head, text = trim(halves.rest.value_or(item));
  if (!halves.rest) return set_word(selection, text, given);
  if (same_word(name, "chunk"))
    return is_given_again(given, 0) ? twice("the chunk") : set_chunk(selection, text);
  const auto parameters = selection.row->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!is_named(parameters[i], name)) continue;
    if (is_given_again(given, i + 1)) return twice(parameters[i].name);
    const auto value = value_of(parameters[i], text);
    if (!value)
      return {std::string(parameters[i].name) + "=" + quoted(text) + " is not " +
              accepted(parameters[i])};
    selection.values[i] = *value;
    return {};
  }
  return unknown_parameter(*selection.row, name);
}

// The preset, or without one the fallbacks, of which a selection is a change.
struct Base {
  const Preset* preset;
  loop::Values values;
};

// The base from which the fewest parameters differ.
Base nearest_base(const Selection& selection) {
  const auto differing = [&](const loop::Values& values) {
    return std::inner_product(values.begin(), values.end(), selection.values.begin(), 0,
                              std::plus{}, std::not_equal_to{});
  };
  Base base{nullptr, loop::fallbacks(selection.row->parameters)};
  for (const Preset& preset : selection.row->presets)
    if (differing(preset.values) < differing(base.values)) base = {&preset, preset.values};
  return base;
}

}  // namespace

std::string accepted(const Parameter& parameter) {
  std::string text = parameter.whole ? "a whole number from " : "a number from ";
  text += number(parameter.least) + " to " + number(parameter.most);
  for (const auto word : parameter.words)
    if (!word.empty()) text.append(", or ").append(word);
  return text;
}

std::string settings_of(const loop::Row& row, const Preset& preset) {
  std::string text;
  for (std::size_t i = 0; i < row.parameters.size(); ++i)
    text.append(text.empty() ? "" : ",")
        .append(row.parameters[i].name)
        .append("=")
        .append(show(row.parameters[i], preset.values[i]));
  return text;
}

std::string show(const Parameter& parameter, double value) {
  for (std::size_t i = 0; i < parameter.words.size(); ++i)
    if (value == Parameter::word(i)) return std::string(parameter.words[i]);
  return number(value);
}

Result<Selection> parse_selection(std::string_view text) {
  const Halves halves = split_first(text, ',');
  const auto row = std::ranges::find_if(
      loop::registry(), [&](const loop::Row& known) { return same_word(known.name, halves.head); });
  if (row == loop::registry().end()) return unknown_name(halves.head);
  Selection selection = loop::by_default(*row);
  Error wrong;
  uint64_t given = 0;
  if (halves.rest)
    for_each_item(*halves.rest, [&](std::string_view item) {
      wrong = set(selection, item, given);
      return wrong.text.empty();
    });
  if (!wrong.text.empty()) return wrong;
  return selection;
}

std::string format_selection(const Selection& selection) {
  if (!selection) return {};
  std::string text(selection.row->name);
  const Base base = nearest_base(selection);
  if (base.preset != nullptr) text.append(",").append(base.preset->name);
  if (selection.chunk > 0) text += "," + std::to_string(selection.chunk);
  for (std::size_t i = 0; i < selection.row->parameters.size(); ++i) {
    const Parameter& parameter = selection.row->parameters[i];
    if (selection.values[i] == base.values[i]) continue;
    text.append(",")
        .append(parameter.name)
        .append("=")
        .append(show(parameter, selection.values[i]));
  }
  return text;
}

}  // namespace vicino::config
