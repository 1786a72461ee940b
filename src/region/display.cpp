#include "region/display.hpp"

#include <cstdio>
#include <string>

#include "base/uncancelled.hpp"
#include "config/settings.hpp"
#include "plat/plat.hpp"
#include "team/team.hpp"

namespace vicino::region {

void display_env(bool verbose) {
  const Uncancelled uncancelled;
  config::Settings s = config::settings();
  if (s.num_threads.empty()) s.num_threads = {team::default_threads()};
  const std::string text = config::display_env(s, verbose);
  fwrite(text.data(), 1, text.size(), stderr);
}

// Memory order: relaxed, for the exchange alone decides who shows them.
void display_env_if_asked() {
  static constinit plat::atomic<bool> done{false};
  const config::DisplayEnv asked = config::settings().display_env;
  if (asked == config::DisplayEnv::kFalse || done.exchange(true, std::memory_order_relaxed)) return;
  display_env(asked == config::DisplayEnv::kVerbose);
}

}  // namespace vicino::region
