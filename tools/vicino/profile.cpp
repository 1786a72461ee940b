// profile.cpp: `vicino profile`: what earlier runs learnt, as VICINO_PROFILE keeps it.
#include "command.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

constexpr const char* kDescription =
    R"(A profile holds what a program's runs learnt about the loops that leave their
schedule to Vicino. With vicino run --profile, or VICINO_PROFILE=FILE, a program
reads it at its start, so that the first execution of a loop uses what proved
best, and adds to it when it ends. Runs of several programs and machines may
share a file: each process uses the entries of its own binary, machine and team
size.
)";

constexpr const char* kExamples =
    R"(  vicino run --profile ./app
  vicino profile show vicino.profile
  vicino explain vicino.profile
)";

}  // namespace

Command add_profile(CLI::App& root) {
  CLI::App* app = root.add_subcommand("profile", "Show, merge and prune what earlier runs learnt");
  return {.app = app,
          .synopsis = "command [options] FILE...",
          .sections = {{"Description", kDescription}, {"Examples", kExamples}},
          .action = [](const Words&) -> int {
            throw Failure(kUsage, "profile: no command is given; it takes show, merge or prune");
          }};
}

}  // namespace vicino::cli
