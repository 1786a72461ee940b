// children.cpp: what a bound thread starts runs wherever the process may, and so does what a thread
// starts that keeps to a rank's share of the machine (topo/rank_share.hpp).
//
// A new thread inherits the mask of the thread that starts it, and so does a new process. The mask
// of a bound thread was meant for that thread alone. So the functions of the C library by which
// programs start threads and processes are defined here: they give the calling thread the process's
// mask, call the C library's function, and bind the thread again. A thread that Vicino has not
// bound, which is nearly every caller, goes straight to the C library. fork() needs none of this:
// the child is told (region/roots.cpp).
//
// These definitions are found before the C library's where the program is linked with Vicino or
// preloads it. In a program that loads Vicino later, with dlopen(), only fork() is covered.
//
// vfork() returns twice, and what it returns to must not have been left: no function may stand
// around it. So the caller's mask is widened, and the C library's vfork() is jumped to; the thread
// is bound again when it begins its next region.
#include "abi/children.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi/api.hpp"
#include "plat/plat.hpp"
#include "team/worker.hpp"
#include "topo/rank_share.hpp"

using namespace vicino;

namespace {

// The next definition of a function after this library's. Relaxed: threads that look it up at once
// store the same pointer.
class Next {
 public:
  explicit constexpr Next(const char* name) noexcept : name_(name) {}

  void* get() noexcept {
    void* known = function_.load(std::memory_order_relaxed);
    if (known == nullptr) {
      known = dlsym(RTLD_NEXT, name_);
      function_.store(known, std::memory_order_relaxed);
    }
    return known;
  }
  template <class Function>
  Function* as() noexcept {
    return reinterpret_cast<Function*>(get());
  }

 private:
  const char* const name_;
  plat::atomic<void*> function_{nullptr};
};
constinit Next next_pthread_create("pthread_create"), next_posix_spawn("posix_spawn"),
    next_posix_spawnp("posix_spawnp"), next_popen("popen"), next_system("system"),
    next_vfork("vfork");

// While it lives, the calling thread may run wherever the process may.
class Unbound {
 public:
  Unbound() noexcept : worker_(team::self != nullptr ? team::self->worker : nullptr) {
    if (worker_ != nullptr) was_ = worker_->lift_binding();
    has_left_ = topo::leave_share();
  }
  ~Unbound() {
    if (has_left_) topo::enter_share();
    if (was_ >= 0) worker_->restore_binding(was_);
  }
  Unbound(const Unbound&) = delete;

 private:
  team::Worker* const worker_;
  int was_ = -1;
  bool has_left_ = false;
};

}  // namespace

void abi::look_up_wrapped() noexcept {
  for (Next* next : {&next_pthread_create, &next_posix_spawn, &next_posix_spawnp, &next_popen,
                     &next_system, &next_vfork})
    next->get();
}

VICINO_API int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
  const Unbound unbound;
  return next_pthread_create.as<decltype(pthread_create)>()(thread, attributes, start, argument);
}

VICINO_API int posix_spawn(pid_t* process, const char* path,
                           const posix_spawn_file_actions_t* actions,
                           const posix_spawnattr_t* attributes, char* const words[],
                           char* const environment[]) {
  const Unbound unbound;
  return next_posix_spawn.as<decltype(posix_spawn)>()(process, path, actions, attributes, words,
                                                      environment);
}

VICINO_API int posix_spawnp(pid_t* process, const char* file,
                            const posix_spawn_file_actions_t* actions,
                            const posix_spawnattr_t* attributes, char* const words[],
                            char* const environment[]) {
  const Unbound unbound;
  return next_posix_spawnp.as<decltype(posix_spawnp)>()(process, file, actions, attributes, words,
                                                        environment);
}

VICINO_API FILE* popen(const char* command, const char* mode) {
  const Unbound unbound;
  return next_popen.as<decltype(popen)>()(command, mode);
}

VICINO_API int system(const char* command) {
  const Unbound unbound;
  return next_system.as<decltype(system)>()(command);
}

#ifdef __x86_64__
extern "C" void* vicino_before_vfork() {
  if (team::self != nullptr) team::self->worker->let_go();
  return next_vfork.get();
}

asm(R"(
  .globl vfork
  .type vfork, @function
vfork:
  .cfi_startproc
  sub $8, %rsp
  .cfi_adjust_cfa_offset 8
  call vicino_before_vfork
  add $8, %rsp
  .cfi_adjust_cfa_offset -8
  jmp *%rax
  .cfi_endproc
  .size vfork, . - vfork
)");
#endif
