// threadprivate.cpp: LLVM's threadprivate variables that are not thread-local storage.
#include "region/threadprivate.hpp"

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Ident;

VICINO_API void __kmpc_threadprivate_register(Ident*, void* original, void* (*construct)(void*),
                                              void* (*copy_construct)(void*, void*),
                                              void (*destroy)(void*)) {
  const region::ThreadprivateClass its{construct, copy_construct, destroy};
  region::register_threadprivate(original, its);
}

// The variable is an array of `length` objects.
VICINO_API void __kmpc_threadprivate_register_vec(Ident*, void* original,
                                                  void* (*construct)(void*, size_t),
                                                  void* (*copy_construct)(void*, void*, size_t),
                                                  void (*destroy)(void*, size_t), size_t length) {
  const region::ThreadprivateArray its{construct, copy_construct, destroy, length};
  region::register_threadprivate(original, its);
}

// `cache` belongs to the variable, for a table of copies by thread; Vicino keeps the copies with
// the threads.
VICINO_API void* __kmpc_threadprivate_cached(Ident*, int32_t, void* original, size_t size,
                                             void***) {
  return region::threadprivate(*region::me().worker, original, size);
}
VICINO_API void* __kmpc_threadprivate(Ident*, int32_t, void* original, size_t size) {
  return region::threadprivate(*region::me().worker, original, size);
}
