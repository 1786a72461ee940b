// threadprivate.cpp: LLVM's threadprivate variables that are not thread-local storage.
#include "region/threadprivate.hpp"

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Ident;

VICINO_API void __kmpc_threadprivate_register(Ident*, void* original, void* (*construct)(void*),
                                              void* (*copy_construct)(void*, void*),
                                              void (*destroy)(void*)) {
  region::register_threadprivate(original, {construct, copy_construct, destroy});
}

// `cache` belongs to the variable, for a table of copies by thread; Vicino keeps the copies with
// the threads.
VICINO_API void* __kmpc_threadprivate_cached(Ident*, int32_t, void* original, size_t size,
                                             void***) {
  return region::threadprivate(*team::me().worker, original, size);
}
VICINO_API void* __kmpc_threadprivate(Ident*, int32_t, void* original, size_t size) {
  return region::threadprivate(*team::me().worker, original, size);
}
