#include "site/site_rule.hpp"

#include <unistd.h>

#include <memory>

#include "base/first_folder.hpp"
#include "base/say.hpp"
#include "config/selection.hpp"
#include "config/settings.hpp"
#include "site/code.hpp"
#include "site/counts.hpp"
#include "site/sites.hpp"

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
  std::vector<config::ModuleRule> modules;
  pid_t process = getpid();       // a child of fork() does not report: it met only its loops
};

Rules read_rules() {
  const std::string& file = config::settings().config_file;
  if (file.empty()) return {};
  auto read = config::read_rules(from_first_folder(file));
  if (!read) {
    say("VICINO_CONFIG: %s; no rule of this file is used", read.error().c_str());
    return {};
  }
  const std::size_t count = read->loops.size();
  return {std::move(read->loops), std::make_unique<Fate[]>(count), std::move(read->modules)};
}

const Rules& the_rules() {
  static const Rules& instance = *new Rules(read_rules());  // threads outlive main()
  return instance;
}

// The number of the first rule that matches; -1 if none does.
int32_t first_match(const CallSite& call) {
  const config::Location location = locate(call);
  const Rules& all = the_rules();
  int32_t first = -1;
  for (std::size_t i = 0; i < all.all.size(); ++i) {
    if (!config::matches(all.all[i], location)) continue;
    if (first < 0) {
      first = static_cast<int32_t>(i);
      all.fates[i].met.store(true, std::memory_order_relaxed);
    } else {
      const uint32_t line = all.all[static_cast<std::size_t>(first)].written_at;
      all.fates[i].before.store(line, std::memory_order_relaxed);
    }
  }
  return first;
}

// Marks the rules that match the taskloop.
void mark_for_taskloop(const CallSite& call) {
  const config::Location location = locate(call);
  const Rules& all = the_rules();
  for (std::size_t i = 0; i < all.all.size(); ++i)
    if (config::matches(all.all[i], location))
      all.fates[i].met_taskloop.store(true, std::memory_order_relaxed);
}

// Why no loop uses the rule.
std::string why_idle(const config::Rule& rule, const Fate& fate) {
  if (const uint32_t line = fate.before.load(std::memory_order_relaxed); line != 0)
    return "an earlier rule, in line " + std::to_string(line) + ", has what this rule speaks of";
  if (fate.met_taskloop.load(std::memory_order_relaxed))
    return "only a taskloop was found for this rule, and rules are for loops";
  std::string why = "no loop was found for this rule";
  if (were_too_many_sites())
    why += " among the first " + std::to_string(Site::kMost) +
           " call sites; those after them have no rules";
  if (!rule.file.empty() || rule.line != 0)
    why += "; files and lines are known of programs that clang compiled with -g, of flang's lines";
  return why;
}

}  // namespace

const std::vector<config::Rule>& rules() { return the_rules().all; }
const std::vector<config::ModuleRule>& module_rules() { return the_rules().modules; }

const config::Rule* SiteRule::of_loop(const CallSite& call) noexcept {
  int32_t rule = rule_.load(std::memory_order_relaxed);
  if (rule == kUnknown) [[unlikely]] {
    const int32_t found = first_match(call);
    if (rule_.compare_exchange_strong(rule, found, std::memory_order_relaxed)) rule = found;
  }
  return rule == kNone ? nullptr : &rules()[static_cast<std::size_t>(rule)];
}

void SiteRule::note_taskloop(const CallSite& call) noexcept {
  if (rule_.load(std::memory_order_relaxed) != kUnknown) return;
  mark_for_taskloop(call);
  rule_.store(kNone, std::memory_order_relaxed);
}

void SiteRule::refuse(const config::Rule& rule, const CallSite& call, const char* why) noexcept {
  if (refused_.exchange(true, std::memory_order_relaxed)) return;  // one thread gets false
  say("VICINO_CONFIG: %s:%u: %s is not for the loop at %s: %s",
      config::settings().config_file.c_str(), rule.written_at, rule.written.c_str(),
      describe(call).c_str(), why);
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
