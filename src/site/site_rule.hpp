// site_rule.hpp: the rule for a single loop (config/rules.hpp), found when a thread first begins
// the loop.
//
// Cost   none without rules: a team knows whether there are any (TeamOptions::has_rules). The first
//        execution of a loop does what code.hpp does.
//
// Memory order: relaxed. A rule is a number, and the list that it is a number of is complete before
// any thread can have the number.
#pragma once

#include <cstdint>
#include <vector>

#include "plat/plat.hpp"

namespace vicino::config {
struct ModuleRule;
struct Rule;
}

namespace vicino::site {

struct CallSite;
class Site;

// What the rules say of one call site; the site holds it.
class SiteRule {
 public:
  // The first rule that matches, or null. All threads get the same answer at all times.
  const config::Rule* of_loop(const CallSite& call) noexcept;

  // A taskloop was met. A rule that no loop uses, but that matches the taskloop, will say so.
  void note_taskloop(const CallSite& call) noexcept;

  // Says, once, that the loop cannot have the rule's schedule.
  void refuse(const config::Rule& rule, const CallSite& call, const char* why) noexcept;

 private:
  static constexpr int32_t kUnknown = -2, kNone = -1;

  plat::atomic<int32_t> rule_{kUnknown};  // its number in rules()
  plat::atomic<bool> refused_{false};
};

// The rules of this process, read at first use. If the file cannot be read there are none, and a
// warning.
const std::vector<config::Rule>& rules();
const std::vector<config::ModuleRule>& module_rules();

// Names the rules that no loop was found for. At the process's end.
void tell_of_idle_rules();

}  // namespace vicino::site
