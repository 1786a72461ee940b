// environment.cpp: OpenMP's routines on devices, teams, tasks' state, resources and the display of
// settings. There is one device, the host, and the league has one team.
#include <climits>
#include <cstdio>

#include "abi/api.hpp"
#include "abi/children.hpp"
#include "abi/omp/get.hpp"
#include "base/say.hpp"
#include "config/settings.hpp"
#include "region/fork.hpp"
#include "site/site_rule.hpp"
#include "team/worker.hpp"
#include "topo/allowance.hpp"

using namespace vicino;

namespace {

constexpr int kHost = 0;  // the number after the last device; there are no devices

void set_default_device(int number) { team::writable_icvs_now().default_device = number; }

// omp_pause_resource: gives the threads back; 0 means success. It fails inside a region.
int pause(int) {
  team::Member& member = team::me();
  if (member.team->level > 0) return -1;
  region::dissolve_teams(*member.worker);
  return 0;
}

// Shows the settings, with the machine's defaults where the user set nothing.
void display_env(bool verbose) {
  config::Settings s = config::settings();
  if (s.num_threads.empty()) s.num_threads = {team::default_threads()};
  const std::string text = config::display_env(s, verbose);
  fwrite(text.data(), 1, text.size(), stderr);
}

bool in_range(int64_t value) { return value >= INT_MIN && value <= INT_MAX; }

}  // namespace

VICINO_GET(int, omp_get_num_devices, 0)
VICINO_GET(int, omp_get_initial_device, kHost)
VICINO_GET(int, omp_get_device_num, kHost)
VICINO_GET(int, omp_is_initial_device, 1)
VICINO_GET(int, omp_get_default_device, team::icvs_now().default_device)
VICINO_GET(int, omp_in_final,
           team::self != nullptr && team::self->tasks.recorded->is(team::Task::kFinal))
VICINO_GET(int, omp_in_explicit_task,
           team::self != nullptr && team::self->task().is(team::Task::kExplicit))
VICINO_GET(int, omp_get_max_task_priority, config::settings().max_task_priority)

VICINO_API void omp_set_default_device(int number) { set_default_device(number); }
VICINO_API void omp_set_default_device_(const int* number) { set_default_device(*number); }
VICINO_API void omp_set_default_device_8_(const int64_t* number) {
  if (in_range(*number)) set_default_device(static_cast<int>(*number));
}

VICINO_API int omp_pause_resource(int kind, int) { return pause(kind); }
VICINO_API int omp_pause_resource_(const int* kind, const int*) { return pause(*kind); }
VICINO_API int omp_pause_resource_all(int kind) { return pause(kind); }
VICINO_API int omp_pause_resource_all_(const int* kind) { return pause(*kind); }

VICINO_API void omp_display_env(int verbose) { display_env(verbose != 0); }
VICINO_API void omp_display_env_(const int* verbose) { display_env(*verbose != 0); }
VICINO_API void omp_display_env_8_(const int64_t* verbose) { display_env(*verbose != 0); }

// This runs at load: OMP_DISPLAY_ENV wants its output before main(), and the program may later
// leave the folder in which a file of rules lies.
namespace {
[[gnu::constructor]] void begin_process() {
  abi::look_up_wrapped();
  const config::Settings& s = config::settings();
  set_warnings(s.warnings);
  if (s.display_env != config::DisplayEnv::kFalse)
    display_env(s.display_env == config::DisplayEnv::kVerbose);
  site::rules();
}
}  // namespace
