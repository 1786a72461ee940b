// places.cpp: OpenMP's routines on places and binding.
#include "team/places.hpp"

#include <climits>

#include "abi/api.hpp"
#include "abi/omp/get.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using team::Member;

namespace {

const CpuSet* place(int number) {
  return number >= 0 && number < team::num_places() ? &team::places()[number] : nullptr;
}

int place_num_procs(int number) {
  const CpuSet* cpus = place(number);
  return cpus == nullptr ? 0 : cpus->count();
}

template <class Int>
void place_proc_ids(int number, Int* ids) {
  const CpuSet* cpus = place(number);
  if (cpus == nullptr) return;
  for (int cpu = cpus->first(); cpu >= 0; cpu = cpus->next(cpu)) *ids++ = static_cast<Int>(cpu);
}

topo::Partition partition() { return team::places_in(region::me().partition); }

template <class Int>
void partition_place_nums(Int* numbers) {
  const topo::Partition p = partition();
  for (int i = 0; i < p.size; ++i) *numbers++ = static_cast<Int>(p.first + i);
}

int proc_bind() {
  switch (region::icvs_now().bind) {  // omp_proc_bind_t
    case topo::Bind::kFalse:
    case topo::Bind::kNear:
      return 0;
    case topo::Bind::kTrue:
      return 1;
    case topo::Bind::kPrimary:
      return 2;
    case topo::Bind::kClose:
      return 3;
    case topo::Bind::kSpread:
      return 4;
  }
  return 0;
}

}  // namespace

VICINO_GET(int, omp_get_num_places, team::num_places())
VICINO_GET(int, omp_get_place_num, region::place_now())
VICINO_GET(int, omp_get_partition_num_places, partition().size)
VICINO_GET(int, omp_get_proc_bind, proc_bind())

VICINO_API int omp_get_place_num_procs(int number) { return place_num_procs(number); }
VICINO_API int omp_get_place_num_procs_(const int* number) { return place_num_procs(*number); }
VICINO_API int omp_get_place_num_procs_8_(const int64_t* number) {
  return place_num_procs(abi::saturated(*number));
}
VICINO_INTEGER8(int, get_place_num_procs, place_num_procs)
VICINO_API void omp_get_place_proc_ids(int number, int* ids) { place_proc_ids(number, ids); }
VICINO_API void omp_get_place_proc_ids_(const int* number, int* ids) {
  place_proc_ids(*number, ids);
}
VICINO_API void omp_get_place_proc_ids_8_(const int64_t* number, int64_t* ids) {
  place_proc_ids(abi::saturated(*number), ids);
}
VICINO_API void kmp_get_place_proc_ids_8(int64_t number, int64_t* ids) {
  place_proc_ids(abi::saturated(number), ids);
}
VICINO_API void kmp_get_place_proc_ids_8_(const int64_t* number, int64_t* ids) {
  place_proc_ids(abi::saturated(*number), ids);
}
VICINO_API void omp_get_partition_place_nums(int* numbers) { partition_place_nums(numbers); }
VICINO_API void omp_get_partition_place_nums_(int* numbers) { partition_place_nums(numbers); }
VICINO_API void omp_get_partition_place_nums_8_(int64_t* numbers) { partition_place_nums(numbers); }
VICINO_API void kmp_get_partition_place_nums_8(int64_t* numbers) { partition_place_nums(numbers); }
VICINO_API void kmp_get_partition_place_nums_8_(int64_t* numbers) { partition_place_nums(numbers); }
