#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "topo/quota.hpp"

namespace vicino::topo {
namespace {

namespace fs = std::filesystem;

constexpr char kMountV1[] =
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n";
constexpr char kMountV2[] =
    "41 31 0:38 / /sys/fs/cgroup rw,nosuid shared:4 master:2 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr char kOtherMounts[] =
    "22 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw\n"
    "33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    "34 31 0:31 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n";

// A file system for one test, with /proc/self and the control groups of one process.
class Quota : public testing::Test {
 protected:
  Quota() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = testing::TempDir() + "vicino_quota_" + test->name() + std::to_string(getpid());
    fs::remove_all(root_);
  }
  ~Quota() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void proc(const std::string& cgroup, const std::string& mounts) {
    write("/proc/self/cgroup", cgroup);
    write("/proc/self/mountinfo", kOtherMounts + mounts);
  }
  void v1(const std::string& group, const std::string& quota, const std::string& period) {
    write(group + "/cpu.cfs_quota_us", quota + "\n");
    write(group + "/cpu.cfs_period_us", period + "\n");
  }
  double read() const { return read_quota(root_).cpus; }

  std::string root_;
};

TEST_F(Quota, NoneWithoutProc) { EXPECT_TRUE(std::isinf(read())); }

TEST_F(Quota, NoneWithoutLimit) {
  proc("2:cpu,cpuacct:/job\n0::/job\n", std::string(kMountV1) + kMountV2);
  v1("/sys/fs/cgroup/cpu,cpuacct/job", "-1", "100000");
  write("/sys/fs/cgroup/job/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isinf(read()));
  EXPECT_EQ(read_quota(root_).group, "");
}

TEST_F(Quota, VersionOne) {
  proc("4:cpuset:/other\n2:cpuacct,cpu:/job\n", kMountV1);
  v1("/sys/fs/cgroup/cpu,cpuacct/job", "150000", "100000");
  v1("/sys/fs/cgroup/cpu,cpuacct/other", "10000", "100000");
  v1("/sys/fs/cgroup/cpuset/other", "10000", "100000");
  EXPECT_DOUBLE_EQ(read(), 1.5);
}

TEST_F(Quota, VersionTwo) {
  proc("0::/user.slice/job\n", kMountV2);
  write("/sys/fs/cgroup/user.slice/job/cpu.max", "25000 50000\n");
  EXPECT_DOUBLE_EQ(read(), 0.5);
}

TEST_F(Quota, VersionTwoOldKernelsWriteNoPeriodAfterMax) {
  proc("0::/job\n", kMountV2);
  write("/sys/fs/cgroup/job/cpu.max", "max\n");
  EXPECT_TRUE(std::isinf(read()));
}

TEST_F(Quota, LeastOfAllAncestors) {
  proc("0::/a/b/c\n", kMountV2);
  write("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");
  write("/sys/fs/cgroup/a/cpu.max", "400000 100000\n");
  EXPECT_DOUBLE_EQ(read(), 3);
  EXPECT_EQ(read_quota(root_).group, root_ + "/sys/fs/cgroup/a/b");
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");  // as a container sees its own group
  EXPECT_DOUBLE_EQ(read(), 2);
  EXPECT_EQ(read_quota(root_).group, root_ + "/sys/fs/cgroup");
}

TEST_F(Quota, HybridTakesTheLeastOfBoth) {
  proc("2:cpu:/one\n0::/two\n",
       "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
       "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  v1("/sys/fs/cgroup/cpu/one", "400000", "100000");
  EXPECT_DOUBLE_EQ(read(), 4);
  write("/sys/fs/cgroup/unified/two/cpu.max", "250000 100000\n");
  EXPECT_DOUBLE_EQ(read(), 2.5);
}

// Version 1 in a container without a namespace: the mount shows the container's group as its top.
TEST_F(Quota, PartOfTheHierarchyIsMounted) {
  proc("2:cpu:/docker/4f/inner\n",
       "32 31 0:29 /docker/4f /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
  v1("/sys/fs/cgroup/cpu", "200000", "100000");
  EXPECT_DOUBLE_EQ(read(), 2);
  v1("/sys/fs/cgroup/cpu/inner", "100000", "100000");
  EXPECT_DOUBLE_EQ(read(), 1);
  v1("/sys/fs/cgroup/cpu/docker/4f", "10000", "100000");  // no such group is mounted
  EXPECT_DOUBLE_EQ(read(), 1);
}

TEST_F(Quota, GroupOutsideTheNamespace) {
  proc("0::/../sibling\n", kMountV2);
  write("/sys/fs/cgroup/cpu.max", "150000 100000\n");
  write("/sys/fs/sibling/cpu.max", "10000 100000\n");  // the path leads to no group
  EXPECT_DOUBLE_EQ(read(), 1.5);
}

TEST_F(Quota, EscapedMountPoint) {
  proc("0::/\n", "41 31 0:38 / /mnt/my\\040groups\\134x rw - cgroup2 cgroup2 rw\n");
  write("/mnt/my groups\\x/cpu.max", "50000 100000\n");
  EXPECT_DOUBLE_EQ(read(), 0.5);
}

TEST_F(Quota, NonsenseIsNoLimit) {
  proc("2:cpu:job\n\nx\n0:\n0::\n", std::string("\n- -\na b c d e -\n") + kMountV1 + kMountV2);
  v1("/sys/fs/cgroup/cpu,cpuacct", "100000", "-");
  write("/sys/fs/cgroup/cpu.max", "much more\n");
  EXPECT_TRUE(std::isinf(read()));
}

}  // namespace
}  // namespace vicino::topo
