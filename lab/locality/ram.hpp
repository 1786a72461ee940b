// ram.hpp: maps an address of the guest to a line of the model, and proves that the map is right.
//
// Each node's memory is one RAM block of QEMU. The place of a byte in the block comes from a
// private field of QEMU (qemu_private.hpp), which is fast. The first accesses to each node ask the
// interface as well: the two answers must always differ by the same amount.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "locality/machine.hpp"
#include "locality/qemu_private.hpp"

namespace vicino::lab {

class Ram {
 public:
  // Call it when QEMU has made its memory. Throws std::runtime_error if a block is missing or of
  // another size.
  void find(const QemuPrivate& qemu, const Machine& machine);

  // The line of an access that has just happened; none if it went to no node's memory. Throws if
  // the private field turns out to be something else.
  std::optional<std::uint64_t> line(const qemu_plugin_hwaddr* address, const LineMap& lines) {
    const std::uintptr_t host = QemuPrivate::host_address(address);
    for (Block& block : blocks_) {
      const std::uint64_t offset = host - block.host;
      if (offset >= block.bytes) continue;
      if (block.unproved > 0) prove(block, offset, address);
      return lines.line(block.node, offset);
    }
    if (unproved_ > 0) throw_outside();
    return std::nullopt;
  }

 private:
  static constexpr int kProofs = 256;

  struct Block {
    int node;
    std::uintptr_t host;
    std::uint64_t bytes;
    std::uint64_t offset;
    std::optional<std::uint64_t> shift;  // from the block's RAM address to what the interface says
    int unproved = kProofs;
  };

  void prove(Block& block, std::uint64_t offset, const qemu_plugin_hwaddr* address);
  [[noreturn]] static void throw_outside();

  std::vector<Block> blocks_;
  int unproved_ = kProofs;  // for accesses to any node: until then none may lie outside
};

}  // namespace vicino::lab
