// From an environment to settings. The environment is walked once, and only names with one of our
// prefixes are compared with the table. So a process that sets nothing pays a few hundred
// comparisons of four characters and no allocation.
#include <pthread.h>

#include <algorithm>

#include "base/say.hpp"
#include "base/uncancelled.hpp"
#include "config/launchers.hpp"
#include "config/table.hpp"
#include "config/text.hpp"
#include "lend/lending.hpp"
#include "plat/plat.hpp"
#include "topo/machine.hpp"
#include "topo/rank_share.hpp"

namespace vicino::config {
namespace {

using Values = std::array<const char*, kMaxSources>;  // of one row; null: not set

struct Given {
  std::array<Values, kMaxSettings> values{};
  std::uint64_t without_effect = 0;
};

bool may_be_ours(std::string_view entry) noexcept {
  return entry.starts_with("OMP_") || entry.starts_with("KMP_") || entry.starts_with("GOMP_") ||
         entry.starts_with("VICINO_") || entry.starts_with("LIBOMP_") ||
         entry.starts_with("HWLOC_");
}

// The first of two entries of one name holds, as with getenv. False if there is no such variable.
bool note(std::string_view name, const char* value, Given& given) noexcept {
  bool known = false;
  for (std::size_t row = 0; row < rows().size(); ++row) {
    const auto sources = rows()[row].used();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].variable != name) continue;
      known = true;
      if (given.values[row][i] == nullptr) given.values[row][i] = value;
    }
  }
  const auto ignored = variables_without_effect();
  for (std::size_t i = 0; i < ignored.size(); ++i)
    if (ignored[i].variable() == name) given.without_effect |= std::uint64_t{1} << i;
  return known;
}

constexpr std::string_view kOurs = "VICINO_";
constexpr std::string_view kOfTheCommandLine = "VICINO_LIBRARY";

// A warning about a variable with our prefix that nothing reads, if its name looks like one that is
// read. Otherwise none: other programs' scripts may have variables with this prefix too.
std::string misspelt(std::string_view name) {
  if (!name.starts_with(kOurs) || name == kOfTheCommandLine) return {};
  const std::string_view own = name.substr(kOurs.size());
  std::vector<std::string_view> known{kOfTheCommandLine.substr(kOurs.size())};
  for (const Row& row : rows())
    for (const Source& source : row.used())
      if (source.variable.starts_with(kOurs)) known.push_back(source.variable.substr(kOurs.size()));
  std::erase_if(known, [=](std::string_view k) { return !may_mean(own, k); });
  if (known.empty()) return {};
  sort_by_likeness(known, own);
  std::string text(printable(name));
  return text.append(": no such variable; there is ").append(kOurs).append(known.front());
}

Given collect(const Environment& environment, std::vector<std::string>& warnings) {
  Given given;
  for (const char* entry : environment.entries()) {
    const std::string_view text(entry);
    const auto equals = text.find('=');
    if (!may_be_ours(text) || equals == text.npos) continue;
    const std::string_view name = text.substr(0, equals);
    if (note(name, entry + equals + 1, given)) continue;
    if (std::string warning = misspelt(name); !warning.empty())
      warnings.push_back(std::move(warning));
  }
  return given;
}

std::string begin_of_warning(const Source& source, std::string_view value) {
  return std::string(source.variable).append("='").append(printable(value)).append("': ");
}

// The warning says which value holds instead, so that nobody has to guess whether half of it was
// taken.
std::string malformed(const Source& source, std::string_view value, std::string_view next,
                      std::string_view unset) {
  std::string text = begin_of_warning(source, value);
  text.append(source.explain != nullptr ? source.explain(value)
                                        : std::string("not ").append(source.accepted()));
  if (!next.empty()) return text.append("; using ").append(next);
  return text.append("; using the default: ").append(unset);
}

std::string_view next_given(const Row& row, const Values& values, std::size_t after) noexcept {
  for (std::size_t i = after + 1; i < row.used().size(); ++i)
    if (values[i] != nullptr) return row.used()[i].variable;
  return {};
}

