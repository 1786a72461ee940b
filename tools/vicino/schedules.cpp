// schedules.cpp: `vicino schedules`: the loop schedules and their parameters, from the registry.
#include "config/schedules.hpp"

#include "command.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

constexpr const char* kDescription =
    R"(VICINO_SCHEDULE, OMP_SCHEDULE, the rules of VICINO_CONFIG and the option
--schedule of vicino run take any of these names, with parameters:

  nich,group=4,epsilon=0.2
  dynamic,64
  mixed,f=0.75,chunk=8
  ich,paper,epsilon=0.2

A number alone is the chunk, and a word alone a preset, which gives all
parameters a value; parameters behind it change that.
)";

}  // namespace

Command add_schedules(CLI::App& root) {
  CLI::App* app = root.add_subcommand("schedules", "List the schedules of loops");
  auto markdown = std::make_shared<bool>(false);
  app->add_flag("--markdown", *markdown, "Print a Markdown table");
  return {.app = app,
          .synopsis = "[--markdown]",
          .sections = {{"Description", kDescription}, {"Schedules", config::schedules_help()}},
          .action = [markdown](const Words&) {
            fmt::print("{}", *markdown ? config::schedules_markdown() : config::schedules_help());
            return int{kOk};
          }};
}

}  // namespace vicino::cli
