#include "selftest_run.hpp"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "output.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

// A child inherits this process's mask.
class NarrowMask {
 public:
  explicit NarrowMask(const CpuSet& cpus) {
    if (cpus.empty()) return;
    before_.resize(kWords);
    if (sched_getaffinity(0, kWords * sizeof(unsigned long), mask_of(before_)) != 0) fail();
    const auto words = cpus.to_kernel();
    if (sched_setaffinity(0, words.size_bytes(),
                          reinterpret_cast<const cpu_set_t*>(words.data())) != 0)
      fail();
  }
  ~NarrowMask() {
    if (!before_.empty()) sched_setaffinity(0, kWords * sizeof(unsigned long), mask_of(before_));
  }
  NarrowMask(const NarrowMask&) = delete;
  NarrowMask& operator=(const NarrowMask&) = delete;

 private:
  static constexpr size_t kWords = CpuSet::kMaxCpus / (8 * sizeof(unsigned long));

  static cpu_set_t* mask_of(std::vector<unsigned long>& words) {
    return reinterpret_cast<cpu_set_t*>(words.data());
  }
  [[noreturn]] static void fail() {
    throw Failure(kUsage, fmt::format("cannot set this process's CPUs: {}", strerror(errno)));
  }

  std::vector<unsigned long> before_;
};

// The files to which the program's calls went, and those that are loaded and might have been called.
void judge_runtimes(const Told& told, const fs::path& library, Result& result) {
  std::error_code ignored;
  std::set<std::string> called, loaded;
  for (const std::string& file : told.all("library"))
    if (!fs::equivalent(file, library, ignored)) called.insert(file);
  // A wheel's other names are small libraries beside the one (library.hpp).
  for (const std::string& file : told.all("loaded"))
    if (!fs::equivalent(file, library, ignored) && !called.contains(file) &&
        !fs::equivalent(fs::path(file).parent_path(), library.parent_path(), ignored))
      loaded.insert(file);
  result.on_other_runtime = !called.empty() || !loaded.empty();
  for (const std::string& file : called)
    result.checks.push_back({"runtime", false, fmt::format("its calls go to '{}'", file)});
  for (const std::string& file : loaded)
    result.checks.push_back({"runtime", false, fmt::format("'{}' is loaded besides", file)});
  if (!result.on_other_runtime) result.checks.push_back({"runtime", true, {}});
  if (result.version == "(none)")
    result.checks.push_back(
        {"runtime", false, fmt::format("'{}' is not Vicino", library.string())});
}

void judge_end(const Told& told, const Outcome& outcome, Seconds timeout, Result& result) {
  std::string seen;
  if (outcome.timed_out)
    seen = fmt::format("it did not end within {:.3g} s", timeout.count());
  else if (!outcome.succeeded())
    seen = how_it_ended(outcome);
  else if (!told.complete)
    seen = "it ended before its end";
  if (outcome.timed_out && !told.checks.empty())
    seen += fmt::format("; the last check was '{}'", told.checks.back().name);
  const bool good = seen.empty();
  if (!good) seen += last_lines(outcome.err);
  result.checks.push_back({"end", good, seen});
}

}  // namespace

std::vector<std::string> Told::all(const std::string& key) const {
  std::vector<std::string> values;
  for (const auto& [each, value] : facts)
    if (each == key) values.push_back(value);
  return values;
}

std::string Told::first(const std::string& key) const {
  const auto values = all(key);
  return values.empty() ? std::string() : values[0];
}

Told read_told(const std::string& text) {
  Told told;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t blank = line.find(' ');
    const std::string word = line.substr(0, blank);
    const std::string rest = blank == line.npos ? "" : line.substr(blank + 1);
    if (word == "ok") {
      told.checks.push_back({rest, true, {}});
    } else if (word == "failed") {
      const size_t colon = std::min(rest.find(": "), rest.size());
      told.checks.push_back({rest.substr(0, colon), false,
                             colon < rest.size() ? rest.substr(colon + 2) : std::string()});
    } else if (word == "fact") {
      const size_t end = std::min(rest.find(' '), rest.size());
      told.facts.emplace_back(rest.substr(0, end), end < rest.size() ? rest.substr(end + 1) : "");
    }
    told.complete = line == "end";
  }
  return told;
}

std::string Case::name() const {
  std::string text = part;
  for (const auto& [setting, value] : settings) text += fmt::format(", {}={}", setting, value);
  if (!cpus.empty()) text += fmt::format(", CPUs {}", cpus.to_list());
  return text;
}

bool Result::good() const { return std::ranges::all_of(checks, &Check::good); }

Result run_case(const fs::path& program, const Case& which, Environment environment,
                const fs::path& library, Seconds timeout) {
  for (const auto& [name, value] : which.settings) environment.set(name, value);
  const Outcome outcome = [&] {
    const NarrowMask narrow(which.cpus);
    return run_together({program.string(), which.part}, environment, timeout, 1)[0];
  }();
  const Told told = read_told(outcome.out);
  Result result{.name = which.name(),
                .seconds = outcome.wall,
                .checks = told.checks,
                .compiler = told.first("compiler"),
                .version = told.first("version"),
                .timed_out = outcome.timed_out,
                .interrupted = outcome.interrupted};
  judge_end(told, outcome, timeout, result);
  // A program that the loader has refused has reached nothing, which is told already.
  if (!told.facts.empty()) judge_runtimes(told, library, result);
  for (const auto& [key, expected] : which.facts) {
    const std::string seen = told.first(key);
    if (told.complete)
      result.checks.push_back(
          {key, seen == expected, fmt::format("{} where {} was expected", seen, expected)});
  }
  return result;
}

}  // namespace vicino::cli
