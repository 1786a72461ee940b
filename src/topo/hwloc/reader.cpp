#include "topo/hwloc/reader.hpp"

#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <hwloc/distances.h>

#include <algorithm>
#include <initializer_list>

#include "topo/hwloc/trial.hpp"

namespace vicino::topo {
namespace {

CpuSet to_cpu_set(hwloc_const_bitmap_t bitmap) {
  CpuSet set;
  // A full bitmap has no last bit, and so gives an empty set.
  for (int cpu = hwloc_bitmap_last(bitmap); cpu >= 0; --cpu)
    if (cpu < CpuSet::kMaxCpus && hwloc_bitmap_isset(bitmap, cpu)) set.set(cpu);
  return set;
}

int os_number(hwloc_obj_t object) {
  return object->os_index == HWLOC_UNKNOWN_INDEX ? -1 : static_cast<int>(object->os_index);
}

// Numbers objects 0, 1, ... in the order in which they are first asked for.
class Numbering {
 public:
  // Null counts as an object too: threads without a real one share it.
  int operator()(hwloc_obj_t object) {
    const auto found = std::find(objects_.rbegin(), objects_.rend(), object);
    if (found != objects_.rend()) return static_cast<int>(objects_.rend() - found) - 1;
    objects_.push_back(object);
    return static_cast<int>(objects_.size()) - 1;
  }
  // The number of the object; -1 if it was never asked for.
  int find(hwloc_obj_t object) const {
    const auto found = std::find(objects_.begin(), objects_.end(), object);
    return found == objects_.end() ? -1 : static_cast<int>(found - objects_.begin());
  }
  const std::vector<hwloc_obj_t>& objects() const { return objects_; }
  std::vector<int> os_numbers() const {
    std::vector<int> numbers;
    for (hwloc_obj_t object : objects_) numbers.push_back(object ? os_number(object) : -1);
    return numbers;
  }

 private:
  std::vector<hwloc_obj_t> objects_;
};

// The outermost cache of `pu`, the one that most threads share. On some hybrid machines it is the
// L3 for one sort of core and the L2 for the other.
hwloc_obj_t last_level_cache(hwloc_obj_t pu) {
  hwloc_obj_t cache = nullptr;
  for (hwloc_obj_t object = pu->parent; object; object = object->parent)
    if (hwloc_obj_type_is_dcache(object->type)) cache = object;
  return cache;
}

bool is_plain(hwloc_obj_t node) { return !node->subtype || node->subtype[0] == '\0'; }

// The plain node with the fewest CPUs around `pu`. Beside it there may be memory of another sort
// with the same CPUs, such as a Xeon Phi's MCDRAM; such memory is not a domain of its own.
hwloc_obj_t node_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  hwloc_obj_t best = nullptr;
  int fewest = 0;
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node));) {
    if (!hwloc_bitmap_isset(node->cpuset, pu->os_index)) continue;
    const int cpus = hwloc_bitmap_weight(node->cpuset);
    const bool nearer = cpus < fewest || (cpus == fewest && is_plain(node) && !is_plain(best));
    if (!best || nearer) best = node, fewest = cpus;
  }
  return best;
}

int kind_of(hwloc_topology_t topology, hwloc_obj_t pu) {
  return std::max(0, hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0));
}

std::vector<Memory> read_memories(hwloc_topology_t topology, const Numbering& nodes) {
  std::vector<Memory> memories;
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, object));) {
    int nearest = nodes.find(object);
    for (size_t n = 0; nearest < 0 && n < nodes.objects().size(); ++n)
      if (hwloc_obj_t node = nodes.objects()[n];
          node && hwloc_bitmap_isequal(node->cpuset, object->cpuset))
        nearest = static_cast<int>(n);
    memories.push_back({os_number(object), object->attr->numanode.local_memory, nearest,
                        object->subtype ? object->subtype : ""});
  }
  return memories;
}

// The latencies row by row over `nodes`; empty unless the matrix has each of them.
std::vector<double> select(const hwloc_distances_s& matrix, const Numbering& nodes) {
  std::vector<size_t> row_of;
  for (hwloc_obj_t node : nodes.objects()) {
    hwloc_obj_t* const end = matrix.objs + matrix.nbobjs;
    hwloc_obj_t* const found = std::find(matrix.objs, end, node);
    if (!node || found == end) return {};
    row_of.push_back(static_cast<size_t>(found - matrix.objs));
  }
  std::vector<double> latencies;
  for (size_t from : row_of)
    for (size_t to : row_of)
      latencies.push_back(static_cast<double>(matrix.values[from * matrix.nbobjs + to]));
  return latencies;
}

