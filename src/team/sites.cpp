#include "team/sites.hpp"

#include "team/chains.hpp"

namespace vicino::team {
namespace {

constinit Chains<Site, Site::kMost> sites;

}  // namespace

Site::Site(const CallSite& call, const loop::Row& row, uint32_t members)
    : address_(call.address),
      source_(call.source != nullptr ? call.source : ""),
      row_(&row),
      members_(members),
      count_(row.history_words(members)),
      words_(std::make_unique<plat::atomic<uint64_t>[]>(count_)) {}

Site* Site::find(const CallSite& call, const loop::Row& row, uint32_t members) {
  return sites.find(
      call.address,
      [&](const Site& s) {
        return s.address_ == call.address && s.row_ == &row && s.members_ == members;
      },
      [&] { return new Site(call, row, members); });
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

}  // namespace vicino::team
