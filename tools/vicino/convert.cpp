// convert.cpp: `vicino convert`: checks its words; the program libexec/vicino/convert
// (tools/convert), which replaces this one, does the work.
#include <filesystem>

#include "command.hpp"
#include "environment.hpp"
#include "library.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

struct ConvertOptions {
  std::string target = "runtime";
  bool all = false;
  bool diff = false;
  bool in_place = false;
  std::string database;
  std::vector<std::string> files;
};

constexpr const char* kDescription =
    R"(Rewrites the loop directives of C and C++ sources so that the schedule can be
chosen when the program runs: "omp for" and "omp parallel for", also with simd,
get the clause schedule(runtime) if they have no schedule clause. Then
OMP_SCHEDULE, or VICINO_SCHEDULE on Vicino, decides. With --to taskloop they
become taskloops, whose tasks the runtime shares out.

Nothing else of a file changes, not a byte. What would change is printed as a
unified diff; with --in-place the files are rewritten.

A loop stays as it is if the change might alter what the program computes; each
such loop is named with its line and the reason. Above all, a loop with nowait
and a loop that follows it before the next barrier both stay, since both may
rely on the same static distribution. Name all files of a program together: the
two loops may be in different files.

Sources are parsed by libclang. The words behind -- are the compiler's flags,
such as -I, -D and -std; -p takes them from a build folder with
compile_commands.json. A header is converted if it is named too. A file that
cannot be parsed is left as it is, and the compiler's first errors are printed.
)";

constexpr const char* kExitStatus =
    R"(0
    All loops that were asked for are converted (or shown), or there are none.
2
    Bad usage, or this Vicino was built without libclang.
3
    Some loops were refused; the others are converted.
4
    A file could not be read, parsed or written; the others are converted.
)";

constexpr const char* kExamples =
    R"(  vicino convert solver.c mesh.c -- -Iinclude -DNDEBUG
  vicino convert -p build --in-place src/*.cpp include/*.hpp
  vicino convert --to taskloop --all solver.c
)";

fs::path find_converter() {
  std::error_code error;
  const fs::path program = libexec_file("convert");
  if (!fs::is_regular_file(program, error))
    throw Failure(
        kUsage,
        fmt::format("convert: '{}' is not there: this Vicino was built without libclang 19. "
                    "Install it (Debian: libclang-19-dev) and build again",
                    program.string()));
  return program;
}

int convert(const ConvertOptions& options, const Words& flags) {
  if (options.files.empty()) throw Failure(kUsage, "convert: no file is given");
  Words command = {find_converter().string(), "--to=" + options.target};
  if (options.all) command.push_back("--all");
  if (options.diff || !options.in_place) command.push_back("--diff");
  if (options.in_place) command.push_back("--in-place");
  if (!options.database.empty()) command.push_back("--database=" + options.database);
  command.insert(command.end(), options.files.begin(), options.files.end());
  command.push_back("--");
  command.insert(command.end(), flags.begin(), flags.end());
  Environment environment = Environment::of_process();
  execute(command, environment);
}

}  // namespace

Command add_convert(CLI::App& root) {
  CLI::App* app =
      root.add_subcommand("convert", "Let loops of sources take their schedule at run time");
  auto options = std::make_shared<ConvertOptions>();
  app->add_option("--to", options->target, "runtime: schedule(runtime), or taskloop (runtime)")
      ->type_name("FORM")
      ->check(must_be("runtime or taskloop", [](const std::string& form) {
        return form == "runtime" || form == "taskloop";
      }));
  app->add_flag("--all", options->all, "Also loops that have a schedule clause");
  app->add_flag("--diff", options->diff, "Print a unified diff (default without --in-place)");
  app->add_flag("-i,--in-place", options->in_place, "Rewrite the files");
  app->add_option("-p,--database", options->database, "Folder of compile_commands.json")
      ->type_name("DIR")
      ->check(must_be("a folder with compile_commands.json", [](const std::string& folder) {
        std::error_code error;
        return fs::is_regular_file(fs::path(folder) / "compile_commands.json", error);
      }));
  app->add_option("files", options->files)->group("");
  return {.app = app,
          .synopsis = "[options] file... [-- flag...]",
          .sections = {{"Description", kDescription},
                       {"Exit status", kExitStatus},
                       {"Examples", kExamples}},
          .takes_flags = true,
          .action = [options](const Words& flags) { return convert(*options, flags); }};
}

}  // namespace vicino::cli
