// kernel.hpp: what the guest's kernel says of nodes and pages, and checks that print a line each.
// Nothing here asks Vicino, because Vicino is under test.
#pragma once

#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

inline bool failed = false;

inline void check(bool right, const std::string& what) {
  printf("%s %s\n", right ? "ok  " : "FAIL", what.c_str());
  fflush(stdout);
  failed |= !right;
}

inline int result() {
  printf(failed ? "some checks failed\n" : "all is well\n");
  return failed ? 1 : 0;
}

inline std::string read_node(const std::string& name) {
  std::ifstream file("/sys/devices/system/node/" + name);
  std::string line;
  std::getline(file, line);
  return line;
}

// Parses a list such as "0-3,8".
inline std::vector<int> numbers(const std::string& list) {
  std::vector<int> all;
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    int first, last;
    const int fields = sscanf(range.c_str(), "%d-%d", &first, &last);
    for (int n = first; fields > 0 && n <= (fields == 2 ? last : first); ++n) all.push_back(n);
  }
  return all;
}

inline std::vector<int> memory_nodes() { return numbers(read_node("has_memory")); }

// Returns the node where a first touch by a thread of `node` puts a page: the nearest memory by the
// firmware's distances.
inline int memory_for(int node) {
  std::istringstream row(read_node("node" + std::to_string(node) + "/distance"));
  const std::vector<int> with = memory_nodes();
  int best = -1, least = 1 << 30, distance;
  for (int other : numbers(read_node("online"))) {
    row >> distance;
    if (std::ranges::find(with, other) == with.end() || distance >= least) continue;
    best = other;
    least = distance;
  }
  return best;
}

// For each CPU, by number, the node whose memory is nearest to it.
inline std::vector<int> memory_of_cpus() {
  std::vector<int> nodes;
  for (int node : numbers(read_node("has_cpu")))
    for (int cpu : numbers(read_node("node" + std::to_string(node) + "/cpulist"))) {
      if (static_cast<size_t>(cpu) >= nodes.size()) nodes.resize(static_cast<size_t>(cpu) + 1, -1);
      nodes[static_cast<size_t>(cpu)] = memory_for(node);
    }
  return nodes;
}

// Returns the node of a page, after making the page present, or a negated error.
inline int node_of(const void* address) {
  int node = -1;
  if (syscall(SYS_get_mempolicy, &node, nullptr, 0ul, address, MPOL_F_NODE | MPOL_F_ADDR) != 0)
    return -errno;
  return node;
}

// As in " 15@0 15@1": how many pages, one after the other, are on each node.
inline std::string runs(const std::vector<int>& nodes) {
  std::string text;
  for (size_t i = 0, end; i < nodes.size(); i = end) {
    for (end = i; end < nodes.size() && nodes[end] == nodes[i];) ++end;
    text += " " + std::to_string(end - i) + "@" + std::to_string(nodes[i]);
    if (text.size() > 100) return text + " ...";
  }
  return text;
}
