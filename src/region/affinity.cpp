#include "region/affinity.hpp"

#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "base/cpu_set.hpp"
#include "base/thread_id.hpp"
#include "base/uncancelled.hpp"
#include "config/affinity_format.hpp"
#include "config/settings.hpp"
#include "sync/cold.hpp"
#include "team/worker.hpp"

namespace vicino::region {
namespace {

// affinity-format-var; under the Cold lock.
std::string& format_var() {
  const std::string& set = config::settings().affinity_format;
  static auto& var = *new std::string(set.empty() ? config::kDefaultAffinityFormat
                                                  : std::string_view(set));  // outlives main()
  return var;
}

// The CPUs on which the kernel lets the calling thread run.
std::string own_cpus() {
  for (size_t words = 16;; words *= 2) {
    std::vector<unsigned long> mask(words);
    const long bytes = syscall(SYS_sched_getaffinity, 0, words * sizeof mask[0], mask.data());
    if (bytes > 0) return CpuSet::from_kernel(mask).to_list();
    if (words > 4096) return {};
  }
}

}  // namespace

std::string affinity_format() {
  const sync::Cold cold;
  return format_var();
}

void set_affinity_format(std::string_view format) {
  const sync::Cold cold;
  format_var() = format;
}

void place_alone(Member& initial) {
  constexpr int kFirstThread = 0;
  if (initial.worker->gtid() != kFirstThread || config::settings().frees_primary) return;
  initial.worker->bind_to(0);
  initial.bound = {0, 0};
}

int place_of(Member& member) {
  if (config::settings().frees_primary && member.team->active_level == 0) return -1;
  if (member.bound.place < 0 && member.team->parent == nullptr &&
      topo::to_places(member.icvs->bind))
    place_alone(member);
  return member.bound.place;
}

std::string describe_affinity(Member& member, std::string_view format) {
  place_of(member);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  const std::string cpus = own_cpus();
  config::AffinityFields fields;
  fields.team_num = member.icvs->team_num;
  fields.num_teams = member.icvs->league_size;
  fields.nesting_level = member.team->level;
  fields.thread_num = member.id;
  fields.num_threads = member.team->size;
  fields.ancestor_tnum = member.team->level > 0 ? member.team->parent->id : -1;
  fields.process_id = getpid();
  fields.native_thread_id = thread_id();
  fields.host = host;
  fields.thread_affinity = cpus;
  return config::format_affinity(format.empty() ? affinity_format() : std::string(format), fields);
}

void display_affinity(Member& member, std::string_view format) {
  const Uncancelled uncancelled;
  const std::string line = describe_affinity(member, format) + '\n';
  fwrite(line.data(), 1, line.size(), stdout);
  fflush(stdout);
}

}  // namespace vicino::region
