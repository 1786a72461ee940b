// recorded_machines.hpp: the machines that were recorded for the tests, as hwloc XML.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "topo/machine.hpp"

namespace vicino::topo {

inline Machine recorded(const std::string& name) {
  auto machine = Machine::from_xml(std::string(VICINO_MACHINES) + "/" + name + ".xml");
  EXPECT_TRUE(machine.ok()) << machine.error();
  return *std::move(machine);
}

inline std::vector<std::string> recorded_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(VICINO_MACHINES))
    if (file.path().extension() == ".xml") names.push_back(file.path().stem());
  std::ranges::sort(names);
  return names;
}

}  // namespace vicino::topo
