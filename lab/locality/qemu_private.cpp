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
  find(ram_block_by_name_, "qemu_ram_block_by_name");
  find(ram_get_host_addr_, "qemu_ram_get_host_addr");
  find(ram_get_used_length_, "qemu_ram_get_used_length");
  find(ram_get_offset_, "qemu_ram_get_offset");
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
