// qemu_private.hpp: what the plugin needs of QEMU beyond the plugin interface, all in one place.
//
// Why    Interface version 1 has no way to end a CPU's turn (lockstep), to translate anew for
//        callbacks that begin at a mark, or to name the memory of a node. Debian's binary exports
//        the functions.
// Not    part of any promise: QEMU may change them. Hence looked up by name, so that a missing one
//        is named instead of stopping the load, and the layout of a struct is proved on the first
//        accesses (ram.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "locality/qemu_api.hpp"

namespace vicino::lab {

class QemuPrivate {
 public:
  // Throws std::runtime_error with the name of a symbol that is missing.
  QemuPrivate();

  // Ends the turn of the CPU whose thread calls, after its block.
  void end_turn() const { cpu_exit_(current_cpu()); }
  // All code is translated anew, after this block.
  void translate_anew() const { tb_flush_(current_cpu()); }

  struct RamBlock {
    std::uintptr_t host;  // 0: no block of that name
    std::uint64_t bytes;
    std::uint64_t offset;  // in QEMU's space of RAM addresses
  };
  RamBlock ram_block(const std::string& name) const;

  // Where QEMU keeps the byte of an address that is not I/O. The interface has the guest's address
  // only, and that after a search through all blocks. struct qemu_plugin_hwaddr of 7.2: two flags,
  // then the pointer.
  static std::uintptr_t host_address(const qemu_plugin_hwaddr* address) {
    return *reinterpret_cast<const std::uintptr_t*>(reinterpret_cast<const char*>(address) + 8);
  }

 private:
  // The thread's own variable: with one thread for all CPUs it is found once.
  static void* current_cpu();

  void (*cpu_exit_)(void*);
  void (*tb_flush_)(void*);
  void* (*ram_block_by_name_)(const char*);
  void* (*ram_get_host_addr_)(void*);
  std::uint64_t (*ram_get_used_length_)(void*);
  std::uint64_t (*ram_get_offset_)(void*);
};

}  // namespace vicino::lab
