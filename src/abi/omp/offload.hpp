// offload.hpp: routines that libomptarget defines as well.
//
// libomptarget brings devices to programs of LLVM's compilers. It is searched after the OpenMP
// runtime, so a routine of the runtime hides the one of libomptarget, which alone knows the devices:
// the runtime's has to pass the call on. The version tells libomptarget's definition from all
// others. Without libomptarget the host is the only device.
#pragma once

#include <dlfcn.h>

#include "plat/plat.hpp"

namespace vicino::abi {

template <class Signature>
class Offloaded;

// libomptarget's routine of a name. It is looked up once; libomptarget is loaded with the program.
// Relaxed: several threads may look, and find the same.
template <class Answer, class... Arguments>
class Offloaded<Answer(Arguments...)> {
 public:
  explicit constexpr Offloaded(const char* name) : name_(name) {}

  explicit operator bool() noexcept { return find() != nullptr; }
  Answer operator()(Arguments... arguments) {
    return reinterpret_cast<Answer (*)(Arguments...)>(find())(arguments...);
  }

 private:
  void* find() noexcept {
    void* found = found_.load(std::memory_order_relaxed);
    if (found == this) found_.store(found = look(), std::memory_order_relaxed);
    return found;
  }
  void* look() const noexcept { return dlvsym(RTLD_DEFAULT, name_, "VERS1.0"); }

  const char* name_;
  plat::atomic<void*> found_{this};  // itself: not looked up yet
};

}  // namespace vicino::abi
