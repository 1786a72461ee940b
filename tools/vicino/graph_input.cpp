#include "graph_input.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/result.hpp"
#include "graph/file.hpp"
#include "patterns/dot.hpp"
#include "patterns/matrix_market.hpp"
#include "patterns/text.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

constexpr std::string_view kStandardInput = "-";

// Of a name as the command line gives it.
std::string_view shown(std::string_view name) {
  return name == kStandardInput ? "standard input" : name;
}

Result<GraphInput> from_matrix_market(const std::string& name) {
  const auto text = patterns::read_whole(name);
  if (!text) return Error{text.error()};
  auto pattern = patterns::read_matrix_market(*text, shown(name));
  if (!pattern) return Error{pattern.error()};
  GraphInput input;
  input.pattern = *std::move(pattern);
  return input;
}

Result<GraphInput> from_dot(const std::string& name) {
  const auto text = patterns::read_whole(name);
  if (!text) return Error{text.error()};
  auto read = patterns::read_dot(*text, shown(name));
  if (!read) return Error{read.error()};
  GraphInput input;
  input.graph = std::move(read->graph);
  input.names = std::move(read->names);
  return input;
}

Result<GraphInput> from_own_format(const std::string& name) {
  if (name == kStandardInput) return Error{"graph: the format vicino is read from a file only"};
  auto saved = graph::load(name);
  if (!saved) return Error{saved.error()};
  GraphInput input;
  input.graph = std::move(saved->graph);
  input.coarse = std::move(saved->coarse);
  input.nodes = std::move(saved->node);
  input.strict = std::move(saved->strict);
  return input;
}

// A format of files is a row of this table.
struct Format {
  std::string_view name;
  std::vector<std::string_view> extensions;
  Result<GraphInput> (*read)(const std::string& name);
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {{"mtx", {".mtx"}, from_matrix_market},
                                          {"dot", {".dot", ".gv"}, from_dot},
                                          {"vicino", {".graph"}, from_own_format}};
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
  auto input = known.read(name);
  if (!input) throw Failure(kUsage, input.error());
  return *std::move(input);
}

}  // namespace vicino::cli
