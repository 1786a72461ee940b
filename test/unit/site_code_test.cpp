// site/code.hpp: the objects that hold addresses.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "site/code.hpp"

namespace vicino::site {
namespace {

const char here = 0;

// The C library's list of objects has a lock that stays taken in a child if another thread of the parent had it.
TEST(ObjectAt, FindsObjectsInAChildMadeWhileAnotherThreadAsks) {
  std::atomic<bool> ends{false};
  std::thread other([&] {
    while (!ends.load()) object_at(&here);
  });
  int failed = 0;
  for (int trial = 0; trial < 100 && failed == 0; ++trial) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
      _exit(object_at(&here).path == "/proc/self/exe" ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    failed += status != 0;
  }
  ends.store(true);
  other.join();
  EXPECT_EQ(failed, 0);
}

}  // namespace
}  // namespace vicino::site
