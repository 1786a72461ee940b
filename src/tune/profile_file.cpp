#include "tune/profile_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <utility>

namespace vicino::tune {
namespace {

class File {
 public:
  // O_NONBLOCK: a pipe or a device must not make the process wait.
  File(const std::string& path, int flags)
      : number_(open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666)) {}
  explicit File(int number) : number_(number) {}
  ~File() {
    if (number_ < 0) return;
    if (locked_) flock(number_, LOCK_UN);  // a child of fork() may have the same open file
    close(number_);
  }
  File(const File&) = delete;

  bool ok() const noexcept { return number_ >= 0; }
  int number() const noexcept { return number_; }

  // Returns errno's number, or 0.
  int lock(int& left_ms) noexcept {
    for (;;) {
      if (flock(number_, LOCK_EX | LOCK_NB) == 0) {
        locked_ = true;
        return 0;
      }
      if (errno != EWOULDBLOCK && errno != EINTR) return errno;
      if (left_ms <= 0) return EWOULDBLOCK;
      const timespec pause{0, 2'000'000};
      nanosleep(&pause, nullptr);
      left_ms -= 2;
    }
  }

  // Whether the path still names this file.
  bool is_called(const std::string& path) const noexcept {
    struct stat mine, named;
    return fstat(number_, &mine) == 0 && stat(path.c_str(), &named) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
  }

 private:
  int number_;
  bool locked_ = false;
};

Error wrong(const std::string& path, const std::string& reason) { return {path + ": " + reason}; }
Error failed(const std::string& path, int error) { return wrong(path, strerror(error)); }

Result<Profile> read_from(const File& file, const std::string& path) {
  struct stat status;
  if (fstat(file.number(), &status) != 0) return failed(path, errno);
  if (!S_ISREG(status.st_mode)) return wrong(path, "this is not a plain file");
  const auto size = static_cast<uint64_t>(status.st_size);
  if (size > kMostProfileBytes)
    return wrong(path, "it has " + std::to_string(size) + " bytes; a profile has " +
                           std::to_string(kMostProfileBytes) + " at most");
  std::string text(size, '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got =
        pread(file.number(), text.data() + have, text.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(path, errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  auto profile = parse_profile(text);
  if (!profile) return Error{path + ":" + profile.error()};
  return profile;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = write(file, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

// P1. The owner and the mode stay, as far as the process may set them.
Error replace(const File& old, const std::string& path, const std::string& text) {
  std::string beside = path + ".XXXXXX";
  const File made(mkostemp(beside.data(), O_CLOEXEC));
  if (!made.ok()) return wrong(path, "cannot write beside it: " + std::string(strerror(errno)));
  struct stat status;
  bool done = fstat(old.number(), &status) == 0;
  if (done && fchown(made.number(), status.st_uid, status.st_gid) != 0) {
    // Then it belongs to the user whose process wrote it last.
  }
  done = done && fchmod(made.number(), status.st_mode & 0777) == 0 &&
         write_all(made.number(), text) && rename(beside.c_str(), path.c_str()) == 0;
  if (done) return {};
  const Error error = failed(path, errno);
  unlink(beside.c_str());
  return error;
}

// The path behind symbolic links: rename() would replace the link.
std::string behind_links(const std::string& path) {
  char* const resolved = realpath(path.c_str(), nullptr);
  std::string result = resolved != nullptr ? resolved : path;
  free(resolved);
  return result;
}

}  // namespace

Result<Profile> read_profile_file(const std::string& path, bool may_be_missing) {
  const File file(path, O_RDONLY);
  if (!file.ok() && errno == ENOENT && may_be_missing) return Profile();
  if (!file.ok()) return failed(path, errno);
  return read_from(file, path);
}

Error change_profile_file(const std::string& path, const std::function<void(Profile&)>& change) {
  for (int left_ms = kPatienceMs;;) {
    File file(path, O_RDWR | O_CREAT);
    if (!file.ok()) return failed(path, errno);
    const std::string real = behind_links(path);
    const int error = file.lock(left_ms);
    if (error == EWOULDBLOCK) return wrong(path, "another process has it locked");
    if (error != 0) return wrong(path, "cannot lock it: " + std::string(strerror(error)));
    if (!file.is_called(real)) {  // P2
      if (--left_ms <= 0) return wrong(path, "it is being replaced all the time");
      continue;
    }
    auto profile = read_from(file, path);
    if (!profile) return {profile.error()};
    const Profile before = *profile;
    change(*profile);
    struct stat status;
    const bool is_new = fstat(file.number(), &status) == 0 && status.st_size == 0;
    if (*profile == before && !is_new) return {};
    return replace(file, real, format_profile(*profile));
  }
}

}  // namespace vicino::tune
