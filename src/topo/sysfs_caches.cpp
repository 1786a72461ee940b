#include "topo/sysfs_caches.hpp"

namespace vicino::topo {
namespace {

std::string of_cache(int cpu, int index, const char* file) {
  return ("cpu" + std::to_string(cpu))
      .append("/cache/index")
      .append(std::to_string(index))
      .append("/")
      .append(file);
}

}  // namespace

CpuSet CacheReader::shared_by(int cpu, int index) const {
  const auto list = folder_.list(of_cache(cpu, index, "shared_cpu_list"));
  return list && list->test(cpu) ? *list & online_ : CpuSet();
}

bool CacheReader::is_of_data(int cpu, int index) const {
  return folder_.text(of_cache(cpu, index, "type")).value_or("") != "Instruction";
}

// Finds the outermost cache that is not for instructions only; the innermost two may be. On some
// hybrid machines it is the L3 for one sort of core and the L2 for the other.
void CacheReader::read_last(int cpu, const CpuSet& package) {
  int index = hint_;
  CpuSet found = shared_by(cpu, index);
  if (found.empty())
    while (index > 0 && found.empty()) found = shared_by(cpu, --index);
  else
    while (found != package) {
      CpuSet more = shared_by(cpu, index + 1);
      if (more.empty()) break;
      found = std::move(more);
      ++index;
    }
  while (!found.empty() && (index == 1 || index == 2) && !is_of_data(cpu, index))
    found = shared_by(cpu, --index);
  if (found.empty() || (index == 0 && !is_of_data(cpu, index))) return;
  hint_ = index;
  last_.add(std::move(found), index);
}

void CacheReader::read(int cpu, const CpuSet& core, const CpuSet& package) {
  if (!last_.has(cpu)) read_last(cpu, package);
  const int group = last_.of(cpu);
  if (group < 0 || last_.os_index(group) == 0 || inner_.has(cpu)) return;
  // A cache that one core has alone orders nothing. If the inner cache of a group's first core is
  // like that, so are the inner caches of the group's other cores, or cores with consecutive
  // numbers share them.
  orders_.resize(static_cast<size_t>(last_.count()), true);
  const auto orders = orders_.begin() + group;
  if (!*orders || last_.cpus(group) == core) return;
  CpuSet inner = shared_by(cpu, last_.os_index(group) - 1);
  *orders = !inner.empty() && inner != core;
  if (*orders) inner_.add(std::move(inner));
}

}  // namespace vicino::topo
