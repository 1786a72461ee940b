#include "site/sites.hpp"

#include "site/chains.hpp"

namespace vicino::site {
namespace {

constinit Chains<Site, Site::kMost> sites;

}  // namespace

Site::Site(const CallSite& call, std::string_view schedule, uint32_t members, std::size_t words)
    : address_(call.address),
      source_(call.source != nullptr ? call.source : ""),
      schedule_(schedule),
      members_(members),
      count_(words),
      words_(std::make_unique<plat::atomic<uint64_t>[]>(count_)) {}

Site* Site::find(const CallSite& call, std::string_view schedule, uint32_t members,
                 std::size_t words) {
  return sites.find(
      call.address,
      [&](const Site& s) {
        return s.address_ == call.address && s.schedule_ == schedule && s.members_ == members;
      },
      [&] { return new Site(call, schedule, members, words); });
}

void remember(const CallSite& call, const loop::Row& row, loop::Plan& plan) {
  if (row.history_words(plan.members) == 0 || call.address == nullptr) return;
  if (Site* site = Site::find(call, row, plan.members)) plan.history = site->history();
}

std::vector<Site*> Site::all() {
  std::vector<Site*> found;
  sites.for_each([&](Site& site) { found.push_back(&site); });
  return found;
}

}  // namespace vicino::site
