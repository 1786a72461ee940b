// refusal.hpp: why the dynamic loader will not put Vicino into a program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace vicino::cli {

struct Refusal {
  std::string reason;  // "it is statically linked"
  bool is_script =
      false;  // the reason is its interpreter's: what the script starts may still get Vicino
  // The program's loader would fail over the library, or complain of it. Such a program is run in an
  // environment without it.
  bool is_harmed = false;
  bool has_runtime = true;  // false: a statically linked program that is no OpenMP program
};

// Nothing if the loader will do it, as far as the program's file tells.
std::optional<Refusal> refusal_of(const std::filesystem::path& program,
                                  const std::filesystem::path& library);

// Throws Failure if no program of this system can load the library, with a sentence that says why.
void expect_loadable(const std::filesystem::path& library, int failure_status);

}  // namespace vicino::cli
