// rules.hpp: the rules for single loops (config/rules.hpp), as loops meet them.
//
// Cost   none without rules: a team knows whether there are any. With rules, a look into a hash
//        table for each loop and member; the first time, what code.hpp does.
#pragma once

#include "plat/plat.hpp"
#include "team/code.hpp"

namespace vicino::team {

// A place in the program that a rule speaks of.
class Ruled {
 public:
  const loop::Selection& schedule() const noexcept;

  // The loop cannot be given the rule's schedule: says so, once.
  void refuse(const CallSite& call, const char* why) noexcept;

  const void* address = nullptr;
  const config::Rule* rule = nullptr;  // null: none does
  Ruled* next = nullptr;               // in its chain

 private:
  plat::atomic<bool> refused_{false};
};

// The rules of this process: read at first use, and if they cannot be, none and a warning.
const std::vector<config::Rule>& rules();

// The first rule that speaks of the loop, or null. The same answer for each thread and each time.
Ruled* rule_for(const CallSite& call);

// A taskloop is met, of which rules that have no loop are to tell.
void note_taskloop(const CallSite& call);

}  // namespace vicino::team