std::vector<double> read_latencies(hwloc_topology_t topology, const Numbering& nodes) {
  unsigned count = 1;
  hwloc_distances_s* matrix = nullptr;
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &matrix,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      count == 0)
    return {};
  std::vector<double> latencies = select(*matrix, nodes);
  hwloc_distances_release(topology, matrix);
  return latencies;
}

std::string cpu_name(hwloc_topology_t topology) {
  hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  const char* name = nullptr;
  for (hwloc_obj_t object : {package, hwloc_get_root_obj(topology)})
    if (object && !name) name = hwloc_obj_get_info_by_name(object, "CPUModel");
  return name ? name : "";
}

Topology new_topology() {
  hwloc_topology_t topology = nullptr;
  return Topology(hwloc_topology_init(&topology) == 0 ? topology : nullptr);
}

Topology load(Topology topology) {
  if (!topology) return nullptr;
  // CPUs that may not be used are still worth showing; read_hardware() leaves them out.
  hwloc_topology_set_flags(topology.get(), HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_io_types_filter(topology.get(), HWLOC_TYPE_FILTER_KEEP_NONE);
  return hwloc_topology_load(topology.get()) == 0 ? std::move(topology) : nullptr;
}

}  // namespace

void CloseTopology::operator()(hwloc_topology* topology) const noexcept {
  hwloc_topology_destroy(topology);
}

Topology load_topology() {
  Topology topology = new_topology();
  // The x86 component binds the calling thread to one CPU after the other to read its CPUID. Linux
  // tells the same in /sys, without making a thread of the program wait for a busy CPU.
  if (topology)
    hwloc_topology_set_components(topology.get(), HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  return load(std::move(topology));
}

Topology load_topology(const std::string& xml_path) {
  Topology topology = new_topology();
  if (topology && hwloc_topology_set_xml(topology.get(), xml_path.c_str()) != 0) return nullptr;
  return load(std::move(topology));
}

bool is_this_system(hwloc_topology* topology) { return hwloc_topology_is_thissystem(topology); }

CpuSet allowed_cpus(hwloc_topology* topology) {
  return to_cpu_set(hwloc_topology_get_allowed_cpuset(topology));
}

Result<Hardware> read_hardware(hwloc_topology* topology, const CpuSet& allowed) {
  Hardware hardware;
  Numbering cores, caches, nodes, packages;
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu));) {
    const int cpu = os_number(pu);
    if (cpu < 0 || cpu >= CpuSet::kMaxCpus) continue;
    if (hardware.online.test(cpu))
      return Error{"the machine has CPU " + std::to_string(cpu) + " twice"};
    hardware.online.set(cpu);
    if (!allowed.test(cpu)) continue;
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
    hwloc_obj_t cache = last_level_cache(pu);
    if (!core) core = pu;
    hardware.pus.push_back(
        {.os_index = cpu,
         .core = cores(core),
         .cache_group = caches(cache ? cache : core),
         .node = nodes(node_of(topology, pu)),
         .package = packages(hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, pu)),
         .kind = kind_of(topology, pu)});
  }
  if (hardware.pus.empty()) return Error{"none of the machine's CPUs may be used"};
  hardware.name = cpu_name(topology);
  hardware.node_os = nodes.os_numbers();
  hardware.package_os = packages.os_numbers();
  hardware.memories = read_memories(topology, nodes);
  hardware.latencies = read_latencies(topology, nodes);
  return hardware;
}

Result<Hardware> read_xml(const std::string& path, const CpuSet& own) {
  const Topology topology = survives_reading(path) ? load_topology(path) : nullptr;
  if (!topology) return Error{"\"" + path + "\" is no machine that hwloc can read"};
  const bool here = is_this_system(topology.get());
  Result<Hardware> hardware =
      read_hardware(topology.get(), here ? own : allowed_cpus(topology.get()));
  if (!hardware) return Error{"\"" + path + "\": " + hardware.error()};
  // hwloc takes files whose objects contradict each other.
  if (!Machine(*hardware).check())
    return Error{"\"" + path + "\" is no machine: its parts overlap"};
  hardware->recorded = !here;
  return hardware;
}

Result<Machine> machine_of(hwloc_topology* topology, const CpuSet& allowed) {
  Result<Hardware> hardware = read_hardware(topology, allowed);
  if (!hardware) return Error{hardware.error()};
  hardware->recorded = true;
  return Machine(*std::move(hardware));
}

}  // namespace vicino::topo
