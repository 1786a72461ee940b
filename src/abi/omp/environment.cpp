// environment.cpp: OpenMP's routines on tasks' state, resources, tools and the display of settings.
#include <cstdlib>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/children.hpp"
#include "abi/omp/get.hpp"
#include "abi/omp/target_memory.hpp"
#include "base/out_of_memory.hpp"
#include "config/settings.hpp"
#include "event/start.hpp"
#include "event/sync.hpp"
#include "region/display.hpp"
#include "region/foreign.hpp"
#include "region/roots.hpp"
#include "region/serve.hpp"
#include "site/site_rule.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"

using namespace vicino;

namespace {

// omp_pause_resource_t
constexpr int kSoft = 1, kHard = 2, kStopTool = 3;

// Gives the threads back; 0 means success. It fails inside a region. With kStopTool the tool ends, too, as at the end
// of the program (OpenMP 6.0): for the host alone and for all devices, since the host's interface is the only one.
int pause(int kind) {
  if (kind < kSoft || kind > kStopTool) return -1;
  team::Member& member = region::me();
  if (member.team->parent != nullptr) return -1;
  region::dissolve_teams(*member.worker);
  if (kind == kStopTool) event::shut_down_tool();
  return 0;
}
int pause_device(int kind, int device) { return abi::is_initial_device(device) ? pause(kind) : -1; }

// omp_control_tool_result_t, if the tool does not answer itself.
constexpr int kNoTool = -2, kNoCallback = -1;

// `watched`: there is a tool, and it knows where the call came from.
int control_tool(bool watched, int command, int modifier, void* argument) {
  return watched ? event::control_tool(command, modifier, argument, kNoCallback) : kNoTool;
}

}  // namespace

VICINO_GET(int, omp_in_final, team::self != nullptr && team::self->tasks.standing.is_final())
VICINO_GET(int, omp_in_explicit_task,
           team::self != nullptr && team::self->task().is(team::Task::kExplicit))
VICINO_GET(int, omp_get_max_task_priority, config::settings().max_task_priority)

VICINO_API int omp_pause_resource(int kind, int device) { return pause_device(kind, device); }
VICINO_API int omp_pause_resource_(const int* kind, const int* device) {
  return pause_device(*kind, *device);
}
VICINO_API int kmp_pause_resource_8(int kind, int64_t device) {
  return pause_device(kind, abi::saturated(device));
}
VICINO_API int kmp_pause_resource_8_(const int* kind, const int64_t* device) {
  return pause_device(*kind, abi::saturated(*device));
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

VICINO_API void omp_display_env(int verbose) { region::display_env(verbose != 0); }
VICINO_API void omp_display_env_(const int* verbose) { region::display_env(*verbose != 0); }
VICINO_API void omp_display_env_8_(const int64_t* verbose) { region::display_env(*verbose != 0); }

namespace {

// When the environment is read: as the runtime would read it in whose place this library is. libgomp does as
// it is loaded; OpenMP wants no later change to count. libomp reads at its first call, and programs set its
// variables in main(). A program that needs neither, as Python, has this library preloaded, and loads a
// library for OpenMP when it has set variables for it.
// With VICINO_LEND calls of MPI need the settings, which come before OpenMP's.
bool reads_at_load() {
  return secure_getenv("VICINO_LEND") != nullptr || region::is_needed_at_load();
}

[[gnu::constructor]] void begin_process() {
  say_when_out_of_memory();
  abi::look_up_wrapped();
  if (!reads_at_load()) return topo::Machine::look_after([] { config::settings(); });
  region::display_env_if_asked();
  site::rules();
}
}  // namespace

// libomptarget gives the address of its functions for a tool, which tell of devices. There are none.
VICINO_API void ompt_libomp_connect(void*) {}
