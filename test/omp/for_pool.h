// for_pool.h: gives each task that is made while FOR_POOL is not 0 the flag that clang 22 gives to tasks with
// threadset(omp_pool). For LLVM's compilers; the program's function is called in place of the runtime's.
#ifndef FOR_POOL_H
#define FOR_POOL_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stddef.h>

#ifndef FOR_POOL
#error "FOR_POOL is to be an expression"
#endif

#ifdef __cplusplus
extern "C"
#endif
    void*
    __kmpc_omp_task_alloc(void* where, int gtid, int flags, size_t size, size_t shareds,
                          void* routine) {
  enum { kForPool = 0x80 };
  typedef void* (*Function)(void*, int, int, size_t, size_t, void*);
  const Function own = (Function)dlsym(RTLD_NEXT, "__kmpc_omp_task_alloc");
  return own(where, gtid, (FOR_POOL) ? flags | kForPool : flags, size, shareds, routine);
}
#endif
