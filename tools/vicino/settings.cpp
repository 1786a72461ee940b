// settings.cpp: `vicino settings`: the variables that the runtime reads, from the library's table.
#include "config/settings.hpp"

#include "command.hpp"
#include "say.hpp"

namespace vicino::cli {

Command add_settings(CLI::App& root) {
  CLI::App* app = root.add_subcommand("settings", "List the variables that the runtime reads");
  auto markdown = std::make_shared<bool>(false);
  app->add_flag("--markdown", *markdown, "Print a Markdown page");
  return {.app = app,
          .synopsis = "[--markdown]",
          .sections = {{"Settings", config::settings_help()}},
          .action = [markdown](const Words&) {
            fmt::print("{}", *markdown ? config::settings_markdown() : config::settings_help());
            return int{kOk};
          }};
}

}  // namespace vicino::cli
