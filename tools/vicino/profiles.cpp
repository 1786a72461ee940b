#include "profiles.hpp"

#include "config/settings.hpp"
#include "say.hpp"
#include "source_lines.hpp"
#include "topo/identity.hpp"
#include "topo/machine.hpp"
#include "tune/profile_file.hpp"

namespace vicino::cli {

tune::Profile read_profile(const std::string& file) {
  auto profile = tune::read_profile_file(file);
  if (!profile) throw Failure(kUsage, profile.error());
  return *std::move(profile);
}

void name_lines(tune::Profile& profile) {
  std::vector<CodePlace> places;
  std::vector<tune::ProfileEntry*> entries;
  for (tune::ProfileEntry& entry : profile) {
    if (entry.binary.empty() || entry.key.object.empty() || is_source_line(entry.where)) continue;
    // A place without an offset is a function of gcc's, which is the construct itself; others are where a call comes back to.
    const bool is_call = entry.where.find("+0x") != std::string::npos;
    places.push_back({entry.binary, entry.key.object, entry.key.offset - (is_call ? 1 : 0)});
    entries.push_back(&entry);
  }
  const std::vector<std::string> found = source_lines(places);
  for (size_t i = 0; i < entries.size(); ++i)
    if (!found[i].empty()) entries[i]->where = found[i];
}

std::string this_machine() {
  config::settings();  // they may name another machine
  return topo::identity(topo::Machine::here());
}

const std::string& the_file(const Words& files, const std::string& command) {
  if (files.empty()) throw Failure(kUsage, command + ": no profile is given");
  if (files.size() > 1)
    throw Failure(kUsage,
                  fmt::format("{}: '{}' is a second file; it takes one", command, files[1]));
  return files.front();
}

}  // namespace vicino::cli
