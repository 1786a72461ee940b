// table.hpp: every setting, one row each; table.cpp holds the rows.
//
// Why    libomp's settings are five thousand lines, since each has a parser, a printer and a text
//        of its own, and one more in the manual. Here a setting is one row, and all four read it.
// To add a setting, add a member of Settings and a row, then run
// `vicino settings --markdown > docs/reference/settings.md`.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "config/settings.hpp"

namespace vicino::config {

// A variable that sets the row's member, in its own grammar: GOMP_SPINCOUNT and KMP_BLOCKTIME set
// one member and agree in nothing else.
struct Source {
  std::string_view variable;
  std::string_view (*accepted)();  // reads well after "not "
  bool (*parse)(std::string_view text, Settings& settings) = nullptr;
  // What is wrong with a text, for grammars where "not what is accepted" does not say enough.
  std::string (*explain)(std::string_view text) = nullptr;
  // What has no meaning in a text that parse() accepts. Empty if all has.
  std::string (*remark)(std::string_view text) = nullptr;
};

inline constexpr std::size_t kMaxSources = 4;

struct Row {
  std::string_view name;   // its strongest variable, and what OMP_DISPLAY_ENV calls it
  std::string_view unset;  // what holds if no variable is set
  std::string_view help;   // one sentence
  bool standard;           // shown by OMP_DISPLAY_ENV=true, not only by verbose
  std::string (*show)(const Settings& settings);
  std::array<Source, kMaxSources> sources;  // strongest first; unused ones at the end are empty

  // The strongest is Vicino's own variable, then the standard's, then the standard's for all devices
  // (..._ALL; the host is one), then libomp's, then libgomp's. One order serves for all: libomp lets
  // its own variables win over the standard's and libgomp does not, so a program of both compilers
  // could not be explained otherwise.
  constexpr std::span<const Source> used() const noexcept {
    std::size_t count = 0;
    while (count < kMaxSources && !sources[count].variable.empty()) ++count;
    return std::span(sources).first(count);
  }
};

std::span<const Row> rows() noexcept;

// Variables that users of the peers set and that have no meaning here: accepted without a warning,
// and named by OMP_DISPLAY_ENV=verbose and in the manual.
struct WithoutEffect {
  char name[40];  // in place: each process would relocate a pointer to it
  std::string_view instead;

  constexpr std::string_view variable() const noexcept { return name; }
};
std::span<const WithoutEffect> variables_without_effect() noexcept;

}  // namespace vicino::config
