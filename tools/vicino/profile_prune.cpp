// profile_prune.cpp: `vicino profile prune`: takes out of a profile what is no longer useful.
#include <unistd.h>

#include <chrono>

#include "base/elf.hpp"
#include "command.hpp"
#include "profiles.hpp"
#include "say.hpp"
#include "tune/profile_file.hpp"

namespace vicino::cli {
namespace {

struct PruneOptions {
  Words files;
  bool gone = false, other_machines = false, dry_run = false;
  long older_than = 0, min_executions = 0;
};

constexpr const char* kDescription =
    R"(Takes a call site out of a profile if any of the given options applies to it.
--gone applies to sites of programs and libraries that were rebuilt or removed:
the file is not there or has another build-id. It takes out no site of another
machine, since that machine's files are not seen here.

Programs that run meanwhile lose nothing: the file is changed under its lock,
and they add to what they find.
)";

constexpr const char* kExamples = R"(  vicino profile prune --gone --older-than 90 vicino.profile
)";

// A file that cannot be read proves nothing, so its sites stay.
bool is_gone(const tune::ProfileEntry& entry) {
  if (entry.binary.empty()) return false;
  if (access(entry.binary.c_str(), F_OK) != 0) return errno == ENOENT || errno == ENOTDIR;
  const std::string id = build_id_of(entry.binary);
  return !id.empty() && id != entry.key.object;
}

tune::Pruning pruning_of(const PruneOptions& options) {
  tune::Pruning pruning;
  pruning.min_executions = static_cast<uint64_t>(options.min_executions);
  if (options.other_machines) pruning.machine = this_machine();
  if (options.older_than > 0) {
    using namespace std::chrono;
    const auto today = floor<days>(system_clock::now()).time_since_epoch().count();
    pruning.used_since = static_cast<tune::Day>(today - options.older_than);
  }
  return pruning;
}

size_t prune(tune::Profile& profile, const PruneOptions& options) {
  size_t removed = tune::prune(profile, pruning_of(options));
  if (!options.gone) return removed;
  const std::string machine = this_machine();
  return removed + std::erase_if(profile, [&](const tune::ProfileEntry& entry) {
           return entry.key.machine == machine && is_gone(entry);
         });
}

int prune(const PruneOptions& options) {
  const std::string& file = the_file(options.files, "profile prune");
  if (!options.gone && !options.other_machines && options.older_than == 0 &&
      options.min_executions == 0)
    throw Failure(kUsage,
                  "profile prune: no option says what to take out; give --gone, --older-than, "
                  "--min-executions or --other-machines");
  tune::Profile profile = read_profile(file);
  size_t removed = 0, kept = 0;
  const auto take_out = [&](tune::Profile& from) {
    removed = prune(from, options);
    kept = from.size();
  };
  if (options.dry_run) {
    take_out(profile);
  } else if (const Error error = tune::change_profile_file(file, take_out); !error.text.empty()) {
    throw Failure(kUsage, error.text);
  }
  fmt::print("{}: {} sites {}taken out, {} stay\n", file, removed,
             options.dry_run ? "would be " : "", kept);
  return kOk;
}

}  // namespace

Command add_profile_prune(CLI::App& profile) {
  CLI::App* app = profile.add_subcommand("prune", "Take out what is no longer useful");
  auto options = std::make_shared<PruneOptions>();
  app->add_flag("--gone", options->gone, "Sites of files that were removed or rebuilt");
  app->add_option("--older-than", options->older_than, "Sites not used for this many days")
      ->type_name("DAYS")
      ->check(count_from(1));
  app->add_option("--min-executions", options->min_executions, "Sites executed less often")
      ->type_name("N")
      ->check(count_from(1));
  app->add_flag("--other-machines", options->other_machines, "Sites of other machines");
  app->add_flag("--dry-run", options->dry_run, "Only tell how many sites that would be");
  app->add_option("file", options->files)->group("");
  return {.app = app,
          .synopsis = "[options] FILE",
          .sections = {{"Description", kDescription}, {"Examples", kExamples}},
          .action = [options](const Words&) { return prune(*options); }};
}

}  // namespace vicino::cli
