// selftest_run.hpp: the programs of the self-test (tools/selftest): runs one part of one, reads what
// it tells, and judges it.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/cpu_set.hpp"
#include "process.hpp"

namespace vicino::cli {

struct Check {
  std::string name;
  bool good;
  std::string seen;  // what was seen, if it is not good
};

// What a program prints; tools/selftest/check.h has the form.
struct Told {
  std::vector<Check> checks;
  std::vector<std::pair<std::string, std::string>> facts;  // a key may be there several times
  bool complete = false;

  std::vector<std::string> all(const std::string& key) const;
  std::string first(const std::string& key) const;  // empty if there is none
};
Told read_told(const std::string& text);

// One run: of which part, in which circumstances, and what is expected besides the program's own checks.
struct Case {
  std::string part;
  std::vector<std::pair<std::string, std::string>> settings{};
  CpuSet cpus{};                                             // empty: all of this process
  std::vector<std::pair<std::string, std::string>> facts{};  // that it must tell

  std::string name() const;  // "loops, VICINO_SCHEDULE=nich"
};

struct Result {
  std::string name;  // of the case
  double seconds = 0;
  std::vector<Check> checks;
  std::string compiler, version;  // the program's compiler, the library's version
  bool on_other_runtime = false;  // then a check says which
  bool timed_out = false;
  int interrupted = 0;            // the signal that this process got meanwhile

  bool good() const;
};

// Runs it with the library put in by `environment`. Needs a HeldSignals.
Result run_case(const std::filesystem::path& program, const Case& which, Environment environment,
                const std::filesystem::path& library, Seconds timeout);

}  // namespace vicino::cli
