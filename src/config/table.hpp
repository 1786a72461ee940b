// table.hpp: every setting, one row each; table.cpp holds the rows.
//
// Why    libomp's settings are five thousand lines, since each has a parser, a printer and a text
//        of its own, and its manual is one more. Here a setting is one row, and all four read it.
// To add one: a member of Settings, a row, and `vicino settings --markdown > docs/settings.md`.
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
  std::string_view accepted;  // reads well after "not "
  bool (*parse)(std::string_view text, Settings& settings) = nullptr;
  // For grammars of which "not what is accepted" does not say enough: what is wrong with it.
  std::string (*explain)(std::string_view text) = nullptr;
  // Of what parse() takes: what of it means nothing. Empty if all does.
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

  // Strongest is Vicino's own variable, then the standard's, then libomp's, then libgomp's. One
  // order for all: libomp lets its own win over the standard's and libgomp does not, and a program
  // of both compilers could not be explained otherwise.
  constexpr std::span<const Source> used() const noexcept {
    std::size_t count = 0;
    while (count < kMaxSources && !sources[count].variable.empty()) ++count;
    return std::span(sources).first(count);
  }
};

std::span<const Row> rows() noexcept;

// What users of the peers set and what has no meaning here: taken without a warning, named by
// OMP_DISPLAY_ENV=verbose and in the manual.
struct WithoutEffect {
  std::string_view variable;
  std::string_view instead;
};
std::span<const WithoutEffect> variables_without_effect() noexcept;

}  // namespace vicino::config
