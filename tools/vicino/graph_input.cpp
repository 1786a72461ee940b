#include "graph_input.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/result.hpp"
#include "patterns/dot.hpp"
#include "patterns/matrix_market.hpp"
#include "patterns/text.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

constexpr std::string_view kStandardInput = "-";

Result<GraphInput> from_matrix_market(std::string_view text, std::string_view name) {
  auto pattern = patterns::read_matrix_market(text, name);
  if (!pattern) return Error{pattern.error()};
  GraphInput input;
  input.pattern = *std::move(pattern);
  return input;
}

Result<GraphInput> from_dot(std::string_view text, std::string_view name) {
  auto read = patterns::read_dot(text, name);
  if (!read) return Error{read.error()};
  GraphInput input;
  input.graph = std::move(read->graph);
  input.names = std::move(read->names);
  return input;
}

// A format of files is a row of this table.
struct Format {
  std::string_view name;
  std::vector<std::string_view> extensions;
  Result<GraphInput> (*read)(std::string_view text, std::string_view name);
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {{"mtx", {".mtx"}, from_matrix_market},
                                          {"dot", {".dot", ".gv"}, from_dot}};
  return all;
}

std::string known_extensions() {
  std::string text;
  for (const Format& format : formats())
    for (const std::string_view extension : format.extensions)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", extension);
  return text;
}

const Format& format_of(const std::string& name, const std::string& wanted) {
  const std::string extension = std::filesystem::path(name).extension();
  const auto found = std::ranges::find_if(formats(), [&](const Format& format) {
    return wanted.empty() ? std::ranges::count(format.extensions, extension) > 0
                          : format.name == wanted;
  });
  if (found != formats().end()) return *found;
  if (name == kStandardInput)
    throw Failure(kUsage, fmt::format("graph: --format must say what the standard input is: {}",
                                      graph_formats()));
  throw Failure(kUsage,
                fmt::format("graph: '{}' is not cube:N, spe10 or spe10:N, and no file that ends in "
                            "one of {}; --format tells the format of another file: {}",
                            name, known_extensions(), graph_formats()));
}

GraphInput made_from_grid(const std::string& name, const std::string& format) {
  if (!format.empty())
    throw Failure(kUsage, fmt::format("graph: --format is for files; '{}' is a grid", name));
  const auto grid = patterns::parse_grid(name);
  if (!grid) throw Failure(kUsage, "graph: " + grid.error());
  GraphInput input;
  input.grid = *grid;
  input.pattern = patterns::seven_point(*grid);
  return input;
}

}  // namespace

std::string graph_formats() {
  std::string text;
  for (const Format& format : formats())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", format.name);
  return text;
}

bool is_graph_format(const std::string& name) {
  return std::ranges::find(formats(), name, &Format::name) != formats().end();
}

GraphInput read_graph_input(const std::string& name, const std::string& format) {
  if (patterns::names_grid(name)) return made_from_grid(name, format);
  const Format& known = format_of(name, format);
  const auto text = patterns::read_whole(name);
  if (!text) throw Failure(kUsage, text.error());
  auto input = known.read(*text, name == kStandardInput ? "standard input" : name);
  if (!input) throw Failure(kUsage, input.error());
  return *std::move(input);
}

}  // namespace vicino::cli
