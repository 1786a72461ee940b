#include "team/rules.hpp"

#include <unistd.h>

#include <memory>

#include "base/say.hpp"
#include "config/selection.hpp"
#include "config/settings.hpp"
#include "team/chains.hpp"
#include "team/counts.hpp"

namespace vicino::team {
namespace {

struct Rules {
  std::vector<config::Rule> all;
  std::unique_ptr<plat::atomic<bool>[]> met;  // by rule: whether a loop was found for it
  pid_t process = getpid();                   // a child of fork() has met only its own loops
};

Rules read_rules() {
  const std::string& file = config::settings().config_file;
  if (file.empty()) return {};
  auto read = config::read_rules(file);
  if (!read) {
    say("VICINO_CONFIG: %s; no rule of this file is used", read.error().c_str());
    return {};
  }
  const std::size_t count = read->size();
  return {*std::move(read), std::make_unique<plat::atomic<bool>[]>(count)};
}

const Rules& the_rules() {
  static const Rules& instance = *new Rules(read_rules());  // threads outlive main()
  return instance;
}

constexpr std::size_t kMostPlaces = 1 << 16;
constinit Chains<Ruled, kMostPlaces> places;

const config::Rule* first_match(const CallSite& call) {
  const config::Location location = locate(call);
  const Rules& all = the_rules();
  for (std::size_t i = 0; i < all.all.size(); ++i) {
    if (!config::matches(all.all[i], location)) continue;
    all.met[i].store(true, std::memory_order_relaxed);
    return &all.all[i];
  }
  return nullptr;
}

// In a program that used OpenMP at all: others run on Vicino as children of one that does.
[[gnu::destructor]] void tell_of_idle_rules() {
  if (config::settings().config_file.empty() || !any_counts()) return;
  const Rules& all = the_rules();
  if (all.process != getpid()) return;
  for (std::size_t i = 0; i < all.all.size(); ++i)
    if (!all.met[i].load(std::memory_order_relaxed))
      say("VICINO_CONFIG: %s:%u: no loop was found for this rule%s",
          config::settings().config_file.c_str(), all.all[i].written_at,
          all.all[i].file.empty() && all.all[i].line == 0
              ? ""
              : "; files and lines are known of programs that clang or flang compiled with -g");
}

}  // namespace

const loop::Selection& Ruled::schedule() const noexcept { return rule->schedule; }

void Ruled::refuse(const CallSite& call, const char* why) noexcept {
  if (refused_.exchange(true, std::memory_order_relaxed)) return;
  say("VICINO_CONFIG: %s:%u: %.*s is not for the loop at %s: %s",
      config::settings().config_file.c_str(), rule->written_at,
      static_cast<int>(schedule().row->name.size()), schedule().row->name.data(),
      describe(call).c_str(), why);
}

const std::vector<config::Rule>& rules() { return the_rules().all; }

Ruled* rule_for(const CallSite& call) {
  if (call.address == nullptr) return nullptr;
  const auto is_it = [&](const Ruled& place) { return place.address == call.address; };
  Ruled* place = places.look(call.address, is_it);
  if (place == nullptr) {
    const config::Rule* rule = first_match(call);
    place = places.find(call.address, is_it, [&] {
      auto* made = new Ruled;
      made->address = call.address;
      made->rule = rule;
      return made;
    });
  }
  return place != nullptr && place->rule != nullptr ? place : nullptr;
}

}  // namespace vicino::team
