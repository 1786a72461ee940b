// fake_sysfs.hpp: a folder with the files of /sys and /proc that Linux would show on a machine of
// hwloc's, in the forms that topo/sysfs_reader.hpp and hwloc's own Linux reader accept.
#pragma once

#include <hwloc.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "topo/hwloc/reader.hpp"

namespace vicino::topo {

class FakeSysfs {
 public:
  FakeSysfs() {
    std::string name = (std::filesystem::temp_directory_path() / "vicino-sysfs-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  // The files of `machine`, which was read from `topology`.
  FakeSysfs(hwloc_topology* topology, const Machine& machine) : FakeSysfs() {
    write("/proc/cpuinfo", "processor\t: 0\nmodel name\t: " + machine.name() + "\n");
    list("/sys/devices/system/cpu/online", machine.online());
    list("/sys/devices/system/cpu/possible", machine.online());
    for (const Pu& pu : machine.pus()) write_cpu(topology, machine, pu);
    write_nodes(machine);
  }
  ~FakeSysfs() { std::filesystem::remove_all(root_); }
  FakeSysfs(const FakeSysfs&) = delete;

  const std::string& root() const { return root_; }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void remove(const std::string& path) const { std::filesystem::remove_all(root_ + path); }
  void list(const std::string& path, const CpuSet& cpus) const {
    write(path, cpus.to_list() + "\n");
  }
  static std::string cpu(int number) {
    return "/sys/devices/system/cpu/cpu" + std::to_string(number);
  }
  static std::string node(int number) {
    return "/sys/devices/system/node/node" + std::to_string(number);
  }

 private:
  // A mask as the kernel writes it: words of 32 bits, the highest first.
  static std::string mask_of(const CpuSet& cpus) {
    std::string text;
    for (int word = cpus.last() / 32; word >= 0; --word) {
      unsigned bits = 0;
      for (int bit = 0; bit < 32; ++bit) bits |= unsigned{cpus.test(32 * word + bit)} << bit;
      char digits[16];
      snprintf(digits, sizeof digits, "%08x%s", bits, word > 0 ? "," : "\n");
      text += digits;
    }
    return text;
  }
  void set(const std::string& map, const std::string& as_list, const CpuSet& cpus) const {
    write(map, mask_of(cpus));
    list(as_list, cpus);
  }
  static CpuSet cpus_of(hwloc_obj_t object) {
    CpuSet cpus;
    for (int cpu = hwloc_bitmap_last(object->cpuset); cpu >= 0; --cpu)
      if (hwloc_bitmap_isset(object->cpuset, static_cast<unsigned>(cpu))) cpus.set(cpu);
    return cpus;
  }

  void write_cpu(hwloc_topology* topology, const Machine& machine, const Pu& pu) const {
    const std::string folder = cpu(pu.os_index);
    const auto domain = [&](Level level, int index) -> const Domain& {
      return machine.domains(level)[static_cast<size_t>(index)];
    };
    const Domain& package = domain(Level::kPackage, pu.package);
    const std::string in = folder + "/topology/";
    set(in + "thread_siblings", in + "thread_siblings_list", domain(Level::kCore, pu.core).cpus);
    set(in + "core_siblings", in + "core_siblings_list", package.cpus);
    write(in + "core_id", std::to_string(pu.core) + "\n");
    write(in + "physical_package_id", std::to_string(package.os_index) + "\n");
    write_caches(topology, pu, domain(Level::kCore, pu.core).cpus);
    write(folder + "/cpufreq/cpuinfo_max_freq", std::to_string(2000000 * (pu.kind + 1)) + "\n");
  }

  // A private instruction cache for each core, then the caches of hwloc's tree from the inside out.
  void write_caches(hwloc_topology* topology, const Pu& pu, const CpuSet& core) const {
    hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(topology, static_cast<unsigned>(pu.os_index));
    int index = 0;
    write_cache(pu.os_index, index++, "Instruction", 1, core);
    for (; object != nullptr; object = object->parent)
      if (hwloc_obj_type_is_dcache(object->type))
        write_cache(pu.os_index, index++, "Unified", static_cast<int>(object->attr->cache.depth),
                    cpus_of(object));
  }
  void write_cache(int of, int index, const std::string& type, int level,
                   const CpuSet& cpus) const {
    const std::string in = cpu(of) + "/cache/index" + std::to_string(index) + "/";
    write(in + "type", type + "\n");
    write(in + "level", std::to_string(level) + "\n");
    write(in + "size", "1024K\n");
    set(in + "shared_cpu_map", in + "shared_cpu_list", cpus);
  }

  // A CPU is in one node only; additional memories have no CPUs.
  void write_nodes(const Machine& machine) const {
    CpuSet numbers;
    for (const Memory& memory : machine.memories()) numbers.set(memory.os_index);
    list("/sys/devices/system/node/online", numbers);
    list("/sys/devices/system/node/possible", numbers);
    for (const Memory& memory : machine.memories()) {
      const std::string in = node(memory.os_index) + "/";
      const int domain = domain_of(machine, memory);
      const CpuSet none;
      set(in + "cpumap", in + "cpulist",
          domain < 0 ? none : machine.domains(Level::kNode)[static_cast<size_t>(domain)].cpus);
      const std::string name = "Node " + std::to_string(memory.os_index);
      write(in + "meminfo", name + " MemTotal:       " + std::to_string(memory.bytes >> 10) +
                                " kB\n" + name + " MemFree:        1 kB\n");
      std::string row;
      numbers.for_each([&](int other) {
        row += (row.empty() ? "" : " ") + std::to_string(distance(machine, memory.os_index, other));
      });
      write(in + "distance", row + "\n");
    }
  }
  static int domain_of(const Machine& machine, const Memory& memory) {
    const auto nodes = machine.domains(Level::kNode);
    for (size_t n = 0; n < nodes.size(); ++n)
      if (nodes[n].os_index == memory.os_index) return static_cast<int>(n);
    return -1;
  }
  // A node without CPUs is a little farther than the node that it belongs to.
  static unsigned distance(const Machine& machine, int from, int to) {
    if (from == to) return 10;
    int nodes[2] = {-1, -1};
    unsigned further = 0;
    for (const Memory& memory : machine.memories()) {
      if (memory.os_index != from && memory.os_index != to) continue;
      nodes[memory.os_index == to] = memory.node < 0 ? 0 : memory.node;
      if (domain_of(machine, memory) < 0) further += 3;
    }
    return machine.distance(nodes[0], nodes[1]) + further;
  }

  std::string root_;
};

}  // namespace vicino::topo
