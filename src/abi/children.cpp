// children.cpp: what a bound thread starts runs wherever the process may, and so does what a thread
// starts that keeps to a rank's share of the machine (topo/rank_share.hpp).
//
// A new thread inherits the mask of the thread that starts it, and so does a new process, and the
// program that takes this one's place by exec*(). The mask of a bound thread was meant for that thread
// alone. So the functions of the C library by which programs start threads, processes and programs are
// defined here: they give the calling thread the process's mask, call the C library's function, and bind
// the thread again. A thread that Vicino has not bound, which is nearly every caller, goes straight to
// the C library. fork() needs none of this: the child is told (region/roots.cpp).
//
// These definitions are found before the C library's where the program is linked with Vicino or
// preloads it. In a program that loads Vicino later, with dlopen(), only fork() is covered.
//
// vfork() returns twice, and what it returns to must not have been left: no function may stand
// around it. So the caller's mask is widened, and the C library's vfork() is jumped to (vfork_CPU.S); the
// thread is bound again when it begins its next region.
//
// exec*() may be called in a child of vfork(), which has the memory of its parent and a mask of its own, and
// in a signal handler. So its wrappers write no memory except their own stack, and call nothing of the C
// library but functions that are safe there: what Vicino knows of the thread stays as it is, and only the
// kernel's mask changes.
#include "abi/children.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/api.hpp"
#include "base/kept_errno.hpp"
#include "plat/plat.hpp"
#include "team/worker.hpp"
#include "topo/process_mask.hpp"
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
    next_vfork("vfork"), next_execv("execv"), next_execve("execve"), next_execvp("execvp"),
    next_execvpe("execvpe"), next_fexecve("fexecve"), next_execveat("execveat");

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

// Calls a function that returns only if it has failed, with the process's mask. Where the thread was on a
// borrowed core, it stays away from it until its region ends: the core's owner may want it by now.
template <class Exec>
int with_process_mask(Exec exec) noexcept {
  const team::Narrowed narrowed = team::narrowed_mask();
  if (narrowed.otherwise == nullptr) return exec();
  topo::run_on(0, *narrowed.otherwise);
  const int failed = exec();
  const KeptErrno kept;
  if (narrowed.now != nullptr) topo::run_on(0, *narrowed.now);
  return failed;
}

// Calls `exec` with the words of a call like execl(), the last of which is null, and with what stands behind
// them: an environment, or nothing that is read. The words are put on the stack, as the C library does.
enum class Behind { kNothing, kEnvironment };
template <Behind kBehind, class Exec>
int with_words(const char* first, va_list list, Exec exec) noexcept {
  va_list again;
  va_copy(again, list);
  size_t count = 1;
  for (const char* word = first; word != nullptr; word = va_arg(again, const char*)) ++count;
  va_end(again);
  auto** const words = static_cast<char**>(__builtin_alloca(count * sizeof(char*)));
  words[0] = const_cast<char*>(first);
  for (size_t i = 1; i < count; ++i) words[i] = va_arg(list, char*);
  char* const* environment = nullptr;
  if (kBehind == Behind::kEnvironment) environment = va_arg(list, char* const*);
  return exec(words, environment);
}

}  // namespace

void abi::look_up_wrapped() noexcept {
  for (Next* next : {&next_pthread_create, &next_posix_spawn, &next_posix_spawnp, &next_popen,
                     &next_system, &next_vfork, &next_execv, &next_execve, &next_execvp,
                     &next_execvpe, &next_fexecve, &next_execveat})
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

VICINO_API int execv(const char* path, char* const words[]) noexcept {
  return with_process_mask([=] { return next_execv.as<decltype(execv)>()(path, words); });
}

VICINO_API int execve(const char* path, char* const words[], char* const environment[]) noexcept {
  return with_process_mask(
      [=] { return next_execve.as<decltype(execve)>()(path, words, environment); });
}

VICINO_API int execvp(const char* file, char* const words[]) noexcept {
  return with_process_mask([=] { return next_execvp.as<decltype(execvp)>()(file, words); });
}

VICINO_API int execvpe(const char* file, char* const words[], char* const environment[]) noexcept {
  return with_process_mask(
      [=] { return next_execvpe.as<decltype(execvpe)>()(file, words, environment); });
}

VICINO_API int fexecve(int file, char* const words[], char* const environment[]) noexcept {
  return with_process_mask(
      [=] { return next_fexecve.as<decltype(fexecve)>()(file, words, environment); });
}

// The GNU C library has it since 2.34.
VICINO_API int execveat(int folder, const char* path, char* const words[],
                        char* const environment[], int flags) noexcept {
  using Function = int(int, const char*, char* const[], char* const[], int);
  return with_process_mask([=] {
    if (auto* const next = next_execveat.as<Function>())
      return next(folder, path, words, environment, flags);
    return static_cast<int>(syscall(SYS_execveat, folder, path, words, environment, flags));
  });
}

VICINO_API int execl(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  const int failed = with_words<Behind::kNothing>(
      first, list, [=](char** words, char* const*) { return execv(path, words); });
  va_end(list);
  return failed;
}

VICINO_API int execlp(const char* file, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  const int failed = with_words<Behind::kNothing>(
      first, list, [=](char** words, char* const*) { return execvp(file, words); });
  va_end(list);
  return failed;
}

VICINO_API int execle(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  const int failed = with_words<Behind::kEnvironment>(
      first, list,
      [=](char** words, char* const* environment) { return execve(path, words, environment); });
  va_end(list);
  return failed;
}

// vfork_CPU.S jumps to the function that is returned.
extern "C" void* vicino_before_vfork() {
  if (team::self != nullptr) team::self->worker->let_go();
  return next_vfork.get();
}
