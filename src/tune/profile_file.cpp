#include "tune/profile_file.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "base/open_file.hpp"
#include "base/uncancelled.hpp"

namespace vicino::tune {
namespace {

class File : public OpenFile {
 public:
  using OpenFile::OpenFile;
  ~File() {
    if (locked_) flock(number(), LOCK_UN);  // a child of fork() may have the same open file
  }

  // Returns errno's number, or 0.
  int lock(int& left_ms) noexcept {
    const Uncancelled uncancelled;
    for (;;) {
      if (flock(number(), LOCK_EX | LOCK_NB) == 0) {
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
    return fstat(number(), &mine) == 0 && stat(path.c_str(), &named) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
  }

 private:
  bool locked_ = false;
};

Error wrong(const std::string& path, const std::string& reason) { return {path + ": " + reason}; }
Error failed(const std::string& path, int error) { return wrong(path, system_error(error).text); }

Result<Profile> read_from(const File& file, const std::string& path) {
  const Result<uint64_t> size = file.size();
  if (!size) return wrong(path, size.error());
  if (*size > kMostProfileBytes)
    return wrong(path, "it has " + std::to_string(*size) + " bytes; a profile has " +
                           std::to_string(kMostProfileBytes) + " at most");
  std::string text(*size, '\0');
  const Result<size_t> have = file.read(text.data(), text.size(), 0);
  if (!have) return wrong(path, have.error());
  text.resize(*have);
  auto profile = parse_profile(text);
  if (!profile) return Error{path + ":" + profile.error()};
  return profile;
}

// P1
Error replace(const std::string& real, const std::string& path, std::string_view text) {
  const Error error = replace_file(real, {&text, 1});
  return error.text.empty() ? error : wrong(path, error.text);
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
    if (error != 0) return wrong(path, "cannot lock it: " + system_error(error).text);
    if (!file.is_called(real)) {  // P2
      if (--left_ms <= 0) return wrong(path, "it is being replaced all the time");
      continue;
    }
    auto profile = read_from(file, path);
    if (!profile) return {profile.error()};
    const Profile before = *profile;
    change(*profile);
    const bool is_new = file.size() && *file.size() == 0;
    if (*profile == before && !is_new) return {};
    return replace(real, path, format_profile(*profile));
  }
}

}  // namespace vicino::tune
