// profile.hpp: the profile that VICINO_PROFILE names: read at the process's first call of the
// runtime, and added to when the process exits.
//
// Why    The first execution of a loop already runs with what an earlier run has learnt.
// Cost   for a site that is met for the first time, a walk through the loader's list of objects;
//        nothing for other sites, and nothing where no profile is kept.
// Ours   a process adds what it has measured itself and nothing of what it has read, so no run
//        counts twice. It adds only its own sites: a child of fork() also has its parent's sites.
// Not    for a file that is no profile: Vicino leaves such a file as it is, whatever was learnt.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "site/code.hpp"
#include "tune/profile.hpp"
#include "tune/site_tuner.hpp"

namespace vicino::site {

class TunedSite;
struct SiteKey;

// A site's key in profiles, and what the profile knows of the site.
struct Remembered {
  tune::ProfileKey key;
  std::string binary;
  const tune::ProfileEntry* entry = nullptr;  // the entry that the site can start from, or null
  tune::Choice choice;                        // the best one, if the entry is at rest
  std::vector<tune::SiteTuner::Tried> tried;  // from the entry, if it is not at rest
  // The choice may come from a site with longer loops (1: twice as long) or shorter ones (-1:
  // half). 0: it is the site's own.
  int like = 0;
  int fastest_domain = -1;  // for a taskloop; -1 if it is not known
};

// Called at the process's first call of the runtime (become_root()), which fork() waits for.
void read_profile();

// Null where no profile is kept, or the call is in an object without a build-id. It locks the
// loader's list of objects, and may wait for the Cold lock: the caller must not hold that.
std::unique_ptr<Remembered> remembered(const CallSite& call, const SiteKey& key);

// The tuner starts where the remembered run ended: settled, left alone, or still exploring. If that
// is not possible, `remembered` has no entry afterwards.
void start_from(Remembered& remembered, tune::SiteTuner& tuner);

// What is known of the site now, and what this process has measured. The caller fills in `where`.
tune::ProfileEntry entry_of(const TunedSite& site, const tune::SiteTuner& tuner);
// Whether everything that is known of the site comes from the profile.
bool is_as_remembered(const TunedSite& site, const tune::SiteTuner& tuner) noexcept;

// Adds what this process has learnt to its profile, if it keeps one. At the process's end.
void add_to_profile();

}  // namespace vicino::site
