// process_mask.hpp: the CPUs that the process was given at its start.
//
// Why    A second OpenMP runtime may be in the process: Python's wheels bring their own libgomp,
//        and a preloaded Vicino leaves the program's runtime loaded. With OMP_PROC_BIND, OMP_PLACES
//        or GOMP_CPU_AFFINITY the constructor of that runtime binds the initial thread to one place
//        before the first call of Vicino, which would take that place for the whole machine.
// How    The mask is read when the loader relocates this library, which it does before it runs any
//        constructor of the libraries that it loads with it. At the first call three facts together
//        show that another runtime has bound the initial thread: the thread has a smaller mask, one
//        of those variables is set, and another runtime is mapped. Then the earlier mask counts.
// Not    a guess where nothing points to another runtime: a mask that the program sets before its
//        first OpenMP call is what the program wants, and counts.
#pragma once

#include <sys/types.h>

#include "base/cpu_set.hpp"

namespace vicino::topo {

// The kernel's mask of a thread; 0 is the caller, getpid() the initial thread. Empty if the kernel
// refuses.
CpuSet mask_of_thread(pid_t thread);
// Whether that is the thread's mask. A new thread may ask, for this allocates nothing.
bool has_mask(pid_t thread, const CpuSet& cpus) noexcept;
// Lets a thread, numbered in the same way, run on these CPUs only. False if the kernel refuses.
bool run_on(pid_t thread, const CpuSet& cpus);

// The mask is read at the first call, then constant, and never empty: where the kernel refuses to tell,
// it is all CPUs that are online. If another runtime has bound the initial thread to fewer CPUs than
// the process was given, this call gives the initial thread all of them again.
const CpuSet& process_mask();

// Whether another runtime had bound the initial thread.
bool bound_by_another_runtime();

// If so, widens the calling thread's mask too, if it has inherited the initial thread's.
void undo_foreign_binding();

}  // namespace vicino::topo
