#include "site/sites.hpp"

namespace vicino::site {
namespace {

constinit ByAddress<Site, Site::kMost> sites;
constinit plat::atomic<bool> some_refused{false};  // relaxed: for messages only

}  // namespace

Site* at(const CallSite& call) {
  if (call.address == nullptr) return nullptr;
  Site* const site = sites.find(
      call.address, [&](const Site& s) { return s.address() == call.address; },
      [&] { return new Site(call); });
  if (site == nullptr && !were_too_many_sites())
    some_refused.store(true, std::memory_order_relaxed);
  return site;
}

bool were_too_many_sites() noexcept { return some_refused.load(std::memory_order_relaxed); }

std::vector<Site*> all_sites() {
  std::vector<Site*> found;
  sites.for_each([&](Site& site) { found.push_back(&site); });
  return found;
}

}  // namespace vicino::site
