// kept_profile.hpp: the profile as the process found it, and what all that is kept in it share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "site/call_site.hpp"
#include "tune/estimate.hpp"
#include "tune/profile.hpp"

namespace vicino::site {

struct KeptProfile {
  std::string machine, hardware;
  tune::Profile entries;
  bool refused = false;  // the file is no profile

  // Null if there is none.
  const tune::ProfileEntry* find(const tune::ProfileKey& key) const noexcept;
};

// Where the profile is; null if none is kept.
const std::string* path_of_profile() noexcept;
// Null if none is kept. The first call reads the file: it is part of become_root().
const KeptProfile* kept_profile();

// Of the key, object, offset and machine are filled in.
struct PlaceInProfile {
  tune::ProfileKey key;
  std::string binary;
};
// None where no profile is kept, or if the address is in an object without a build-id. It locks the
// loader's list of objects, and may wait for the Cold lock: the caller must not hold that.
std::optional<PlaceInProfile> place_in_profile(const void* address);

// At the process's end: where the site is, on what hardware, and that it was used today. It takes
// the Cold lock.
void note_place_and_day(tune::ProfileEntry& entry, const CallSite& call);

// An estimate without samples if the numbers cannot have been measured. `scale`: of its costs to
// those of the profile.
tune::Estimate restored(const tune::Measured& m, double scale = 1) noexcept;
// A count as the profile has it.
uint64_t whole(double amount) noexcept;

}  // namespace vicino::site
