#include "team/sites.hpp"

#include <array>

#include "team/cold.hpp"

namespace vicino::team {
namespace {

constexpr std::size_t kChains = 1024;
constinit std::array<plat::atomic<Site*>, kChains> chains{};
constinit std::size_t made = 0;  // under the Cold lock

plat::atomic<Site*>& chain_of(const CallSite& call) noexcept {
  const auto bits = reinterpret_cast<uintptr_t>(call.address);
  return chains[(bits * 0x9e3779b97f4a7c15u) >> 54];
}

}  // namespace

Site::Site(const CallSite& call, const loop::Row& row, uint32_t members)
    : call_(call),
      row_(&row),
      members_(members),
      count_(row.history_words(members)),
      words_(std::make_unique<plat::atomic<uint64_t>[]>(count_)) {}

Site* Site::find(const CallSite& call, const loop::Row& row, uint32_t members) {
  plat::atomic<Site*>& chain = chain_of(call);
  const auto look = [&]() -> Site* {
    for (Site* s = chain.load(std::memory_order_acquire); s != nullptr; s = s->next_)  // S2
      if (s->call_.address == call.address && s->row_ == &row && s->members_ == members) return s;
    return nullptr;
  };
  if (Site* known = look()) return known;
  const Cold cold;
  if (Site* known = look()) return known;
  if (made == kMost) return nullptr;
  ++made;
  Site* site = new Site(call, row, members);
  site->next_ = chain.load(std::memory_order_relaxed);
  chain.store(site, std::memory_order_release);  // S1
  return site;
}

}  // namespace vicino::team
