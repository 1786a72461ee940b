// options.hpp: the arguments of a graph program.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "../kernels/arguments.hpp"
#include "matrix.hpp"
#include "order.hpp"
#include "pages.hpp"
#include "shapes.hpp"

namespace bench {

inline constexpr const char* kAutomatic = "automatic";

struct GraphOptions {
  bool blocks = false;  // the field's matrix instead of the cube's
  Grid grid{12, 12, 12};
  Order order = Order::kNatural;
  int fill = 0;                  // k of ILU(k)
  const Shape* shape = nullptr;  // a graph of empty tasks instead of a matrix
  Index tasks = 20'000;          // of the shape
  Pages pages = Pages::kOne;
  int cpus = 0;  // that the process may use; 0: all that it has
  std::vector<std::string> coarse;
  long rounds = 2;
  long steps = 0;     // of the solver; 0: until it has solved the system
  long searches = 0;  // runs of each graph before the first figure, for automatic ones
  const char* runtime = nullptr;
};

inline constexpr const char* kAcceptedMatrices =
    "cube:N or spe10:XxYxZ, all from 2 to 1000 and X * Y * Z at most 20000000; spe10 is "
    "spe10:60x220x85";

inline Grid grid_of(std::string_view text, std::string_view sides, size_t count) {
  std::array<long, 3> side{};
  for (size_t i = 0; i < count; ++i) {
    const size_t end = i + 1 < count ? sides.find('x') : sides.size();
    if (end == sides.npos) reject("not a matrix:", text, kAcceptedMatrices);
    side[i] = number("--matrix", sides.substr(0, end), 2L, 1000L, kAcceptedMatrices);
    sides.remove_prefix(std::min(end + 1, sides.size()));
  }
  const Grid grid = count == 1 ? Grid{side[0], side[0], side[0]} : Grid{side[0], side[1], side[2]};
  if (grid.cells() > 20'000'000) reject("too many cells:", text, kAcceptedMatrices);
  return grid;
}

inline void set_matrix(GraphOptions& options, std::string_view text) {
  if (text == "spe10") return set_matrix(options, "spe10:60x220x85");
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon);
  if ((kind != "cube" && kind != "spe10") || colon == text.size())
    reject("not a matrix:", text, kAcceptedMatrices);
  options.blocks = kind == "spe10";
  options.grid = grid_of(text, text.substr(colon + 1), options.blocks ? 3 : 1);
}

inline void set_shape(GraphOptions& options, std::string_view text) {
  options.shape = shape_called(text);
  if (options.shape != nullptr) return;
  std::string names;
  for (const Shape& shape : kShapes) names += (names.empty() ? "" : ", ") + std::string(shape.name);
  reject("no shape is called", text, names);
}

// Returns false if there is no such option.
inline bool set_value(GraphOptions& options, std::string_view name, const char* value) {
  const auto count = [&](long least, long most) {
    const std::string accepted =
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    return number(name, value, least, most, accepted.c_str());
  };
  if (name == "--matrix")
    set_matrix(options, value);
  else if (name == "--shape")
    set_shape(options, value);
  else if (name == "--order")
    options.order = order_called(value);
  else if (name == "--pages")
    options.pages = pages_called(value);
  else if (name == "--cpus")
    options.cpus = static_cast<int>(count(1, 1024));
  else if (name == "--fill")
    options.fill = static_cast<int>(count(0, 20));
  else if (name == "--tasks")
    options.tasks = static_cast<Index>(count(1, 20'000'000));
  else if (name == "--coarse")
    options.coarse.emplace_back(value);
  else if (name == "--rounds")
    options.rounds = count(1, 1000);
  else if (name == "--steps")
    options.steps = count(0, 100'000);
  else if (name == "--searches")
    options.searches = count(0, 100'000);
  else if (name == "--runtime")
    options.runtime = value;
  else
    return false;
  return true;
}

inline GraphOptions graph_options(int argc, char** argv) {
  constexpr const char* kAccepted =
      "--matrix NAME, --order NAME, --fill K, --pages NAME, --cpus N, --shape NAME, --tasks N, "
      "--coarse STRING (several times), --rounds N, --steps N, --searches N, --runtime FILE, "
      "each value after its name";
  GraphOptions options;
  read_arguments(argc, argv, kAccepted, no_flag, [&](std::string_view name, const char* value) {
    return set_value(options, name, value);
  });
  if (options.coarse.empty()) options.coarse.emplace_back();
  if (are_placed(options.pages) && options.coarse.size() > 1)
    reject("pages are placed for one graph:", options.coarse[1], "one --coarse");
  return options;
}

}  // namespace bench
