#include "locality/qemu_private.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace vicino::lab {
namespace {

void* symbol(const char* name) {
  if (void* address = dlsym(RTLD_DEFAULT, name)) return address;
  throw std::runtime_error(std::string("this QEMU does not export '") + name + "'");
}

template <typename Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(symbol(name));
}

}  // namespace

QemuPrivate::QemuPrivate() {
  symbol("current_cpu");
  find(cpu_exit_, "cpu_exit");
  find(tb_flush_, "tb_flush");
  find(restore_state_, "cpu_restore_state");
  find(loop_exit_, "cpu_loop_exit");
  find(ram_block_by_name_, "qemu_ram_block_by_name");
  find(ram_get_host_addr_, "qemu_ram_get_host_addr");
  find(ram_get_used_length_, "qemu_ram_get_used_length");
  find(ram_get_offset_, "qemu_ram_get_offset");
  find(class_by_name_, "object_class_by_name");
  find(virtual_clock_, "cpus_get_virtual_clock");
  find(elapsed_ticks_, "cpus_get_elapsed_ticks");
  find(get_cpu_, "qemu_get_cpu");
  find(deadline_ns_, "qemu_clock_deadline_ns_all");
  find(run_timers_, "qemu_clock_run_timers");
  find(is_locked_, "qemu_mutex_iothread_locked");
  find(lock_, "qemu_mutex_lock_iothread_impl");
  find(unlock_, "qemu_mutex_unlock_iothread");
}

// In QEMU 7.2 struct AccelOpsClass has these functions at these places. An accelerator that leaves
// them out, as TCG does without -icount, gets the host's time.
void QemuPrivate::set_clock(const Clock& clock) const {
  constexpr std::size_t kIdle = 0x80, kVirtualNs = 0xb8, kTicks = 0xc0;
  auto* const table = static_cast<char*>(class_by_name_("tcg-accel-ops"));
  if (table == nullptr) throw std::runtime_error("this QEMU has no type 'tcg-accel-ops'");
  const auto put = [&](std::size_t place, auto function) {
    auto& slot = *reinterpret_cast<decltype(function)*>(table + place);
    if (slot != nullptr)
      throw std::runtime_error("this QEMU keeps its clock elsewhere: place " +
                               std::to_string(place) + " of 'tcg-accel-ops' is taken");
    slot = function;
  };
  put(kIdle, clock.idle);
  put(kVirtualNs, clock.virtual_ns);
  put(kTicks, clock.ticks);
  if (virtual_clock_() != clock.virtual_ns() || elapsed_ticks_() != clock.ticks())
    throw std::runtime_error("this QEMU keeps its clock elsewhere: it does not ask the plugin");
}

void QemuPrivate::run_timers() const {
  const bool mine = !is_locked_();
  if (mine) lock_(__FILE__, __LINE__);
  run_timers_(kVirtual);
  if (mine) unlock_();
}

void* QemuPrivate::current_cpu() {
  thread_local void** const current = static_cast<void**>(symbol("current_cpu"));
  return *current;
}

// -object memory-backend-ram,id=NAME makes a block named after the object's path.
QemuPrivate::RamBlock QemuPrivate::ram_block(const std::string& name) const {
  for (const std::string& path : {"/objects/" + name, name})
    if (void* block = ram_block_by_name_(path.c_str()))
      return {reinterpret_cast<std::uintptr_t>(ram_get_host_addr_(block)),
              ram_get_used_length_(block), ram_get_offset_(block)};
  return {};
}

}  // namespace vicino::lab
