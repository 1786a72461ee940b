// constructs.cpp: GCC's OpenACC constructs on the host, and OpenACC's queues.
//
// A compute construct runs on the calling thread before the call returns, whatever its queue, so
// every queue is empty at any time.
#include <cstddef>

#include "abi/api.hpp"
#include "abi/gomp/region.hpp"

using namespace vicino;
using gomp::Function;

// The arguments that follow are the numbers of gangs, workers and queues.
VICINO_API void GOACC_parallel_keyed(int, Function function, size_t, void** addresses, size_t*,
                                     unsigned short*, ...) {
  function(addresses);
}
VICINO_API void GOACC_parallel(int, Function function, size_t, void** addresses, size_t*,
                               unsigned short*, ...) {
  function(addresses);
}
// Code for the host has one gang, with one worker.
VICINO_API int GOACC_get_num_threads() { return 1; }
VICINO_API int GOACC_get_thread_num() { return 0; }

// Constructs that move data, or wait.
VICINO_API void GOACC_data_start(int, size_t, void**, size_t*, unsigned short*) {}
VICINO_API void GOACC_data_end() {}
VICINO_API void GOACC_enter_exit_data(int, size_t, void**, size_t*, unsigned short*, ...) {}
VICINO_API void GOACC_enter_data(int, size_t, void**, size_t*, unsigned short*, ...) {}
VICINO_API void GOACC_exit_data(int, size_t, void**, size_t*, unsigned short*, ...) {}
VICINO_API void GOACC_update(int, size_t, void**, size_t*, unsigned short*, ...) {}
VICINO_API void GOACC_declare(int, size_t, void**, size_t*, unsigned short*) {}
VICINO_API void GOACC_wait(int, int, ...) {}

VICINO_API int acc_async_test(int) { return 1; }
VICINO_API int acc_async_test_h_(const int*) { return 1; }
VICINO_API int acc_async_test_all() { return 1; }
VICINO_API int acc_async_test_all_h_() { return 1; }
VICINO_API void acc_wait(int) {}
VICINO_API void acc_wait_h_(const int*) {}
VICINO_API void acc_async_wait(int) {}
VICINO_API void acc_wait_async(int, int) {}
VICINO_API void acc_wait_async_h_(const int*, const int*) {}
VICINO_API void acc_wait_all() {}
VICINO_API void acc_wait_all_h_() {}
VICINO_API void acc_async_wait_all() {}
VICINO_API void acc_wait_all_async(int) {}
VICINO_API void acc_wait_all_async_h_(const int*) {}
