#include "site/metering.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/say.hpp"
#include "config/settings.hpp"
#include "config/words.hpp"
#include "metric/energy.hpp"
#include "metric/perf.hpp"
#include "sync/cold.hpp"
#include "tune/site_tuner.hpp"

namespace vicino::site {
namespace {

using metric::Counter;
using metric::Objective;
using metric::Source;

struct Metering {
  Objective objective = Objective::kTime;
  std::unique_ptr<Source> source;    // null: time
  std::unique_ptr<Counter> machine;  // null if the source counts by thread
};

Metering refuse(const std::string& why) {
  const auto& words = config::ObjectiveWords::kWords;
  const auto asked =
      std::ranges::find(words, config::settings().objective, &config::Word<Objective>::value);
  say("VICINO_OBJECTIVE=%s is not granted, all is tuned for time (%s)", asked->text.data(),
      why.c_str());
  return {};
}

Metering granted() {
  const config::Settings& settings = config::settings();
  if (settings.objective == Objective::kTime || !settings.explore) return {};
  auto source = settings.objective == Objective::kEnergy ? metric::energy_source()
                                                         : metric::perf_source(settings.objective);
  if (!source) return refuse(source.error());
  if ((*source)->is_of_threads()) return {settings.objective, *std::move(source), nullptr};
  auto machine = (*source)->open();
  if (!machine) return refuse(machine.error());
  return {settings.objective, *std::move(source), *std::move(machine)};
}

const Metering& metering() {
  static const auto& its = *new Metering(granted());  // threads outlive main()
  return its;
}

// The counters of all threads that have one. The caller holds the Cold lock.
std::vector<std::unique_ptr<Counter>>& counters() {
  static auto& all = *new std::vector<std::unique_ptr<Counter>>;
  return all;
}

// The caller holds the Cold lock.
Counter* open_counter() {
  static bool refused = false;
  auto opened = metering().source->open();
  if (opened) return counters().emplace_back(*std::move(opened)).get();
  if (!refused)
    say("a thread gets no counter (%s); what it takes part in is not tuned",
        opened.error().c_str());
  refused = true;
  return nullptr;
}

}  // namespace

Objective objective() { return metering().objective; }

double shortest_tuned_ns() {
  const Source* source = metering().source.get();
  return std::max(tune::SiteTuner::kShort, source != nullptr ? source->shortest_ns() : 0);
}

void Timing::start_meter(uint32_t parts) {
  const Metering& its = metering();
  if (its.source == nullptr) return;
  if (its.machine != nullptr)
    meter_.start(*its.machine);
  else
    meter_.start(parts);
}

Counter* Timing::counter_of(ThreadCounter& own) {
  if (metering().machine != nullptr) return nullptr;
  if (!own) {
    const sync::Cold cold;
    own = open_counter();
  }
  return *own;
}

void close_counter(ThreadCounter& own) noexcept {
  if (!own || *own == nullptr) return;
  std::erase_if(counters(), [&](const auto& counter) { return counter.get() == *own; });
}

void forget_counters(ThreadCounter* survivor) noexcept {
  counters().clear();
  if (survivor != nullptr) survivor->reset();
}

}  // namespace vicino::site
