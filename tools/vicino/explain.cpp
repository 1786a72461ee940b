// explain.cpp: `vicino explain`: what was tried at loops, what was chosen and why.
#include <algorithm>
#include <tuple>

#include "command.hpp"
#include "profiles.hpp"
#include "run.hpp"
#include "say.hpp"
#include "tune/explanation.hpp"

namespace vicino::cli {
namespace {

constexpr const char* kDescription =
    R"(Explains, for each loop that left its schedule to Vicino, what was tried, how
long each configuration took, what was chosen and why. At the end it says how
long all these loops took, how much of that trying cost and about how much the
choices saved.

FILE is a profile (vicino run --profile): then it explains all that its runs
learnt, by program or library and by machine. A program behind -- is run on
Vicino, and explained on standard error when it ends, as by vicino run --explain.
)";

constexpr const char* kExamples =
    R"(  vicino explain vicino.profile
  vicino explain -- ./app input.dat
)";

using tune::Explained;
using tune::ProfileEntry;

// Sites of one binary on one machine stand together.
auto group_of(const ProfileEntry& entry) {
  return std::tie(entry.binary, entry.key.object, entry.key.machine, entry.key.objective);
}

std::string title_of(const ProfileEntry& entry) {
  return fmt::format("{} (build {}), {}", entry.binary.empty() ? "a binary" : entry.binary,
                     entry.key.object.substr(0, 12),
                     entry.hardware.empty() ? "machine " + entry.key.machine : entry.hardware);
}

void explain(const std::string& file) {
  tune::Profile profile = read_profile(file);
  if (profile.empty()) fmt::print("{}: no loop has left its choice to the tuner\n", file);
  name_lines(profile);
  std::ranges::sort(profile, {}, [](const ProfileEntry& entry) {
    return std::tuple(group_of(entry), std::tie(entry.key));
  });
  for (auto first = profile.begin(); first != profile.end();) {
    const auto last = std::find_if(first, profile.end(), [&](const ProfileEntry& entry) {
      return group_of(entry) != group_of(*first);
    });
    std::vector<Explained> sites;
    for (auto entry = first; entry != last; ++entry) sites.push_back({*entry});
    std::ranges::sort(sites, tune::is_told_before);
    fmt::print("{}{}:\n{}", first == profile.begin() ? "" : "\n", title_of(*first),
               tune::explanation(sites));
    first = last;
  }
}

int explain(const Words& files, const Words& program) {
  if (program.empty()) {
    explain(the_file(files, "explain"));
    return kOk;
  }
  if (!files.empty())
    throw Failure(kUsage,
                  fmt::format("explain: '{}' and a program are given; it takes one", files[0]));
  Environment environment = Environment::of_process();
  environment.set("VICINO_EXPLAIN", "true");
  expect_report(environment);
  run_on_vicino(program, std::move(environment));
}

}  // namespace

Command add_explain(CLI::App& root) {
  CLI::App* app = root.add_subcommand("explain", "Tell what was tried for loops, what won and why");
  auto files = std::make_shared<Words>();
  app->add_option("file", *files)->group("");
  return {.app = app,
          .synopsis = "FILE | -- program [argument...]",
          .sections = {{"Description", kDescription}, {"Examples", kExamples}},
          .takes_flags = true,
          .action = [files](const Words& program) { return explain(*files, program); }};
}

}  // namespace vicino::cli
