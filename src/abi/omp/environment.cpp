// environment.cpp: OpenMP's routines on tasks' state, resources, tools and the display of settings.
#include <cstdio>

#include "abi/api.hpp"
#include "abi/children.hpp"
#include "abi/omp/get.hpp"
#include "abi/omp/target_memory.hpp"
#include "base/out_of_memory.hpp"
#include "base/say.hpp"
#include "base/uncancelled.hpp"
#include "config/settings.hpp"
#include "event/caller.hpp"
#include "event/sync.hpp"
#include "region/fork.hpp"
#include "site/site_rule.hpp"
#include "team/waiting.hpp"
#include "team/worker.hpp"
#include "topo/allowance.hpp"

using namespace vicino;

namespace {

// omp_pause_resource_t
constexpr int kSoft = 1, kHard = 2;

// Gives the threads back; 0 means success. It fails inside a region.
int pause(int kind) {
  if (kind != kSoft && kind != kHard) return -1;
  team::Member& member = team::me();
  if (member.team->parent != nullptr) return -1;
  region::dissolve_teams(*member.worker);
  return 0;
}
int pause_device(int kind, int device) { return abi::is_initial_device(device) ? pause(kind) : -1; }

// omp_control_tool_result_t, if the tool does not answer itself.
constexpr int kNoTool = -2, kNoCallback = -1;

// `watched`: there is a tool, and it knows where the call came from.
int control_tool(bool watched, int command, int modifier, void* argument) {
  return watched ? event::control_tool(command, modifier, argument, kNoCallback) : kNoTool;
}

// Shows the settings, with the machine's defaults where the user set nothing.
void display_env(bool verbose) {
  const Uncancelled uncancelled;
  config::Settings s = config::settings();
  if (s.num_threads.empty()) s.num_threads = {team::default_threads()};
  const std::string text = config::display_env(s, verbose);
  fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

VICINO_GET(int, omp_in_final,
           team::self != nullptr && team::self->tasks.recorded->is(team::Task::kFinal))
VICINO_GET(int, omp_in_explicit_task,
           team::self != nullptr && team::self->task().is(team::Task::kExplicit))
VICINO_GET(int, omp_get_max_task_priority, config::settings().max_task_priority)

VICINO_API int omp_pause_resource(int kind, int device) { return pause_device(kind, device); }
VICINO_API int omp_pause_resource_(const int* kind, const int* device) {
  return pause_device(*kind, *device);
}
VICINO_API int omp_pause_resource_all(int kind) { return pause(kind); }
VICINO_API int omp_pause_resource_all_(const int* kind) { return pause(*kind); }
VICINO_API int __kmpc_pause_resource(int kind) { return pause(kind); }

VICINO_API int omp_control_tool(int command, int modifier, void* argument) {
  return control_tool(VICINO_WATCHED(), command, modifier, argument);
}
VICINO_API int omp_control_tool_(const int* command, const int* modifier, void* argument) {
  return control_tool(VICINO_WATCHED(), *command, *modifier, argument);
}

VICINO_API void omp_display_env(int verbose) { display_env(verbose != 0); }
VICINO_API void omp_display_env_(const int* verbose) { display_env(*verbose != 0); }
VICINO_API void omp_display_env_8_(const int64_t* verbose) { display_env(*verbose != 0); }

// This runs at load: OMP_DISPLAY_ENV wants its output before main(), and the program may later
// leave the folder in which a file of rules lies.
namespace {
[[gnu::constructor]] void begin_process() {
  say_when_out_of_memory();
  abi::look_up_wrapped();
  const config::Settings& s = config::settings();
  set_warnings(s.warnings);
  if (s.display_env != config::DisplayEnv::kFalse)
    display_env(s.display_env == config::DisplayEnv::kVerbose);
  site::rules();
  // Made here, because a routine that asks for the blocktime does not make its thread a root, and so
  // holds no lock that fork() takes.
  team::blocktime();
}
}  // namespace