Origin resolve(const Row& row, const Values& values, Settings& settings,
               std::vector<std::string>& warnings) {
  Origin origin;
  const auto sources = row.used();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (values[i] == nullptr) continue;
    origin.present = static_cast<std::uint8_t>(origin.present | 1u << i);
    if (origin.winner != Origin::kDefault) continue;
    if (!sources[i].parse(values[i], settings)) {
      warnings.push_back(malformed(sources[i], values[i], next_given(row, values, i), row.unset));
      continue;
    }
    origin.winner = static_cast<std::int8_t>(i);
    if (sources[i].remark == nullptr) continue;
    const std::string remark = sources[i].remark(values[i]);
    if (!remark.empty()) warnings.push_back(begin_of_warning(sources[i], values[i]) + remark);
  }
  return origin;
}

std::size_t index_of_row(std::string_view name) noexcept {
  return static_cast<std::size_t>(std::ranges::find(rows(), name, &Row::name) - rows().begin());
}
Origin& origin_of(Settings& settings, std::string_view name) noexcept {
  return settings.origins[index_of_row(name)];
}

// What the standard says about a setting that is not set when another is (OpenMP 5.2, 21.1): places
// without a policy ask for binding, and lists per level ask for nesting.
void derive(Settings& settings) {
  if (settings.proc_bind.empty() && !settings.places.empty()) {
    settings.proc_bind = {topo::Bind::kTrue};
    origin_of(settings, "OMP_PROC_BIND").winner = Origin::kDerived;
  }
  Origin& levels = origin_of(settings, "OMP_MAX_ACTIVE_LEVELS");
  if (levels.winner != Origin::kDefault) return;
  if (settings.num_threads.size() > 1 || settings.proc_bind.size() > 1) {
    settings.max_active_levels = kUnlimited;
    levels.winner = Origin::kDerived;
  }
}

Settings of_this_process() {
  std::vector<std::string> warnings;
  const Environment environment = Environment::of_process();
  Settings settings = parse(environment, warnings);
  std::optional<topo::Ranks> ranks = ranks_by(settings.share);
  if (!ranks) ranks = find_ranks(environment, warnings);
  set_warnings(settings.warnings);
  for (const std::string& warning : warnings) say("%s", warning.c_str());
  // The machine and the ranks are set here because code that asks for the machine has asked for the
  // settings before: the library when it is loaded, or by Machine::look_after(); where a program calls the library before
  // its constructor has run, the functions of `team` and `abi` that come first; the command line first of all.
  if (!settings.machine_file.empty()) topo::Machine::use_recorded(settings.machine_file);
  if (!settings.hw_subset.empty()) topo::Machine::use_subset(settings.hw_subset);
  if (settings.lend)
    lend::prepare(ranks ? find_job(environment, ranks->launcher) : lend::Job(),
                  why_not_lent(settings, ranks));
  if (ranks) topo::set_ranks(*std::move(ranks), why_not_shared(settings));
  return settings;
}

// Never destroyed: workers outlive the destructors of static objects. No local static: a child of fork() may find
// the guard of such a variable taken for ever, where fork() takes this lock.
// Memory order: the acquire (1) of a thread that finds the settings pairs with the release (2); it sees, too, what
// was set beside them.
constinit plat::atomic<const Settings*> read_settings{nullptr};
constinit pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

[[gnu::cold, gnu::noinline]] const Settings& read_once() noexcept {
  const Uncancelled uncancelled;  // a warning is written under the lock
  hold_settings();
  const Settings* found = read_settings.load(std::memory_order_relaxed);
  if (found == nullptr) {
    found = new Settings(of_this_process());
    read_settings.store(found, std::memory_order_release);  // (2)
  }
  release_settings();
  return *found;
}

}  // namespace

Settings parse(const Environment& environment, std::vector<std::string>& warnings) {
  Settings settings;
  const std::size_t earlier = warnings.size();
  const Given given = collect(environment, warnings);
  for (std::size_t row = 0; row < rows().size(); ++row)
    settings.origins[row] = resolve(rows()[row], given.values[row], settings, warnings);
  settings.without_effect = given.without_effect;
  derive(settings);
  if (!settings.warnings) warnings.resize(earlier);
  return settings;
}

std::string_view variable_of(const Settings& settings, std::string_view name) noexcept {
  const std::size_t row = index_of_row(name);
  const int winner = settings.origins[row].winner;
  return winner < 0 ? name : rows()[row].used()[static_cast<std::size_t>(winner)].variable;
}

void hold_settings() noexcept { pthread_mutex_lock(&reading); }
void release_settings() noexcept { pthread_mutex_unlock(&reading); }

const Settings& settings() noexcept {
  const Settings* const found = read_settings.load(std::memory_order_acquire);  // (1)
  return found != nullptr ? *found : read_once();
}

}  // namespace vicino::config
