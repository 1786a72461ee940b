// parallel.cpp: GCC's parallel regions.
#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/gomp/region.hpp"
#include "team/worker.hpp"

using namespace vicino;
using gomp::Function;
using team::Call;
using team::Member;

namespace vicino::gomp {

// The low bits of `flags` are the proc_bind clause, an omp_proc_bind_t; 0 means none.
region::Request request_of(unsigned threads, unsigned flags) {
  region::Request request{static_cast<int>(threads)};
  constexpr unsigned kBindMask = 7;
  switch (flags & kBindMask) {
    case 2:
      request.bind = topo::Bind::kPrimary;
      break;
    case 3:
      request.bind = topo::Bind::kClose;
      break;
    case 4:
      request.bind = topo::Bind::kSpread;
      break;
    default:
      return request;
  }
  request.has_bind = true;
  return request;
}

Call plain_call(Function function, void* data) {
  const auto run = [](Member&, const Call& call) {
    reinterpret_cast<Function>(call.function)(call.args[0]);
  };
  return {run, reinterpret_cast<void*>(function), 1, {data}};
}

}  // namespace vicino::gomp

VICINO_API void GOMP_parallel(Function function, void* data, unsigned threads, unsigned flags) {
  VICINO_EITHER(region::fork(gomp::plain_call(function, data), gomp::request_of(threads, flags)),
                region::fork(gomp::plain_call(function, data), gomp::request_of(threads, flags)));
}

// The form of old compilers: the caller itself runs thread 0's part between the two calls.
VICINO_API void GOMP_parallel_start(Function function, void* data, unsigned threads) {
  VICINO_WATCHED();
  region::begin_region(gomp::plain_call(function, data), gomp::request_of(threads, 0));
}
VICINO_API void GOMP_parallel_end() { region::end_region(); }
