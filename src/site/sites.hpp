// sites.hpp: the call sites of constructs: one record for each, found by one look into a hash table.
//
// A site is known by the address that called the runtime, or by the function of a region. Its
// record holds
//  - the rule for it, if VICINO_CONFIG has one: site_rule.hpp;
//  - what each schedule has learned there, and statistics: loop_record.hpp;
//  - what the tuner knows of it: tuned_site.hpp.
//
// Cost   Only a construct that needs one of these asks. A thread asks once for each execution and
//        hands the record on.
// Bound  Site::kMost sites, which live as long as the process. What comes later has no record.
#pragma once

#include <string>
#include <vector>

#include "site/call_site.hpp"
#include "site/chains.hpp"
#include "site/site_rule.hpp"

namespace vicino::site {

class LoopRecord;
class TunedSite;

class Site {
 public:
  static constexpr std::size_t kMost = 1 << 16;

  explicit Site(const CallSite& call)
      : address_(call.address), source_(call.source != nullptr ? call.source : "") {}

  const void* address() const noexcept { return address_; }
  CallSite call() const noexcept { return {address_, source_.empty() ? nullptr : source_.c_str()}; }

  Chain<LoopRecord> records{};
  Chain<TunedSite> tuned{};
  SiteRule rule;
  // What the place's taskloops have taken before the tuner began with them. Relaxed: it decides only
  // when that is.
  plat::atomic<uint64_t> untuned_ns{0};
  Site* next = nullptr;  // in its chain

 private:
  const void* const address_;
  const std::string source_;  // a copy: a library may be unloaded with the original
};

// The record of the site. Null for a call without an address, and for sites beyond Site::kMost; all
// threads get the same answer.
Site* at(const CallSite& call);

// Whether at() has ever given null because there were Site::kMost others.
bool were_too_many_sites() noexcept;

// In no order.
std::vector<Site*> all_sites();

// A call site whose record is looked up when it is first asked for. One thread uses it.
class LazySite {
 public:
  explicit LazySite(const CallSite& call) noexcept : call_(call) {}
  explicit LazySite(Site& known) noexcept : call_(known.call()), site_(&known), asked_(true) {}
  const CallSite& call() const noexcept { return call_; }
  // As at().
  Site* get() {
    if (!asked_) site_ = at(call_);
    asked_ = true;
    return site_;
  }

 private:
  const CallSite call_;
  Site* site_ = nullptr;
  bool asked_ = false;
};

}  // namespace vicino::site
