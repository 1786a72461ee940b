// A program that runs with more rights than its caller must not be steered by the caller's
// variables. Only the kernel tells this (AT_SECURE), so the test runs a set-user-id copy of its own
// program; that needs a superuser and a file system that honours the bit.
#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "config/environment.hpp"

namespace vicino::config {
namespace {

constexpr uid_t kNobody = 65534;
constexpr int kNotSecure = 77;
constexpr int kCannotRun = 126;

// Runs `program` for one test of this file as a user without rights; returns its exit status.
int run_as_nobody(const std::filesystem::path& program) {
  const pid_t child = fork();
  if (child == 0) {
    if (setresuid(kNobody, kNobody, kNobody) != 0) _exit(kNotSecure);
    execl(program.c_str(), program.c_str(), "--gtest_filter=ConfigSecure.DISABLED_InTheCopy",
          "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
    _exit(kCannotRun);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ConfigSecure, DISABLED_InTheCopy) {
  if (getauxval(AT_SECURE) == 0) _exit(kNotSecure);
  EXPECT_TRUE(Environment::of_process().entries().empty());
}

TEST(ConfigSecure, ASetUserIdProgramSeesNoVariables) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a superuser";
  using std::filesystem::perms;
  constexpr perms kAllRun = perms::owner_all | perms::group_exec | perms::others_exec;
  std::string folder = testing::TempDir() + "vicino-secure-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::filesystem::permissions(folder, kAllRun);
  const auto copy = std::filesystem::path(folder) / "copy";
  std::filesystem::copy_file("/proc/self/exe", copy);
  std::filesystem::permissions(copy, kAllRun | perms::set_uid);
  const int status = run_as_nobody(copy);
  std::filesystem::remove_all(folder);
  if (status == kNotSecure) GTEST_SKIP() << "the bit has no effect here";
  EXPECT_EQ(status, 0);
}

TEST(ConfigSecure, AnOrdinaryProgramSeesThem) {
  EXPECT_FALSE(Environment::of_process().entries().empty());
}

}  // namespace
}  // namespace vicino::config
