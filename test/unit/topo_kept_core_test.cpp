#include <latch>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "topo/kept_core.hpp"

namespace vicino::topo {
namespace {

cpu_set_t own_mask() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  return mask;
}

// The only core that the caller may use; none if there are several.
std::optional<int> only_core() {
  const cpu_set_t mask = own_mask();
  if (CPU_COUNT(&mask) != 1) return {};
  int core = 0;
  while (!CPU_ISSET(core, &mask)) ++core;
  return core;
}

class KeptCoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (CPU_COUNT(&before_) < 2) GTEST_SKIP() << "one CPU";
  }
  void TearDown() override {
    const cpu_set_t now = own_mask();
    EXPECT_TRUE(CPU_EQUAL(&now, &before_));
  }
  const cpu_set_t before_ = own_mask();
};

TEST_F(KeptCoreTest, OneCoreWhileItLastsAndThenAllAgain) {
  const KeptCore kept(true, nullptr);
  ASSERT_TRUE(only_core());
  EXPECT_EQ(sched_getcpu(), *only_core());
}

TEST_F(KeptCoreTest, NothingIfItIsNotWanted) {
  const KeptCore kept(false, nullptr);
  EXPECT_FALSE(only_core());
}

TEST_F(KeptCoreTest, NotThePrimaryThreads) {
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &before_)) continue;
    const auto primary = static_cast<uint32_t>(core);
    const KeptCore kept(true, &primary);
    ASSERT_TRUE(only_core());
    EXPECT_NE(*only_core(), core);
  }
}

TEST_F(KeptCoreTest, EachThreadHasItsOwnUntilThereAreNoMore) {
  const int cores = CPU_COUNT(&before_);
  cpu_set_t found;
  CPU_ZERO(&found);
  int without = 0;
  std::latch all_keep(cores + 1);
  std::mutex mutex;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i <= cores; ++i)
      threads.emplace_back([&] {
        const KeptCore kept(true, nullptr);
        {
          const std::lock_guard hold(mutex);
          if (const auto core = only_core())
            CPU_SET(*core, &found);
          else
            ++without;
        }
        all_keep.arrive_and_wait();
      });
  }
  EXPECT_TRUE(CPU_EQUAL(&found, &before_));
  EXPECT_EQ(without, 1);
}

TEST_F(KeptCoreTest, AMaskThatWasChangedMeanwhileStays) {
  cpu_set_t other = before_;
  {
    const KeptCore kept(true, nullptr);
    ASSERT_TRUE(only_core());
    CPU_CLR(*only_core(), &other);
    ASSERT_EQ(sched_setaffinity(0, sizeof other, &other), 0);
  }
  const cpu_set_t now = own_mask();
  EXPECT_TRUE(CPU_EQUAL(&now, &other));
  sched_setaffinity(0, sizeof before_, &before_);
}

TEST_F(KeptCoreTest, WhereAThreadRunsIsKnownToOthers) {
  const CoreWord word = core_word();
  if (word == nullptr) GTEST_SKIP() << "glibc registers no restartable sequences";
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &before_)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    std::jthread([&] { EXPECT_EQ(static_cast<int>(*word), core); }).join();
  }
  sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace
}  // namespace vicino::topo
