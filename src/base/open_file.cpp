#include "base/open_file.hpp"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "base/file.hpp"
#include "base/kept_errno.hpp"
#include "base/uncancelled.hpp"

namespace vicino {
namespace {

constexpr const char* kNotPlain = "this is not a plain file";

// What the file was, and the error if it may not be replaced. There is neither if it does not
// exist.
std::pair<std::optional<struct stat>, Error> examine(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return {std::nullopt, system_error(errno)};
    if (lstat(path.c_str(), &status) != 0) return {};
    return {std::nullopt, {"this is a link to a file that does not exist"}};
  }
  if (!S_ISREG(status.st_mode)) return {status, {kNotPlain}};
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
    return {status, system_error(errno)};
  return {status, {}};
}

// The owner and the mode of the file that is replaced.
int make_alike(const OpenFile& file, const struct stat& old) {
  if (fchown(file.number(), old.st_uid, old.st_gid) != 0) {
    // Then it belongs to the user whose process wrote it last.
  }
  return fchmod(file.number(), old.st_mode & 0777) == 0 ? 0 : errno;
}

int fill(OpenFile& file, const std::optional<struct stat>& old,
         std::span<const std::string_view> pieces) {
  int error = old ? make_alike(file, *old) : 0;
  for (const std::string_view piece : pieces)
    if (error == 0) error = file.write(piece);
  const int at_close = file.close();
  return error != 0 ? error : at_close;
}

}  // namespace

OpenFile::OpenFile(const std::string& path, int flags, mode_t mode) noexcept {
  const Uncancelled uncancelled;
  number_ = open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode);
}

OpenFile::~OpenFile() { close(); }

int OpenFile::close() noexcept {
  const Uncancelled uncancelled;
  const int number = std::exchange(number_, -1);
  return number < 0 || ::close(number) == 0 ? 0 : errno;
}

Result<uint64_t> OpenFile::size() const {
  struct stat status;
  if (fstat(number_, &status) != 0) return system_error(errno);
  if (!S_ISREG(status.st_mode)) return Error{kNotPlain};
  return static_cast<uint64_t>(status.st_size);
}

Result<size_t> OpenFile::read(void* to, size_t bytes, uint64_t offset) const {
  const Uncancelled uncancelled;
  size_t have = 0;
  while (have < bytes) {
    const ssize_t got = pread(number_, static_cast<char*>(to) + have, bytes - have,
                              static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(errno);
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  return have;
}

int OpenFile::write(std::string_view bytes) const noexcept { return write_all(number_, bytes); }

int moved_high(int number, int command) noexcept {
  const Uncancelled uncancelled;
  // Many programs close the numbers up to 1023, and many may have no others.
  int high = -1;
  for (const int least : {1024, 768, STDERR_FILENO + 1})
    if (high < 0) high = fcntl(number, command, least);
  const KeptErrno kept;
  ::close(number);
  return high;
}

std::string behind_links(const std::string& path) {
  char* const resolved = realpath(path.c_str(), nullptr);
  std::string result = resolved != nullptr ? resolved : path;
  free(resolved);
  return result;
}

Error system_error(int number) { return {strerror(number)}; }

int write_text(const std::string& path, std::string_view text) noexcept {
  const Uncancelled uncancelled;
  OpenFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.ok()) return errno;
  fcntl(file.number(), F_SETFL, 0);  // the writes may wait
  const int error = file.write(text), at_close = file.close();
  return error != 0 ? error : at_close;
}

Error replace_file(const std::string& path, std::span<const std::string_view> pieces) {
  const std::string real = behind_links(path);
  const auto [old, wrong] = examine(real);
  if (!wrong.text.empty()) return wrong;
  // O_EXCL: nobody else has this name. A process that was killed may have left one with its number.
  for (int attempt = 0;; ++attempt) {
    const std::string beside =
        real + "." + std::to_string(getpid()) + "." + std::to_string(attempt);
    OpenFile file(beside, O_WRONLY | O_CREAT | O_EXCL, old ? 0600 : 0666);
    if (!file.ok() && errno == EEXIST && attempt < 1000) continue;
    if (!file.ok()) return {"cannot write beside it: " + system_error(errno).text};
    int error = fill(file, old, pieces);
    if (error == 0 && rename(beside.c_str(), real.c_str()) != 0) error = errno;
    if (error == 0) return {};
    unlink(beside.c_str());
    return system_error(error);
  }
}

}  // namespace vicino
