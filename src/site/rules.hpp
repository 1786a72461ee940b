// rules.hpp: finds the rule for a single loop (config/rules.hpp) when a thread begins the loop.
//
// Cost   none without rules: a team knows whether there are any (TeamOptions::has_rules). With
//        rules, a look into a hash table for each loop and member; the first time, what code.hpp
//        does.
#pragma once

#include "plat/plat.hpp"
#include "site/code.hpp"

namespace vicino::site {

// A place in the program, with the rule that matches it.
class Ruled {
 public:
  const loop::Selection& schedule() const noexcept;

  // Says, once, that the loop cannot have the rule's schedule.
  void refuse(const CallSite& call, const char* why) noexcept;

  const void* address = nullptr;
  const config::Rule* rule = nullptr;  // null: no rule matches
  Ruled* next = nullptr;               // in its chain

 private:
  plat::atomic<bool> refused_{false};
};

// The rules of this process, read at first use. If the file cannot be read there are none, and a
// warning.
const std::vector<config::Rule>& rules();

// The place of the loop with the first rule that matches, or null. All threads get the same answer
// at all times.
Ruled* rule_for(const CallSite& call);

// A taskloop was met. A rule that no loop uses, but that matches the taskloop, will say so.
void note_taskloop(const CallSite& call);

// Names the rules that no loop was found for. At the process's end.
void tell_of_idle_rules();

}  // namespace vicino::site
