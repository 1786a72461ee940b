// profile.hpp: the profile that VICINO_PROFILE names: read at the process's first call of the
// runtime, and added to when the process exits.
//
// Why    With what an earlier run learnt, the first execution of a loop already runs as it should.
// Cost   for a site that is met for the first time, a look through the loader's list of objects;
//        for others nothing, nor where no profile is kept.
// Ours   a process adds what it saw itself, nothing of what it read, so no run counts twice; and
//        what is of its own sites: a child of fork() has its parent's besides.
// Not    for a file that is no profile: that is left as it is, whatever was learnt.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "team/code.hpp"
#include "tune/profile.hpp"
#include "tune/site_tuner.hpp"

namespace vicino::team {

class TunedSite;
struct SiteKey;

// What a site is in profiles, and what the profile has of it.
struct Remembered {
  tune::ProfileKey key;
  std::string binary;
  const tune::ProfileEntry* entry = nullptr;  // that a site can start from, or null
  tune::Choice choice;                        // what it has found best, if it is at rest
  std::vector<tune::SiteTuner::Tried> tried;  // by the entry, if it is not
  int like = 0;           // bits by which the loops were longer that the choice is of; 0: its own
  int fastest_node = -1;  // of a taskloop; -1 if that is not known
};

// At the process's first call of the runtime, which fork() waits for.
void read_profile();

// Null where no profile is kept, or the call is in an object without a build-id. Takes the loader's
// list of objects: not under the Cold lock, which it may wait for.
std::unique_ptr<Remembered> remembered(const CallSite& call, const SiteKey& key);

// Settled, left alone or as far as in the run that was remembered, if there is anything.
// Otherwise `remembered` has no entry any more.
void start_from(Remembered& remembered, tune::SiteTuner& tuner);

// What is known of the site now, and what this process saw of it. `where` is the caller's to say.
tune::ProfileEntry entry_of(const TunedSite& site, const tune::SiteTuner& tuner);
// Whether what is known comes from the profile alone.
bool is_as_remembered(const TunedSite& site, const tune::SiteTuner& tuner) noexcept;

}  // namespace vicino::team
