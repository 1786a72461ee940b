// distribute and its combined forms: every iteration runs once, in one team; lastprivate and
// reductions come out right; chunks of dist_schedule go to the teams that they belong to.
#include <omp.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "check.h"

namespace {

constexpr int kTeams = 3;

// The counter of a loop has `trip` values: first, first + step and so on.
template <class T>
struct Space {
  T first;
  long step;
  long trip;
};

template <class T>
void plain(const Space<T>& s) {
  std::vector<unsigned char> seen(static_cast<size_t>(s.trip) + 1);
  T last = 77;
  long iterations = 0;
  const T end = static_cast<T>(s.first + static_cast<T>(s.step * s.trip));
  unsigned char* const runs = seen.data();
  if (s.step > 0) {
#pragma omp teams distribute num_teams(kTeams) lastprivate(last) reduction(+ : iterations)
    for (T i = s.first; i < end; i += static_cast<T>(3)) {
      hit(runs, static_cast<long>((i - s.first) / 3));
      last = i;
      ++iterations;
    }
  } else {
#pragma omp teams distribute num_teams(kTeams) lastprivate(last) reduction(+ : iterations)
    for (T i = s.first; i > end; i -= static_cast<T>(3)) {
      hit(runs, static_cast<long>((s.first - i) / 3));
      last = i;
      ++iterations;
    }
  }
  CHECK_EQ(iterations, s.trip);
  CHECK_EACH_ONCE(runs, s.trip);
  if (s.trip > 0) CHECK_EQ(last, static_cast<T>(end - static_cast<T>(s.step)));
}

template <class T>
void every_plain(T high) {
  for (long trip : {0L, 1L, 2L, 3L, 4L, 30L, 41L}) {
    plain<T>({T{1}, 3, trip});
    plain<T>({static_cast<T>(high - 3 * trip), 3, trip});
    plain<T>({high, -3, trip});
  }
}

// Chunk k belongs to team k mod the number of teams.
void chunks() {
  constexpr int kTrip = 50, kChunk = 4;
  int team_of[kTrip] = {}, teams[kTrip] = {};
#pragma omp teams distribute num_teams(kTeams) dist_schedule(static, kChunk) shared(team_of, teams)
  for (int i = 0; i < kTrip; ++i) {
    team_of[i] = omp_get_team_num();
    teams[i] = omp_get_num_teams();
  }
  for (int i = 0; i < kTrip; ++i) {
    CHECK(teams[i] > 0);
    if (teams[i] > 0) CHECK_EQ(team_of[i], i / kChunk % teams[i]);
  }
}

// The combined form: `schedule` is that of the threads.
#define COMBINED(name, clauses)                                                                       \
  void name() {                                                                                       \
    constexpr long kTrip = 203;                                                                       \
    std::vector<unsigned char> seen(kTrip);                                                           \
    unsigned char* const runs = seen.data();                                                          \
    long sum = 0, last = -1;                                                                          \
    OMP(teams distribute parallel for num_teams(kTeams) reduction(+ : sum) lastprivate(last) clauses) \
    for (long i = 0; i < kTrip; ++i) {                                                                \
      hit(runs, i);                                                                                   \
      sum += i;                                                                                       \
      last = i;                                                                                       \
    }                                                                                                 \
    CHECK_EACH_ONCE(runs, kTrip);                                                                     \
    CHECK_EQ(sum, kTrip*(kTrip - 1) / 2);                                                             \
    CHECK_EQ(last, kTrip - 1);                                                                        \
  }
COMBINED(with_default, )
COMBINED(with_static, schedule(static))
COMBINED(with_static_5, schedule(static, 5))
COMBINED(with_dynamic, schedule(dynamic))
COMBINED(with_guided, schedule(guided, 2))
COMBINED(with_both, dist_schedule(static, 20) schedule(dynamic, 3))
COMBINED(with_chunks, dist_schedule(static, 7) schedule(static, 2))

void collapsed() {
  constexpr int kRows = 13, kColumns = 11;
  std::vector<unsigned char> seen(kRows * kColumns);
  unsigned char* const runs = seen.data();
#pragma omp teams distribute parallel for simd collapse(2) num_teams(4) thread_limit(2)
  for (int i = 0; i < kRows; ++i)
    for (unsigned j = 0; j < kColumns; ++j) hit(runs, i * kColumns + static_cast<int>(j));
  CHECK_EACH_ONCE(runs, kRows * kColumns);
}

// Several distribute regions of one teams region.
void several() {
  long sums[2] = {0, 0};
#pragma omp teams num_teams(4) shared(sums)
  {
    long mine = 0;
#pragma omp distribute
    for (int i = 0; i < 100; ++i) mine += i;
    __atomic_fetch_add(&sums[0], mine, __ATOMIC_RELAXED);
    mine = 0;
#pragma omp distribute parallel for reduction(+ : mine)
    for (int i = 0; i < 100; ++i) mine += 2 * i;
    __atomic_fetch_add(&sums[1], mine, __ATOMIC_RELAXED);
  }
  CHECK_EQ(sums[0], 4950);
  CHECK_EQ(sums[1], 9900);
}

}  // namespace

int main() {
  every_plain<int>(std::numeric_limits<int>::max() - 3);
  every_plain<unsigned>(std::numeric_limits<unsigned>::max() - 3);
  every_plain<long>(std::numeric_limits<long>::max() - 3);
  every_plain<uint64_t>(std::numeric_limits<uint64_t>::max() - 3);
  chunks();
  with_default();
  with_static();
  with_static_5();
  with_dynamic();
  with_guided();
  with_both();
  with_chunks();
  collapsed();
  several();
  return check_result();
}
