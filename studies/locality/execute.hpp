// execute.hpp: one loop body, in every form that is compared.
//
// Why    The schedules of OpenMP's clause are compiled in, with their modifiers, because programs
//        write them so. Besides, libomp gives a dynamic loop from omp_set_schedule() one counter,
//        while the clause makes it steal. kRuntime is for schedules that the clause cannot name.
#pragma once

#include <cstdint>

namespace bench::locality {

enum class Init { kSerial, kFirstTouch };
enum class Form {
  kSerial,
  kStatic,
  kStaticChunked,
  kDynamic,
  kMonotonicDynamic,
  kGuided,
  kRuntime,
  kTaskloop
};

// A body is a lambda that captures by value: every thread and every task has a copy.
template <class Body>
void execute(Form form, int64_t trip, int64_t chunk, Body body) {
  switch (form) {
    case Form::kSerial:
      for (int64_t i = 0; i < trip; ++i) body(i);
      break;
    case Form::kStatic:
#pragma omp parallel for schedule(static) firstprivate(body)
      for (int64_t i = 0; i < trip; ++i) body(i);
      break;
    case Form::kStaticChunked:
#pragma omp parallel for schedule(static, chunk) firstprivate(body)
      for (int64_t i = 0; i < trip; ++i) body(i);
      break;
    case Form::kDynamic:
#pragma omp parallel for schedule(nonmonotonic : dynamic, chunk) firstprivate(body)
      for (int64_t i = 0; i < trip; ++i) body(i);
      break;
    case Form::kMonotonicDynamic:
#pragma omp parallel for schedule(monotonic : dynamic, chunk) firstprivate(body)
      for (int64_t i = 0; i < trip; ++i) body(i);
      break;
    case Form::kGuided:
#pragma omp parallel for schedule(guided, chunk) firstprivate(body)
      for (int64_t i = 0; i < trip; ++i) body(i);
      break;
    case Form::kRuntime:
#pragma omp parallel for schedule(runtime) firstprivate(body)
      for (int64_t i = 0; i < trip; ++i) body(i);
      break;
    case Form::kTaskloop:
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(chunk) firstprivate(body)
      for (uint64_t i = 0; i < static_cast<uint64_t>(trip); ++i) body(static_cast<int64_t>(i));
      break;
  }
}

template <class Body>
void initialise(Init init, int64_t trip, Body body) {
  execute(init == Init::kSerial ? Form::kSerial : Form::kStatic, trip, 1, body);
}

}  // namespace bench::locality
