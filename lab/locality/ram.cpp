#include "locality/ram.hpp"

#include <stdexcept>

namespace vicino::lab {

void Ram::find(const QemuPrivate& qemu, const Machine& machine) {
  for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
    const Node& node = machine.nodes[i];
    if (node.bytes == 0) continue;
    const QemuPrivate::RamBlock block = qemu.ram_block(node.ram_block);
    if (block.host == 0)
      throw std::runtime_error("no RAM block '" + node.ram_block + "' for node " +
                               std::to_string(i));
    if (block.bytes != node.bytes)
      throw std::runtime_error("RAM block '" + node.ram_block + "' has " +
                               std::to_string(block.bytes) + " bytes, node " + std::to_string(i) +
                               " should have " + std::to_string(node.bytes));
    blocks_.push_back({static_cast<int>(i), block.host, block.bytes, block.offset, {}});
  }
}

void Ram::prove(Block& block, std::uint64_t offset, const qemu_plugin_hwaddr* address) {
  const std::uint64_t said = qemu_plugin_hwaddr_phys_addr(address);
  const std::uint64_t shift = said - (block.offset + offset);
  if (block.shift.value_or(shift) != shift)
    throw std::runtime_error("this QEMU keeps host addresses elsewhere: an access to node " +
                             std::to_string(block.node) + " lies at byte " +
                             std::to_string(offset) + " by its host address, at guest address " +
                             std::to_string(said) + " by the plugin interface");
  block.shift = shift;
  --block.unproved;
  if (unproved_ > 0) --unproved_;
}

void Ram::throw_outside() {
  throw std::runtime_error(
      "this QEMU keeps host addresses elsewhere: one of the first accesses lies in no node's "
      "memory");
}

}  // namespace vicino::lab
