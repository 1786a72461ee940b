// execute.hpp: one loop body, in every form that is compared.
//
// Why    The schedules of OpenMP's clause are compiled in, modifiers spelt out: libomp treats
//        dynamic from the clause, which may be nonmonotonic, and from OMP_SCHEDULE differently, and
//        programs write the clause. kRuntime is for what has no word in the clause.
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
