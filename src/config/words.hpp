// words.hpp: the settings whose values are words.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "config/numbers.hpp"
#include "config/settings.hpp"

namespace vicino::config {

template <class Value>
struct Word {
  std::string_view text;
  Value value;
};

template <class Words>
auto find_word(const Words& words, std::string_view text) noexcept
    -> std::optional<std::remove_cvref_t<decltype(words[0].value)>> {
  for (const auto& word : words)
    if (same_word(trim(text), word.text)) return word.value;
  return std::nullopt;
}

// One of a list of words. A value may have several words; the first is the one that is shown.
template <class Vocabulary>
struct Choice {
  using Value = decltype(Vocabulary::kWords[0].value);
  static constexpr std::string_view kAccepted = Vocabulary::kAccepted;
  static std::optional<Value> parse(std::string_view text) noexcept {
    return find_word(Vocabulary::kWords, text);
  }
  static std::string format(Value value) {
    for (const auto& word : Vocabulary::kWords)
      if (word.value == value) return upper_case(word.text);
    return {};
  }
};

struct WaitPolicyWords {
  static constexpr std::string_view kAccepted = "active or passive";
  static constexpr std::array<Word<WaitPolicy>, 2> kWords{
      {{"active", WaitPolicy::kActive}, {"passive", WaitPolicy::kPassive}}};
};

// libomp's own name for nearly the same. Its default `throughput` spins for a while before
// sleeping, so it asks for nothing; `serial` is not offered, since OMP_NUM_THREADS=1 is the same.
struct LibraryWords {
  static constexpr std::string_view kAccepted = "throughput or turnaround";
  static constexpr std::array<Word<WaitPolicy>, 2> kWords{
      {{"throughput", WaitPolicy::kUnset}, {"turnaround", WaitPolicy::kActive}}};
};

struct TaskloopWords {
  static constexpr std::string_view kAccepted = "flat, hierarchical or ilan";
  static constexpr std::array<Word<Taskloop>, 3> kWords{{{"flat", Taskloop::kFlat},
                                                         {"hierarchical", Taskloop::kHierarchical},
                                                         {"ilan", Taskloop::kIlan}}};
};

struct TaskgraphWords {
  static constexpr std::string_view kAccepted = "off or site";
  static constexpr std::array<Word<Taskgraph>, 2> kWords{
      {{"off", Taskgraph::kOff}, {"site", Taskgraph::kSite}}};
};

struct MoldWords {
  static constexpr std::string_view kAccepted = "none or regions";
  static constexpr std::array<Word<Mold>, 2> kWords{
      {{"none", Mold::kNone}, {"regions", Mold::kRegions}}};
};

struct SharingWords {
  static constexpr std::string_view kAccepted = "auto or off";
  static constexpr std::array<Word<Sharing>, 2> kWords{
      {{"auto", Sharing::kAuto}, {"off", Sharing::kOff}}};
};

struct MpiLayerWords {
  static constexpr std::string_view kAccepted = "auto or off";
  static constexpr std::array<Word<MpiLayer>, 2> kWords{
      {{"auto", MpiLayer::kAuto}, {"off", MpiLayer::kOff}}};
};

struct ObjectiveWords {
  using Objective = metric::Objective;
  static constexpr std::string_view kAccepted =
      "time, cycles, llc_misses, node_loads, node_misses or energy";
  static constexpr std::array<Word<Objective>, 6> kWords{
      {{metric::name_of(Objective::kTime), Objective::kTime},
       {metric::name_of(Objective::kCycles), Objective::kCycles},
       {metric::name_of(Objective::kLlcMisses), Objective::kLlcMisses},
       {metric::name_of(Objective::kNodeLoads), Objective::kNodeLoads},
       {metric::name_of(Objective::kNodeMisses), Objective::kNodeMisses},
       {metric::name_of(Objective::kEnergy), Objective::kEnergy}}};
};

struct OffloadWords {
  static constexpr std::string_view kAccepted = "mandatory, disabled or default";
  static constexpr std::array<Word<TargetOffload>, 3> kWords{
      {{"default", TargetOffload::kDefault},
       {"mandatory", TargetOffload::kMandatory},
       {"disabled", TargetOffload::kDisabled}}};
};

struct StaticWords {
  static constexpr std::string_view kAccepted = "auto, equal, kinds, measured or tuned";
  static constexpr std::array<Word<StaticLoops>, 5> kWords{{{"auto", StaticLoops::kAuto},
                                                            {"equal", StaticLoops::kEqual},
                                                            {"kinds", StaticLoops::kKinds},
                                                            {"measured", StaticLoops::kMeasured},
                                                            {"tuned", StaticLoops::kTuned}}};
};

struct PagesWords {
  static constexpr std::string_view kAccepted = "auto, off, blocks or interleave";
  static constexpr std::array<Word<Pages>, 4> kWords{{{"auto", Pages::kAuto},
                                                      {"off", Pages::kOff},
                                                      {"blocks", Pages::kBlocks},
                                                      {"interleave", Pages::kInterleave}}};
};

struct KnownWords {
  static constexpr std::string_view kAccepted = "on, off or random";
  static constexpr std::array<Word<Known>, 3> kWords{
      {{"on", Known::kOn}, {"off", Known::kOff}, {"random", Known::kRandom}}};
};

struct ReductionWords {
  static constexpr std::string_view kAccepted = "critical, atomic or tree";
  static constexpr std::array<Word<ForceReduction>, 3> kWords{
      {{"critical", ForceReduction::kCritical},
       {"atomic", ForceReduction::kAtomic},
       {"tree", ForceReduction::kTree}}};
};

// The words of a flag, and one more.
struct DisplayEnvWord {
  static constexpr std::string_view kAccepted = "true, false or verbose";
  static std::optional<DisplayEnv> parse(std::string_view text) noexcept {
    if (same_word(trim(text), "verbose")) return DisplayEnv::kVerbose;
    const auto shown = Flag::parse(text);
    if (!shown) return std::nullopt;
    return *shown ? DisplayEnv::kTrue : DisplayEnv::kFalse;
  }
  static std::string format(DisplayEnv value) {
    return value == DisplayEnv::kVerbose ? "VERBOSE" : Flag::format(value == DisplayEnv::kTrue);
  }
};

// Where the loading of tools is reported; `disabled` means nowhere.
struct VerboseInit {
  static constexpr std::string_view kAccepted = "disabled, stdout, stderr or a file";
  static std::optional<std::string> parse(std::string_view text) {
    return std::string(same_word(trim(text), "disabled") ? std::string_view() : text);
  }
  static std::string format(const std::string& value) { return value.empty() ? "DISABLED" : value; }
};

}  // namespace vicino::config
