#include "config/schedules.hpp"

#include "config/selection.hpp"
#include "config/wrap.hpp"

namespace vicino::config {
namespace {

// "group: threads that share a lane (a whole number from 1 to 4096, or auto; if not given, auto)"
std::string describe(const loop::Parameter& parameter, std::string_view name) {
  std::string text(name);
  return text.append(": ")
      .append(parameter.help)
      .append(" (")
      .append(accepted(parameter))
      .append("; if not given, ")
      .append(show(parameter, parameter.fallback))
      .append(")");
}

// "paper: iCh as published (epsilon=0.33,grain=0)"
std::string describe(const loop::Row& row, const loop::Preset& preset, std::string_view name) {
  return std::string(name)
      .append(": ")
      .append(preset.help)
      .append(" (")
      .append(settings_of(row, preset))
      .append(")");
}

std::string code(std::string_view text) { return std::string("`").append(text).append("`"); }

}  // namespace

std::string schedules_help() {
  std::string out;
  for (const loop::Row& row : loop::registry()) {
    out.append(row.name).append("\n");
    append_wrapped(out, row.summary);
    for (const loop::Parameter& parameter : row.parameters)
      append_wrapped(out, describe(parameter, parameter.name));
    for (const loop::Preset& preset : row.presets)
      append_wrapped(out, describe(row, preset, preset.name));
  }
  return out;
}

std::string schedules_markdown() {
  std::string out =
      "| Schedule | What it does | In order | Parameters | Presets |\n|---|---|---|---|---|\n";
  for (const loop::Row& row : loop::registry()) {
    out.append("| ").append(code(row.name)).append(" | ").append(row.summary).append(" | ");
    out.append(row.ordered ? "yes" : "no").append(" | ");
    const char* separator = "";
    for (const loop::Parameter& parameter : row.parameters) {
      out.append(separator).append(describe(parameter, code(parameter.name)));
      separator = "; ";
    }
    out.append(" | ");
    separator = "";
    for (const loop::Preset& preset : row.presets) {
      out.append(separator).append(describe(row, preset, code(preset.name)));
      separator = "; ";
    }
    out.append(" |\n");
  }
  return out;
}

}  // namespace vicino::config
