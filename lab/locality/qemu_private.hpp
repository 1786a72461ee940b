// qemu_private.hpp: what the plugin needs of QEMU beyond the plugin interface, all in one place.
//
// Why    Interface version 1 has no way to end a CPU's turn (lockstep), to translate code anew for
//        callbacks that begin at a mark, to name the memory of a node, or to say what time it is.
//        Debian's binary exports functions that do, but for the last. What QEMU asks for the time is
//        a table of functions that an accelerator may fill in; it is found by its type's name.
// Not    part of any promise: QEMU may change these functions. So they are looked up by name: then
//        a missing one can be named, where the loader would refuse the plugin. The first accesses
//        prove the layout of one struct (ram.hpp), and set_clock() proves that of the other.
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
  // Ends the turn before the block whose callback was called from `caller`, an address in translated
  // code: the block has not begun, and is the CPU's next. Returns only if it cannot be done.
  // Nothing on the stack of the caller is destroyed.
  void give_up_turn(std::uintptr_t caller) const {
    void* const cpu = current_cpu();
    if (!restore_state_(cpu, caller, true)) return;
    cpu_exit_(cpu);
    loop_exit_(cpu);
  }
  // Makes QEMU translate all code anew, after this block.
  void translate_anew() const { tb_flush_(current_cpu()); }

  struct RamBlock {
    std::uintptr_t host;  // 0: no block of that name
    std::uint64_t bytes;
    std::uint64_t offset;  // in QEMU's space of RAM addresses
  };
  RamBlock ram_block(const std::string& name) const;

  // What QEMU is to ask for the time and when no CPU has anything to do. `idle` is called with each
  // CPU that is halted, until one call returns false.
  struct Clock {
    std::int64_t (*virtual_ns)();
    std::int64_t (*ticks)();
    bool (*idle)(void* cpu);
  };
  // Throws std::runtime_error if this QEMU keeps its functions elsewhere.
  void set_clock(const Clock& clock) const;

  void* cpu(int number) const { return get_cpu_(number); }
  // How long until the first timer of the virtual clock is due; -1 if there is none.
  std::int64_t timer_due_ns() const { return deadline_ns_(kVirtual, ~0); }
  // Runs the timers of the virtual clock that are due. On a thread that runs CPUs.
  void run_timers() const;

  // The host address at which QEMU keeps the byte of a guest address that is not I/O. The interface
  // gives only the guest's address, after a search through all blocks. In QEMU 7.2 struct
  // qemu_plugin_hwaddr is two flags, then the pointer.
  static std::uintptr_t host_address(const qemu_plugin_hwaddr* address) {
    return *reinterpret_cast<const std::uintptr_t*>(reinterpret_cast<const char*>(address) + 8);
  }

 private:
  // A variable of the thread: with one thread for all CPUs it is looked up once.
  static void* current_cpu();

  static constexpr int kVirtual = 1;  // QEMU's number of the virtual clock

  void (*cpu_exit_)(void*);
  void (*tb_flush_)(void*);
  bool (*restore_state_)(void* cpu, std::uintptr_t host_pc, bool will_exit);
  void (*loop_exit_)(void*);
  void* (*ram_block_by_name_)(const char*);
  void* (*ram_get_host_addr_)(void*);
  std::uint64_t (*ram_get_used_length_)(void*);
  std::uint64_t (*ram_get_offset_)(void*);
  void* (*class_by_name_)(const char*);
  std::int64_t (*virtual_clock_)();
  std::int64_t (*elapsed_ticks_)();
  void* (*get_cpu_)(int);
  std::int64_t (*deadline_ns_)(int clock, int attributes);
  bool (*run_timers_)(int clock);
  bool (*is_locked_)();
  void (*lock_)(const char* file, int line);
  void (*unlock_)();
};

}  // namespace vicino::lab
