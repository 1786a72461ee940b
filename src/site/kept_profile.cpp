#include "site/kept_profile.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/first_folder.hpp"
#include "base/first_made.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "site/code.hpp"
#include "topo/describe.hpp"
#include "topo/identity.hpp"
#include "topo/machine.hpp"
#include "tune/profile_file.hpp"

namespace vicino::site {
namespace {

using tune::ProfileEntry;

const KeptProfile* read() {
  const std::string* const path = path_of_profile();
  if (path == nullptr) return nullptr;
  const topo::Machine& machine = topo::Machine::here();
  auto* kept = new KeptProfile{topo::identity(machine), topo::counts_of(machine), {}};
  auto entries = tune::read_profile_file(*path, true);
  if (entries) {
    kept->entries = *std::move(entries);
  } else {
    kept->refused = true;
    say("VICINO_PROFILE: %s; it is not used, and stays as it is", entries.error().c_str());
  }
  return kept;
}

}  // namespace

const ProfileEntry* KeptProfile::find(const tune::ProfileKey& key) const noexcept {
  const auto found = std::ranges::lower_bound(entries, key, {}, &ProfileEntry::key);
  return found != entries.end() && found->key == key ? &*found : nullptr;
}

const std::string* path_of_profile() noexcept {
  static constinit FirstMade<const std::string> known;
  const std::string& path = known.get([] {
    const std::string& set = config::settings().profile;
    return set.empty() ? std::string() : from_first_folder(set);
  });
  return path.empty() ? nullptr : &path;
}

const KeptProfile* kept_profile() {
  static const KeptProfile* const instance = read();  // never destroyed: threads outlive main()
  return instance;
}

std::optional<PlaceInProfile> place_in_profile(const void* address) {
  if (kept_profile() == nullptr) return std::nullopt;
  CodeObject object = object_at(address);
  if (object.build_id.empty()) return std::nullopt;
  PlaceInProfile place;
  place.binary = tune::one_line(name_of(object));
  place.key.object = std::move(object.build_id);
  place.key.offset = reinterpret_cast<uintptr_t>(address) - object.moved_by;
  place.key.machine = kept_profile()->machine;
  return place;
}

void note_place_and_day(ProfileEntry& entry, const CallSite& call) {
  // If the library was unloaded meanwhile, the place is unknown; another library may lie there now.
  if (entry.key.object.empty() || object_at(call.address).build_id == entry.key.object)
    entry.where = tune::one_line(describe(call));
  if (kept_profile() != nullptr) entry.hardware = tune::one_line(kept_profile()->hardware);
  entry.used = static_cast<tune::Day>(time(nullptr) / (24 * 60 * 60));
}

tune::Estimate restored(const tune::Measured& m, double scale) noexcept {
  if (m.low <= 0 || m.cost < m.low || m.high < m.cost || !std::isfinite(scale * m.high)) return {};
  return tune::Estimate::restored(scale * m.cost, {scale * m.low, scale * m.high}, m.samples);
}

uint64_t whole(double amount) noexcept {
  if (amount >= 0x1p64) return UINT64_MAX;
  return amount > 0 ? static_cast<uint64_t>(amount) : 0;
}

}  // namespace vicino::site
