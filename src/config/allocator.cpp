#include "config/allocator.hpp"

#include <bit>

#include "config/text.hpp"
#include "config/words.hpp"

namespace vicino::config {
namespace {

using memory::Access;
using memory::Description;
using memory::Fallback;
using memory::Handle;
using memory::Partition;
using memory::Space;
using memory::SyncHint;
using memory::Traits;

constexpr Word<Handle> kAllocators[] = {{"omp_default_mem_alloc", 1},
                                        {"omp_large_cap_mem_alloc", 2},
                                        {"omp_const_mem_alloc", 3},
                                        {"omp_high_bw_mem_alloc", 4},
                                        {"omp_low_lat_mem_alloc", 5},
                                        {"omp_cgroup_mem_alloc", 6},
                                        {"omp_pteam_mem_alloc", 7},
                                        {"omp_thread_mem_alloc", 8},
                                        {"ompx_gnu_pinned_mem_alloc", memory::kPinnedOfGcc},
                                        {"ompx_gnu_managed_mem_alloc", memory::kManagedOfGcc}};
constexpr Word<Space> kSpaces[] = {
    {"omp_default_mem_space", Space::kDefault},    {"omp_large_cap_mem_space", Space::kLargeCap},
    {"omp_const_mem_space", Space::kConst},        {"omp_high_bw_mem_space", Space::kHighBandwidth},
    {"omp_low_lat_mem_space", Space::kLowLatency}, {"ompx_gnu_managed_mem_space", Space::kDefault}};
constexpr Word<SyncHint> kSyncHints[] = {{"contended", SyncHint::kContended},
                                         {"uncontended", SyncHint::kUncontended},
                                         {"serialized", SyncHint::kSerialized},
                                         {"private", SyncHint::kPrivate}};
constexpr Word<Access> kAccesses[] = {{"all", Access::kAll},
                                      {"cgroup", Access::kCgroup},
                                      {"pteam", Access::kPteam},
                                      {"thread", Access::kThread}};
constexpr Word<Fallback> kFallbacks[] = {{"default_mem_fb", Fallback::kDefaultMemory},
                                         {"null_fb", Fallback::kNull},
                                         {"abort_fb", Fallback::kAbort},
                                         {"allocator_fb", Fallback::kAllocator}};
constexpr Word<Partition> kPartitions[] = {{"environment", Partition::kEnvironment},
                                           {"nearest", Partition::kNearest},
                                           {"blocked", Partition::kBlocked},
                                           {"interleaved", Partition::kInterleaved}};

// The space's number and its allocator's count in one order: that of kAllocators.
static_assert(memory::kDefaultHandle + static_cast<Handle>(Space::kLowLatency) == 5);
std::string name_of(Handle predefined) {
  return std::string(kAllocators[predefined - memory::kDefaultHandle].text);
}

template <class Value, size_t kCount>
std::string list_of(const Word<Value> (&words)[kCount]) {
  std::string list;
  for (size_t i = 0; i < kCount; ++i)
    list.append(i == 0 ? "" : i + 1 == kCount ? " or " : ", ").append(words[i].text);
  return list;
}

// One trait: whether its value is good, and otherwise what is accepted.
struct Trait {
  std::string_view name;
  bool (*set)(std::string_view value, Traits& traits);
  std::string (*accepted)();
};

template <auto kMember, const auto& kWords>
constexpr Trait worded(std::string_view name) {
  return {name,
          [](std::string_view text, Traits& traits) {
            const auto value = find_word(kWords, text);
            if (value) traits.*kMember = *value;
            return value.has_value();
          },
          [] { return list_of(kWords); }};
}

bool set_alignment(std::string_view text, Traits& traits) {
  const auto value = parse_digits(text);
  if (!value || !std::has_single_bit(*value)) return false;
  traits.alignment = *value;
  return true;
}
bool set_pool_size(std::string_view text, Traits& traits) {
  const auto value = parse_digits(text);
  if (!value || *value == 0) return false;
  traits.pool_size = *value;
  return true;
}
bool set_pinned(std::string_view text, Traits& traits) {
  const auto value = Flag::parse(text);
  if (value) traits.pinned = *value;
  return value.has_value();
}
bool set_fallback_to(std::string_view text, Traits& traits) {
  const auto handle = find_word(kAllocators, text);
  if (handle) traits.fallback_to = memory::find(*handle);
  return handle.has_value();
}

constexpr Trait kTraits[] = {
    worded<&Traits::sync_hint, kSyncHints>("sync_hint"),
    {"alignment", set_alignment, [] { return std::string("a power of two"); }},
    worded<&Traits::access, kAccesses>("access"),
    {"pool_size", set_pool_size, [] { return std::string("a positive number of bytes"); }},
    worded<&Traits::fallback, kFallbacks>("fallback"),
    {"fb_data", set_fallback_to, [] { return list_of(kAllocators); }},
    {"pinned", set_pinned, [] { return std::string(Flag::kAccepted); }},
    worded<&Traits::partition, kPartitions>("partition"),
};

// What is wrong with "trait=value"; empty if nothing is.
std::string read_trait(std::string_view item, Traits& traits) {
  const Halves halves = split_first(item, '=');
  for (const Trait& trait : kTraits) {
    if (!same_word(trait.name, halves.head)) continue;
    if (halves.rest && trait.set(trim(*halves.rest), traits)) return {};
    return std::string(trait.name).append(" is not ").append(trait.accepted());
  }
  std::string names;
  for (const Trait& trait : kTraits) names.append(names.empty() ? "" : ", ").append(trait.name);
  return quoted(halves.head).append(" is no trait; there are ").append(names);
}

}  // namespace

Result<ChosenAllocator> read_allocator(std::string_view text) {
  const Halves halves = split_first(text, ':');
  ChosenAllocator chosen{.text = std::string(trim(text)), .own = std::nullopt};
  if (const auto handle = find_word(kAllocators, halves.head); handle && !halves.rest) {
    chosen.predefined = *handle;
    return chosen;
  }
  const auto space = find_word(kSpaces, halves.head);
  if (!space) return Error{std::string("not ").append(AllocatorText::kAccepted)};
  if (!halves.rest) {  // without traits it is the predefined allocator of the space
    chosen.predefined = memory::kDefaultHandle + static_cast<Handle>(*space);
    chosen.text = name_of(chosen.predefined);
    return chosen;
  }
  chosen.own = Description{.space = *space, .traits = {}};
  Traits& traits = chosen.own->traits;
  std::string wrong;
  for_each_item(*halves.rest, [&](std::string_view item) {
    wrong = read_trait(item, traits);
    return wrong.empty();
  });
  if (!wrong.empty()) return Error{std::move(wrong)};
  if (traits.fallback == Fallback::kAllocator && traits.fallback_to == nullptr)
    return Error{"fallback=allocator_fb needs fb_data, an allocator"};
  return chosen;
}

std::optional<ChosenAllocator> AllocatorText::parse(std::string_view text) {
  auto chosen = read_allocator(text);
  if (!chosen) return std::nullopt;
  return *std::move(chosen);
}

}  // namespace vicino::config
