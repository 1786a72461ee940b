#include "site/rules.hpp"

#include <unistd.h>

#include <memory>

#include "base/say.hpp"
#include "config/selection.hpp"
#include "config/settings.hpp"
#include "site/chains.hpp"
#include "site/counts.hpp"

namespace vicino::site {
namespace {

// What became of a rule. Relaxed: each field stands for itself, nothing else is read because of
// it, and only the report at the process's end reads it.
struct Fate {
  plat::atomic<bool> met{false};           // a loop was found for it
  plat::atomic<bool> met_taskloop{false};  // a taskloop was found, but rules are not for taskloops
  plat::atomic<uint32_t> before{0};        // the line of an earlier rule that has one of its loops
};

struct Rules {
  std::vector<config::Rule> all;
  std::unique_ptr<Fate[]> fates;  // by rule
  pid_t process = getpid();       // a child of fork() does not report: it met only its loops
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
  return {*std::move(read), std::make_unique<Fate[]>(count)};
}

const Rules& the_rules() {
  static const Rules& instance = *new Rules(read_rules());  // threads outlive main()
  return instance;
}

constexpr std::size_t kMostPlaces = 1 << 16;
constinit Chains<Ruled, kMostPlaces> places;
constinit plat::atomic<bool> some_refused{false};  // relaxed: for a message only

using RuleOf = const config::Rule*(const CallSite& call);

const config::Rule* first_match(const CallSite& call) {
  const config::Location location = locate(call);
  const Rules& all = the_rules();
  const config::Rule* first = nullptr;
  for (std::size_t i = 0; i < all.all.size(); ++i) {
    if (!config::matches(all.all[i], location)) continue;
    if (first == nullptr) {
      first = &all.all[i];
      all.fates[i].met.store(true, std::memory_order_relaxed);
    } else {
      all.fates[i].before.store(first->written_at, std::memory_order_relaxed);
    }
  }
  return first;
}

template <class IsIt>
Ruled* make_place(const CallSite& call, RuleOf* rule_of, IsIt is_it) {
  const config::Rule* const rule = rule_of(call);  // not under the Cold lock
  return places.find(call.address, is_it, [&] {
    auto* made = new Ruled;
    made->address = call.address;
    made->rule = rule;
    return made;
  });
}

// Null if there are too many places. Once the table is full, places beyond it do not have their
// names looked up at each execution (C4 of chains.hpp).
Ruled* place_for(const CallSite& call, RuleOf* rule_of) {
  const auto is_it = [&](const Ruled& place) { return place.address == call.address; };
  if (Ruled* const known = places.look(call.address, is_it)) return known;
  Ruled* const place = places.made() == kMostPlaces ? places.look(call.address, is_it)
                                                    : make_place(call, rule_of, is_it);
  if (place == nullptr && !some_refused.load(std::memory_order_relaxed))
    some_refused.store(true, std::memory_order_relaxed);
  return place;
}

// Gives no rule, but marks the rules that match the taskloop.
const config::Rule* of_taskloop(const CallSite& call) {
  const config::Location location = locate(call);
  const Rules& all = the_rules();
  for (std::size_t i = 0; i < all.all.size(); ++i)
    if (config::matches(all.all[i], location))
      all.fates[i].met_taskloop.store(true, std::memory_order_relaxed);
  return nullptr;
}

// Why no loop uses the rule.
std::string why_idle(const config::Rule& rule, const Fate& fate) {
  if (const uint32_t line = fate.before.load(std::memory_order_relaxed); line != 0)
    return "an earlier rule, in line " + std::to_string(line) + ", has what this rule speaks of";
  if (fate.met_taskloop.load(std::memory_order_relaxed))
    return "only a taskloop was found for this rule, and rules are for loops";
  std::string why = "no loop was found for this rule";
  if (some_refused.load(std::memory_order_relaxed))
    why += " among the first " + std::to_string(kMostPlaces) +
           " call sites; those after them have no rules";
  if (!rule.file.empty() || rule.line != 0)
    why += "; files and lines are known of programs that clang compiled with -g, of flang's lines";
  return why;
}

}  // namespace

const loop::Selection& Ruled::schedule() const noexcept { return rule->schedule; }

void Ruled::refuse(const CallSite& call, const char* why) noexcept {
  if (refused_.exchange(true, std::memory_order_relaxed)) return;  // one thread gets false
  say("VICINO_CONFIG: %s:%u: %s is not for the loop at %s: %s",
      config::settings().config_file.c_str(), rule->written_at, rule->written.c_str(),
      describe(call).c_str(), why);
}

const std::vector<config::Rule>& rules() { return the_rules().all; }

Ruled* rule_for(const CallSite& call) {
  if (call.address == nullptr) return nullptr;
  Ruled* const place = place_for(call, first_match);
  return place != nullptr && place->rule != nullptr ? place : nullptr;
}

void note_taskloop(const CallSite& call) {
  if (call.address != nullptr) place_for(call, of_taskloop);
}

// Only a program that has used OpenMP tells: other programs get the settings from a parent that
// does.
void tell_of_idle_rules() {
  if (config::settings().config_file.empty() || !any_counts()) return;
  const Rules& all = the_rules();
  if (all.process != getpid()) return;
  for (std::size_t i = 0; i < all.all.size(); ++i)
    if (!all.fates[i].met.load(std::memory_order_relaxed))
      say("VICINO_CONFIG: %s:%u: %s", config::settings().config_file.c_str(), all.all[i].written_at,
          why_idle(all.all[i], all.fates[i]).c_str());
}

}  // namespace vicino::site
