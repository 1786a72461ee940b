// Profiles as files: several processes at once, files that are no profiles, what stays behind.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.hpp"
#include "temporary_folder.hpp"
#include "tune/profile_file.hpp"
#include "tune_profile.hpp"

namespace vicino::tune {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TuneProfileFile : public testing::Test {
 protected:
  Error add(const ProfileEntry& entry) const {
    return change_profile_file(path_, [&](Profile& profile) { merge(profile, {entry}); });
  }
  void write(const std::string& text) const { write_file(path_, text); }
  std::ptrdiff_t files() const { return folder_.files(); }

  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "some.profile";
};

TEST_F(TuneProfileFile, IsMadeAndAddedTo) {
  EXPECT_EQ(add(some_entry(1)).text, "");
  EXPECT_EQ(add(some_entry(2)).text, "");
  EXPECT_EQ(add(some_entry(1)).text, "");
  const auto profile = read_profile_file(path_);
  ASSERT_TRUE(profile) << profile.error();
  ASSERT_EQ(profile->size(), 2u);
  EXPECT_EQ(profile->at(0).executions, 2 * some_entry().executions);
  EXPECT_EQ(files(), 1);
}

TEST_F(TuneProfileFile, OfManyProcessesNoneIsLost) {
  constexpr int kProcesses = 12, kTimes = 25;
  for (int process = 0; process < kProcesses; ++process) {
    if (fork() != 0) continue;
    bool good = true;
    for (int time = 0; time < kTimes; ++time) {
      ProfileEntry shared = some_entry(0), own = some_entry(static_cast<uint64_t>(process + 1));
      shared.executions = own.executions = 1;
      good = change_profile_file(
                 path_, [&](Profile& profile) { merge(profile, profile_of({shared, own})); })
                 .text.empty() &&
             good;
      good = read_profile_file(path_).ok() && good;
    }
    _exit(good ? 0 : 1);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = -1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  const auto profile = read_profile_file(path_);
  ASSERT_TRUE(profile) << profile.error();
  ASSERT_EQ(profile->size(), kProcesses + 1u);
  EXPECT_EQ(profile->at(0).executions, uint64_t{kProcesses * kTimes});
  for (int process = 1; process <= kProcesses; ++process)
    EXPECT_EQ(profile->at(static_cast<size_t>(process)).executions, uint64_t{kTimes});
  EXPECT_EQ(files(), 1);
}

TEST_F(TuneProfileFile, AnotherFileIsLeftAsItIs) {
  for (const char* text : {"a letter\n", "vicino profile 1\nsite", "vicino profile 9\n"}) {
    write(text);
    EXPECT_THAT(add(some_entry()).text, HasSubstr(path_.string() + ":"));
    EXPECT_EQ(read_file(path_), text);
    EXPECT_FALSE(read_profile_file(path_));
  }
  EXPECT_EQ(files(), 1);
}

TEST_F(TuneProfileFile, WhatIsNoPlainFileIsRefusedAtOnce) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(read_profile_file(path_).error(), HasSubstr("this is not a plain file"));
  EXPECT_THAT(add(some_entry()).text, HasSubstr("this is not a plain file"));
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_THAT(read_profile_file(path_).error(), HasSubstr("this is not a plain file"));
  EXPECT_THAT(add(some_entry()).text, HasSubstr("Is a directory"));
  EXPECT_THAT(read_profile_file("/dev/zero").error(), HasSubstr("this is not a plain file"));
}

TEST_F(TuneProfileFile, AHugeFileIsNotRead) {
  write("");
  fs::resize_file(path_, uint64_t{1} << 40);
  EXPECT_THAT(read_profile_file(path_).error(), HasSubstr("it has 1099511627776 bytes"));
  EXPECT_THAT(add(some_entry()).text, HasSubstr("it has 1099511627776 bytes"));
}

TEST_F(TuneProfileFile, MayBeMissingOnlyIfThatIsSaid) {
  EXPECT_TRUE(read_profile_file(path_, true));
  EXPECT_THAT(read_profile_file(path_).error(), HasSubstr("No such file"));
  path_ = folder_.path() / "nowhere" / "some.profile";
  EXPECT_THAT(add(some_entry()).text, HasSubstr("No such file"));
}

TEST_F(TuneProfileFile, LinksAndModesStay) {
  const fs::path real = folder_.path() / "real.profile";
  fs::create_symlink("real.profile", path_);
  EXPECT_EQ(add(some_entry(1)).text, "");
  fs::permissions(real, fs::perms(0640));
  EXPECT_EQ(add(some_entry(2)).text, "");
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(fs::status(real).permissions(), fs::perms(0640));
  EXPECT_EQ(read_profile_file(real)->size(), 2u);
}

TEST_F(TuneProfileFile, IsNotWrittenIfNothingChanges) {
  EXPECT_EQ(add(some_entry()).text, "");
  struct stat before, after;
  stat(path_.c_str(), &before);
  EXPECT_EQ(change_profile_file(path_, [](Profile&) {}).text, "");
  stat(path_.c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(TuneProfileFile, NobodyWaitsForEver) {
  EXPECT_EQ(add(some_entry()).text, "");
  const int holder = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(holder, LOCK_EX), 0);
  EXPECT_THAT(add(some_entry()).text, HasSubstr("another process has it locked"));
  close(holder);
  EXPECT_EQ(add(some_entry()).text, "");
}

}  // namespace
}  // namespace vicino::tune
