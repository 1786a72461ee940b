#include "topo/identity.hpp"

#include "base/hash.hpp"

namespace vicino::topo {

std::string identity(const Machine& machine) {
  std::string text = machine.name() + (machine.recorded() ? "\nrecorded" : "\n");
  const auto add = [&](int number) { text.append(" ").append(std::to_string(number)); };
  for (const Pu& pu : machine.pus()) {
    text += "\n";
    for (const int number : {pu.core, pu.cache_group, pu.node, pu.package, pu.kind}) add(number);
  }
  text += "\n";
  const int nodes = machine.count(Level::kNode);
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b) add(static_cast<int>(machine.distance(a, b)));
  return hexadecimal(fnv1a(text));
}

}  // namespace vicino::topo
