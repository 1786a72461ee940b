// machine.hpp: the guest's CPUs, L3 groups, nodes and packages, and how far apart they are.
//
// Machines may be uneven: nodes without CPUs, nodes without memory, groups and nodes of any size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vicino::lab {

inline constexpr int kMaxCpus = 256;
inline constexpr int kMaxL3Groups = 32;  // a bit each in the directory's words
inline constexpr int kMaxNodes = 32;
inline constexpr int kLineBits = 6;
inline constexpr std::uint64_t kPageBytes = 4096;

// The model tells only these three apart, as the kernel's distances do.
enum class Distance { kLocal, kSamePackage, kOtherPackage };

struct Cpu {
  int node;
  int package;
  int l3;
};

struct Node {
  int package;
  std::uint64_t bytes;         // 0: a node without memory
  std::string ram_block;       // QEMU's name of the memory; empty without memory
  std::vector<int> distances;  // to each node, as the kernel has them: 10 to itself
};

struct Machine {
  std::vector<Cpu> cpus;
  std::vector<Node> nodes;

  // What is wrong with the machine, with the value and what is accepted; empty if nothing is.
  std::string fault() const;

  int l3_groups() const;
  int packages() const;
  std::vector<int> cpus_of_l3(int l3) const;

  // How far two nodes are apart beyond the distance of a node to itself.
  std::uint64_t hops(int from_node, int to_node) const {
    return static_cast<std::uint64_t>(nodes[from_node].distances[to_node] - 10);
  }

  // From the CPUs of one node to the memory of another.
  Distance distance(int from_node, int to_node) const {
    if (from_node == to_node) return Distance::kLocal;
    return nodes[from_node].package == nodes[to_node].package ? Distance::kSamePackage
                                                              : Distance::kOtherPackage;
  }
};

// Line numbers: the memory of all nodes is laid end to end, so that a line tells its home node.
class LineMap {
 public:
  explicit LineMap(const Machine& machine);

  std::uint64_t lines() const { return first_.back(); }
  std::uint64_t line(int node, std::uint64_t offset) const {
    return first_[node] + (offset >> kLineBits);
  }
  int home(std::uint64_t line) const;

 private:
  std::vector<std::uint64_t> first_;  // of each node, and one past the last
};

}  // namespace vicino::lab
