// What OMP_DISPLAY_ENV prints, in the form that both peers use: NAME = 'VALUE' between two lines
// that a script can look for, and the version as the standard's macro has it.
#include <algorithm>

#include "base/version.hpp"
#include "config/table.hpp"
#include "config/text.hpp"

namespace vicino::config {
namespace {

constexpr std::string_view kOpenMPVersion = "202011";  // 5.1, as _OPENMP

// "OMP_A, OMP_B": the sources whose bit is set, from `first` to before `last`.
std::string names(const Row& row, const Origin& origin, std::size_t first, std::size_t last) {
  std::string list;
  for (std::size_t i = first; i < last; ++i)
    if (origin.present >> i & 1u)
      list.append(list.empty() ? "" : ", ").append(row.used()[i].variable);
  return list;
}

std::string explain(const Row& row, const Origin& origin) {
  const std::size_t count = row.used().size();
  const std::size_t winner = origin.winner >= 0 ? static_cast<std::size_t>(origin.winner) : count;
  std::string text = origin.winner == Origin::kDerived   ? "follows from other settings"
                     : origin.winner == Origin::kDefault ? "default"
                                                         : "set by ";
  if (winner < count) text.append(row.used()[winner].variable);
  const std::string overruled = winner < count ? names(row, origin, winner + 1, count) : "";
  if (!overruled.empty()) text.append(", over ").append(overruled);
  const std::string unread = names(row, origin, 0, winner);
  if (!unread.empty()) text.append("; could not read ").append(unread);
  return text;
}

bool is_read(std::string_view name) noexcept {
  return std::ranges::any_of(rows(), [=](const Row& row) {
    return std::ranges::find(row.used(), name, &Source::variable) != row.used().end();
  });
}

void append_line(std::string& out, std::string_view name, std::string_view value) {
  out.append("  [host] ").append(name).append(" = '").append(value).append("'");
}

}  // namespace

std::string display_env(const Settings& settings, bool verbose) {
  std::string out = "OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '";
  out.append(kOpenMPVersion).append("'\n");
  if (verbose) out.append("  VICINO_VERSION = '").append(version()).append("'\n");
  for (std::size_t i = 0; i < rows().size(); ++i) {
    const Row& row = rows()[i];
    if (!row.standard && !verbose) continue;
    append_line(out, row.name, row.show(settings));
    if (verbose) out.append("  # ").append(explain(row, settings.origins[i]));
    out += '\n';
  }
  const auto ignored = variables_without_effect();
  for (std::size_t i = 0; verbose && i < ignored.size(); ++i)
    if (settings.without_effect >> i & 1u)
      out.append("  # ")
          .append(ignored[i].variable())
          .append(" has no effect: ")
          .append(ignored[i].instead)
          .append("\n");
  return out.append("OPENMP DISPLAY ENVIRONMENT END\n");
}

std::string list_settings(const Settings& settings, const Environment& environment) {
  std::string out = "User settings:\n\n";
  for (const char* entry : environment.entries()) {
    const std::string_view text(entry);
    const auto equals = text.find('=');
    if (equals != text.npos && is_read(text.substr(0, equals)))
      out.append("   ").append(printable(text)).append("\n");
  }
  out.append("\nEffective settings:\n\n");
  for (const Row& row : rows())
    out.append("   ").append(row.name).append("='").append(row.show(settings)).append("'\n");
  return out;
}

}  // namespace vicino::config
