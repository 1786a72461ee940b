#include "region/display.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/file.hpp"
#include "base/uncancelled.hpp"
#include "base/version.hpp"
#include "config/settings.hpp"
#include "plat/plat.hpp"
#include "team/team.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"

namespace vicino::region {

namespace {

// The settings, with what this machine makes of them.
config::Settings settings_here() {
  config::Settings s = config::settings();
  if (s.num_threads.empty()) s.num_threads = {team::default_threads()};
  if (!s.places.empty()) s.places = topo::readable_places(s.places, topo::Machine::here());
  return s;
}

void write(const std::string& text) { write_all(STDERR_FILENO, text); }

}  // namespace

void display_env(bool verbose) {
  const Uncancelled uncancelled;
  write(config::display_env(settings_here(), verbose));
}

// Memory order: relaxed, for the exchange alone decides who shows them.
void display_env_if_asked() {
  static constinit plat::atomic<bool> done{false};
  const config::Settings& s = config::settings();
  const bool displays = s.display_env != config::DisplayEnv::kFalse;
  const bool asked = displays || s.lists_settings || s.version;
  if (!asked || done.exchange(true, std::memory_order_relaxed)) return;
  const Uncancelled uncancelled;
  if (s.version) write(std::string("vicino: version ") + version() + "\n");
  if (displays) display_env(s.display_env == config::DisplayEnv::kVerbose);
  if (s.lists_settings)
    write(config::list_settings(settings_here(), config::Environment::of_process()));
}

}  // namespace vicino::region
