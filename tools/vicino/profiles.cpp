#include "profiles.hpp"

#include "config/settings.hpp"
#include "say.hpp"
#include "topo/identity.hpp"
#include "topo/machine.hpp"
#include "tune/profile_file.hpp"

namespace vicino::cli {

tune::Profile read_profile(const std::string& file) {
  auto profile = tune::read_profile_file(file);
  if (!profile) throw Failure(kUsage, profile.error());
  return *std::move(profile);
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
