#include "site/untuned_taskloops.hpp"

#include "config/settings.hpp"
#include "plat/plat.hpp"

namespace vicino::site {
namespace {

constexpr Untuned kAll[] = {Untuned::kBySetting, Untuned::kAtOnce,    Untuned::kPriority,
                            Untuned::kFewTasks,  Untuned::kManyTasks, Untuned::kMayCancel,
                            Untuned::kTooLittle};

// A bit for each reason. Relaxed: each bit stands for itself, and only the report at the process's
// end reads them.
plat::atomic<uint32_t> noted{0};
uint32_t bit_of(Untuned why) noexcept { return 1u << static_cast<unsigned>(why); }

std::string text_of(Untuned why) {
  switch (why) {
    case Untuned::kBySetting:
      return config::settings().taskloop == config::Taskloop::kFlat
                 ? "VICINO_TASKLOOP=flat gives taskloops to all threads"
                 : "VICINO_TASKLOOP=hierarchical gives taskloops to all threads";
    case Untuned::kAtOnce:
      return "the thread that met a taskloop had to run its tasks at once";
    case Untuned::kPriority:
      return "a taskloop has a priority";
    case Untuned::kFewTasks:
      return "a taskloop has fewer tasks, by its clause, than its team has threads";
    case Untuned::kManyTasks:
      return "a taskloop has more tasks, by its clause, than the tuner can divide";
    case Untuned::kMayCancel:
      return "the tasks of a taskloop hold objects, and OMP_CANCELLATION=true";
    case Untuned::kTooLittle:
      return "all executions of a taskloop took too little time to pay for trying anything";
  }
  return "";
}

}  // namespace

void note_untuned_taskloop(Untuned why) noexcept {
  if ((noted.load(std::memory_order_relaxed) & bit_of(why)) == 0)
    noted.fetch_or(bit_of(why), std::memory_order_relaxed);
}

std::vector<std::string> why_taskloops_are_not_tuned() {
  const uint32_t bits = noted.load(std::memory_order_relaxed);
  std::vector<std::string> phrases;
  for (const Untuned why : kAll)
    if ((bits & bit_of(why)) != 0) phrases.push_back(text_of(why));
  return phrases;
}

}  // namespace vicino::site
