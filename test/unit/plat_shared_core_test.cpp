#include <sched.h>

#include "gtest/gtest.h"
#include "plat/lost_time.hpp"

namespace vicino::plat {
namespace {

// Long after any crowd that another test made.
uint64_t later() { return now() + 100'000'000'000; }

// Whether the thread is on another CPU after so many losses, `apart` ns from each other.
bool moves(int losses, uint64_t apart) {
  static uint64_t time = later();
  time += 1'000'000'000;  // what was before is long ago
  const int here = sched_getcpu();
  for (int i = 0; i < losses; ++i) detail::lost_core(time += apart);
  return sched_getcpu() != here;
}

int moved_of_ten(int losses, uint64_t apart) {
  int moved = 0;
  for (int i = 0; i < 10; ++i) moved += moves(losses, apart);
  return moved;
}

// The kernel may move it, too, at any time.
TEST(SharedCore, AThirdLossInARowMovesTheThread) {
  cpu_set_t before, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  if (CPU_COUNT(&before) < 2) GTEST_SKIP() << "one CPU";
  set_known_threads(1000);
  EXPECT_GE(moved_of_ten(3, 100'000), 6);
  EXPECT_GE(moved_of_ten(3, 5'000'000), 6);
  EXPECT_LE(moved_of_ten(2, 100'000), 4);
  EXPECT_LE(moved_of_ten(5, 20'000'000), 4);
  set_known_threads(0);  // this one is not known
  EXPECT_LE(moved_of_ten(3, 100'000), 4);
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

}  // namespace
}  // namespace vicino::plat
