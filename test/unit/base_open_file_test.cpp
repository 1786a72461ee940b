// Files that are replaced as a whole: what they become, and that they stay as they were if that fails.
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/open_file.hpp"
#include "temporary_folder.hpp"

namespace vicino {
namespace {

namespace fs = std::filesystem;

// Files may not grow beyond a limit, as if the disk were full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    old_handler_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  sighandler_t old_handler_;
};

class ReplaceFile : public testing::Test {
 protected:
  std::string replace(const std::vector<std::string_view>& pieces) const {
    return replace_file(path_, pieces).text;
  }
  mode_t mode() const {
    struct stat status;
    return stat(path_.c_str(), &status) == 0 ? status.st_mode & 0777 : 0;
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "some.file";
};

TEST_F(ReplaceFile, IsMadeWithTheModeOfNewFiles) {
  const mode_t old = umask(027);
  EXPECT_EQ(replace({"one, ", "", "two"}), "");
  umask(old);
  EXPECT_EQ(read_file(path_), "one, two");
  EXPECT_EQ(mode(), 0640u);
  EXPECT_EQ(folder_.files(), 1);
}

TEST_F(ReplaceFile, OwnerModeAndLinksStay) {
  const fs::path real = folder_.path() / "real.file";
  write_file(real, "old and longer");
  fs::permissions(real, fs::perms(0604));
  fs::create_symlink("real.file", path_);
  EXPECT_EQ(replace({"new"}), "");
  EXPECT_EQ(read_file(real), "new");
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(mode(), 0604u);
  EXPECT_EQ(folder_.files(), 2);
}

TEST_F(ReplaceFile, IsAnotherFileForThoseThatHaveItOpen) {
  write_file(path_, "old");
  const OpenFile before(path_, O_RDONLY);
  EXPECT_EQ(replace({"newer"}), "");
  char text[8] = {};
  EXPECT_EQ(*before.read(text, sizeof text, 0), 3u);
  EXPECT_STREQ(text, "old");
}

TEST_F(ReplaceFile, StaysIfTheDiskIsFull) {
  write_file(path_, "old");
  const std::string large(5000, 'x');
  {
    const FullDisk full(4096);
    EXPECT_EQ(replace({"head", large}), strerror(EFBIG));
  }
  EXPECT_EQ(read_file(path_), "old");
  EXPECT_EQ(folder_.files(), 1);
  EXPECT_EQ(replace({"head", large}), "");
}

TEST_F(ReplaceFile, WhatIsNoPlainFileStays) {
  const std::string no_plain_file = "this is not a plain file";
  fs::create_directory(path_);
  EXPECT_EQ(replace({"new"}), no_plain_file);
  fs::remove(path_);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(replace({"new"}), no_plain_file);
  EXPECT_TRUE(fs::is_fifo(path_));
  const fs::path pipe = path_;
  path_ = folder_.path() / "link";
  fs::create_symlink(pipe, path_);
  EXPECT_EQ(replace({"new"}), no_plain_file);
  EXPECT_TRUE(fs::is_fifo(pipe));
  // Not tried on a device: a fault would replace it for the whole machine.
}

TEST_F(ReplaceFile, ALinkToNowhereStays) {
  fs::create_symlink("nowhere", path_);
  EXPECT_EQ(replace({"new"}), "this is a link to a file that does not exist");
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(folder_.files(), 1);
}

TEST_F(ReplaceFile, AFolderThatDoesNotExist) {
  path_ = folder_.path() / "nowhere" / "some.file";
  EXPECT_EQ(replace({"new"}), "cannot write beside it: " + std::string(strerror(ENOENT)));
}

TEST_F(ReplaceFile, WhatMayNotBeWrittenStays) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write each file";
  write_file(path_, "old");
  fs::permissions(path_, fs::perms(0444));
  EXPECT_EQ(replace({"new"}), strerror(EACCES));
  EXPECT_EQ(read_file(path_), "old");
}

TEST_F(ReplaceFile, WhatAKilledProcessLeftIsNotInTheWay) {
  const auto left = [&](int i) {
    return path_.string() + "." + std::to_string(getpid()) + "." + std::to_string(i);
  };
  write_file(left(0), "left");
  write_file(left(1), "left");
  EXPECT_EQ(replace({"new"}), "");
  EXPECT_EQ(read_file(path_), "new");
  EXPECT_EQ(read_file(left(0)), "left");
  EXPECT_EQ(folder_.files(), 3);
}

TEST(OpenFile, ReadsAtAnyOffset) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "text";
  write_file(path, "0123456789");
  const OpenFile file(path, O_RDONLY);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(*file.size(), 10u);
  char text[8] = {};
  EXPECT_EQ(*file.read(text, 3, 5), 3u);
  EXPECT_STREQ(text, "567");
  EXPECT_EQ(*file.read(text, 8, 8), 2u);
  EXPECT_EQ(*file.read(text, 8, 80), 0u);
}

TEST(OpenFile, SaysWhatTheSystemSays) {
  const OpenFile none("/nowhere/at/all", O_RDONLY);
  EXPECT_FALSE(none.ok());
  EXPECT_EQ(none.size().error(), strerror(EBADF));
  const OpenFile folder("/", O_RDONLY);
  char text[8];
  EXPECT_EQ(folder.read(text, 8, 0).error(), strerror(EISDIR));
  EXPECT_EQ(folder.write("x"), EBADF);
}

TEST(HashByWords, ATailIsFilledWithZeros) {
  EXPECT_EQ(hash_by_words("abc"), hash_by_words(std::string_view("abc\0\0\0\0\0", 8)));
  EXPECT_EQ(hash_by_words("12345678abc"), hash_by_words("abc", hash_by_words("12345678")));
  EXPECT_EQ(hash_by_words(""), hash_by_words("", hash_by_words("")));
}

// The uppermost bits of two words: a product keeps them where they are, so that they would cancel out.
TEST(HashByWords, TwoChangesOfOneBitAreSeen) {
  const std::string text(64, 'a');
  for (size_t first = 0; first < text.size(); ++first)
    for (size_t second = first; second < text.size(); ++second) {
      std::string other = text;
      other[first] = static_cast<char>(other[first] ^ 0x80);
      if (second != first) other[second] = static_cast<char>(other[second] ^ 0x80);
      ASSERT_NE(hash_by_words(other), hash_by_words(text)) << first << " " << second;
    }
}

}  // namespace
}  // namespace vicino
