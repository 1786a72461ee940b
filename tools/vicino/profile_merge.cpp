// profile_merge.cpp: `vicino profile merge`: profiles of several runs as one.
#include "command.hpp"
#include "profiles.hpp"
#include "say.hpp"
#include "tune/profile_file.hpp"

namespace vicino::cli {
namespace {

struct MergeOptions {
  std::string out;
  Words files;
};

constexpr const char* kDescription =
    R"(Merges profiles. The counts of a site are added up, so the files should come
from different runs. The state of a site is taken from the file in which the
site is settled or left alone, else from the one where it was explored afresh
more often, else from the one with more samples; the order of the files makes no
difference.

The file OUT is replaced if it is a profile or is empty; any other file is left
as it is.
)";

constexpr const char* kExamples = R"(  vicino profile merge -o all.profile node*.profile
)";

int merge(const MergeOptions& options) {
  if (options.out.empty()) throw Failure(kUsage, "profile merge: no -o OUT is given");
  if (options.files.empty()) throw Failure(kUsage, "profile merge: no profile is given");
  tune::Profile all;
  for (const std::string& file : options.files) tune::merge(all, read_profile(file));
  const Error error =
      tune::change_profile_file(options.out, [&](tune::Profile& old) { old = all; });
  if (!error.text.empty()) throw Failure(kUsage, error.text);
  fmt::print("{}: {} sites of {} files\n", options.out, all.size(), options.files.size());
  return kOk;
}

}  // namespace

Command add_profile_merge(CLI::App& profile) {
  CLI::App* app = profile.add_subcommand("merge", "Merge profiles into one");
  auto options = std::make_shared<MergeOptions>();
  app->add_option("-o", options->out, "The profile to write")->type_name("OUT");
  app->add_option("files", options->files)->group("");
  return {.app = app,
          .synopsis = "-o OUT FILE...",
          .sections = {{"Description", kDescription}, {"Examples", kExamples}},
          .action = [options](const Words&) { return merge(*options); }};
}

}  // namespace vicino::cli
