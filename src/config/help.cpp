// The table as text for people: `vicino --help` and docs/reference/settings.md.
#include "config/table.hpp"
#include "config/wrap.hpp"

namespace vicino::config {
namespace {

// The variables of a row that take these values, or nothing if all of the row's variables do.
std::string takers_of(const Row& row, std::string_view accepted) {
  std::string names;
  bool all = true;
  for (const Source& source : row.used()) {
    if (source.accepted() == accepted)
      names.append(names.empty() ? "" : " and ").append(source.variable);
    else
      all = false;
  }
  return all ? std::string() : names + ": ";
}

std::string values_of(const Row& row) {
  std::string text;
  for (const Source& source : row.used()) {
    const std::string part = takers_of(row, source.accepted()).append(source.accepted());
    if (text.find(part) != text.npos) continue;
    text.append(text.empty() ? "" : "; ").append(part);
  }
  return text;
}

// An unescaped bar would end the cell of a table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (char c : text) escaped.append(c == '|' ? "\\|" : std::string_view(&c, 1));
  return escaped;
}

std::string code(std::string_view text) { return '`' + cell(text) + '`'; }
std::string plain(std::string_view text) { return std::string(text); }

std::string names_of(const Row& row, std::string (*write)(std::string_view)) {
  std::string text;
  for (const Source& source : row.used())
    text.append(text.empty() ? "" : ", ").append(write(source.variable));
  return text;
}

constexpr std::string_view kIntroduction = R"(# Settings

Written by Vicino from its table of settings (`src/config/table.cpp`); a test fails when this page is
older than the table.

Vicino reads the environment variables of OpenMP, of LLVM's runtime and of GCC's once, when the
runtime that it replaces would have read them. If a loaded program or library needs GCC's runtime,
that is when the library is loaded: later changes do not count, as OpenMP has it. Otherwise it is
at the first use of OpenMP: a program of LLVM's compilers may set variables in main(), and a Python
script before an import. With `VICINO_LEND` the variables are always read at load. The files of
`VICINO_CONFIG` and `VICINO_PROFILE` are named from the folder in which the library was loaded.

If several variables of one row are set, the first of the row holds: Vicino's own, then the
standard's, then LLVM's, then GCC's. (LLVM's own runtime lets `KMP_STACKSIZE` win over
`OMP_STACKSIZE`; GCC's lets the standard's win.) `OMP_DISPLAY_ENV=verbose` says which one held.

Letter case and white space around a value make no difference, except in names of files. A value that
cannot be read gets one warning, with what is used instead; `KMP_WARNINGS=0` turns warnings off. A
flag is `true` or `false`, also `1`/`0`, `yes`/`no`, `on`/`off`. A program that runs with more rights
than its caller (set-user-id) reads no variables.

| Variables, strongest first | Values | If none is set | What it does |
|---|---|---|---|
)";

constexpr std::string_view kWithoutEffectIntroduction = R"(
## Taken without effect

These mean something to LLVM's or GCC's runtime and nothing to Vicino. Setting one is no mistake and
gives no warning; `OMP_DISPLAY_ENV=verbose` lists those that are set.

| Variable | Instead |
|---|---|
)";

}  // namespace

std::string settings_help() {
  std::string out;
  for (const Row& row : rows()) {
    out.append(names_of(row, plain)).append("\n");
    append_wrapped(out, row.help);
    append_wrapped(out, "Values: " + values_of(row));
    append_wrapped(out, "Default: " + std::string(row.unset));
  }
  return out;
}

std::string settings_markdown() {
  std::string out(kIntroduction);
  for (const Row& row : rows())
    out.append("| ")
        .append(names_of(row, code))
        .append(" | ")
        .append(cell(values_of(row)))
        .append(" | ")
        .append(cell(row.unset))
        .append(" | ")
        .append(cell(row.help))
        .append(" |\n");
  out.append(kWithoutEffectIntroduction);
  for (const WithoutEffect& ignored : variables_without_effect())
    out.append("| ")
        .append(code(ignored.variable()))
        .append(" | ")
        .append(cell(ignored.instead))
        .append(" |\n");
  return out;
}

}  // namespace vicino::config
