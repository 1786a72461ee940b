// defaults.cpp: kmp_set_defaults(): a program sets variables of the environment for itself, as in
// "OMP_NUM_THREADS=4|KMP_BLOCKTIME=0".
//
// The settings are read once, and stay as they are. What a program may also set by a routine is set
// for the calling task, or for the process where the routine does so; anything else gets a message.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/api.hpp"
#include "base/say.hpp"
#include "config/table.hpp"
#include "config/text.hpp"
#include "memory/allocator.hpp"
#include "region/roots.hpp"
#include "region/target.hpp"
#include "team/pool.hpp"
#include "team/waiting.hpp"
#include "team/worker.hpp"

using namespace vicino;
using config::Settings;
using team::Icvs;

namespace {

struct Change {
  std::string_view row;  // of the table of settings
  void (*apply)(const Settings& settings, Icvs& icvs);
};

constexpr Change kChanges[] = {
    {"OMP_NUM_THREADS", [](const Settings& s, Icvs& icvs) { icvs.nthreads = s.num_threads[0]; }},
    {"OMP_DYNAMIC", [](const Settings& s, Icvs& icvs) { icvs.dynamic = s.dynamic; }},
    {"OMP_MAX_ACTIVE_LEVELS",
     [](const Settings& s, Icvs& icvs) { icvs.max_active_levels = s.max_active_levels; }},
    {"OMP_SCHEDULE", [](const Settings& s, Icvs& icvs) { icvs.run_schedule = s.run_schedule; }},
    {"OMP_DEFAULT_DEVICE",
     [](const Settings& s, Icvs& icvs) {
       if (s.default_device) icvs.default_device = *s.default_device;
     }},
    {"OMP_TARGET_OFFLOAD",
     [](const Settings& s, Icvs&) { region::set_target_offload(s.target_offload); }},
    {"OMP_ALLOCATOR",
     [](const Settings& s, Icvs& icvs) { icvs.allocator = team::allocator_of(s.allocator); }},
    {"OMP_STACKSIZE", [](const Settings& s, Icvs&) { team::set_stack_size(s.stack_size); }},
    {"KMP_BLOCKTIME",
     [](const Settings& s, Icvs&) {
       if (s.blocktime_ns) team::set_blocktime(*s.blocktime_ns);
     }},
    {"KMP_WARNINGS", [](const Settings& s, Icvs&) { set_warnings(s.warnings); }},
};

void apply(const Settings& settings, std::string_view row) {
  for (const Change& change : kChanges)
    if (change.row == row) return change.apply(settings, region::writable_icvs_now());
  say("kmp_set_defaults: %s can only be set before the program starts", std::string(row).c_str());
}

void set_defaults(std::string_view text) try {
  std::vector<std::string> entries;
  const auto add = [&entries](std::string_view entry) {
    if (!entry.empty()) entries.emplace_back(entry);
    return true;
  };
  config::for_each_item(text, add, '|');
  std::vector<const char*> pointers;
  for (const std::string& entry : entries) pointers.push_back(entry.c_str());
  std::vector<std::string> warnings;
  const Settings settings = config::parse(config::Environment(pointers), warnings);
  for (const std::string& warning : warnings) say("kmp_set_defaults: %s", warning.c_str());
  for (size_t row = 0; row < config::rows().size(); ++row)
    if (settings.origins[row].winner >= 0) apply(settings, config::rows()[row].name);
} catch (const std::bad_alloc&) {
  say("kmp_set_defaults: out of memory; nothing is set");
}

}  // namespace

VICINO_API void kmp_set_defaults(const char* text) { set_defaults(text != nullptr ? text : ""); }
VICINO_API void kmpc_set_defaults(const char* text) { kmp_set_defaults(text); }
// Fortran passes the length of a text behind all arguments.
VICINO_API void kmp_set_defaults_(const char* text, size_t length) { set_defaults({text, length}); }
