#include "output.hpp"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.hpp"
#include "base/no_signals_from_writes.hpp"
#include "base/open_file.hpp"
#include "base/process_age.hpp"

namespace vicino::trace {
namespace {

// "a.pftrace" -> "a.4711.pftrace", "a.4711.2.pftrace".
std::string of_process(const std::string& name, int attempt) {
  const size_t base = name.rfind('/') == std::string::npos ? 0 : name.rfind('/') + 1;
  size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot <= base) dot = name.size();
  std::string middle = "." + std::to_string(getpid());
  if (attempt > 1) middle += "." + std::to_string(attempt);
  return name.substr(0, dot) + middle + name.substr(dot);
}

// Whether the file was written before this process began.
bool is_old(const struct stat& status) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  constexpr double kCoarse =
      0.02;  // the kernel's clock of process starts has a hundredth of a second
  const double age = static_cast<double>(now.tv_sec - status.st_mtim.tv_sec) +
                     static_cast<double>(now.tv_nsec - status.st_mtim.tv_nsec) * 1e-9;
  return age > process_age() + kCoarse;
}

}  // namespace

Output::Output(const std::string& name, long owner) {
  if (owner == 0 || owner == getpid()) open_first(with_process_number(name), owner != 0);
  constexpr int kMostAttempts = 1000;
  for (int attempt = 1; file_ < 0 && error_.empty() && attempt <= kMostAttempts; ++attempt) {
    name_ = of_process(with_process_number(name), attempt);
    file_ = open_high(O_CREAT | O_EXCL);
    if (file_ < 0 && errno != EEXIST) fail(errno);
  }
  if (file_ >= 0 && fstat(file_, &identity_) != 0) fail(errno);
}

int Output::open_high(int flags) {
  const int file = open(name_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags, 0666);
  return file < 0 ? file : moved_high(file, F_DUPFD_CLOEXEC);
}

// The name itself, unless another process writes to it, or this one has done so before it became another program: then
// the file has something in it, for `vicino run` has removed what was there. Without `vicino run` the time tells.
void Output::open_first(const std::string& name, bool is_new) {
  name_ = name;
  const int file = open_high(O_CREAT);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return fail(errno);
  if (S_ISREG(status.st_mode)) {
    const bool is_free =
        flock(file, LOCK_EX | LOCK_NB) == 0 && (status.st_size == 0 || (!is_new && is_old(status)));
    if (!is_free) {
      ::close(file);
      return;
    }
    if (ftruncate(file, 0) != 0) fail(errno);
  }
  file_ = file;
}

Output::~Output() { close(); }

void Output::close() noexcept {
  if (file_ >= 0 && is_open()) ::close(file_);
  file_ = -1;
}

// Not if the program has closed the number; it may have a file of its own there.
bool Output::is_open() const noexcept {
  struct stat status;
  return fstat(file_, &status) == 0 && status.st_dev == identity_.st_dev &&
         status.st_ino == identity_.st_ino;
}

// A program that becomes a daemon closes all numbers and goes on. A pipe's reader has seen the end by then. The program is
// given time to come to the end of that: numbers that it closes or takes meanwhile may be the new one's, and the file is
// locked until the call that closed it has returned. That takes below a millisecond, unless something else has the CPU.
bool Output::open_again() {
  constexpr timespec kClosing{.tv_sec = 0, .tv_nsec = 20'000'000};
  if (!S_ISREG(identity_.st_mode)) return false;
  nanosleep(&kClosing, nullptr);
  file_ = open_high(O_APPEND);
  if (file_ >= 0 && is_open() && flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  return false;
}

void Output::fail(int number) {
  error_ = name_ + ": " + (number == ENXIO ? "nobody reads this pipe" : strerror(number));
}

bool Output::write(std::string_view packets) noexcept {
  constexpr int kLookMs = 50;
  const NoSignalsFromWrites
      no_signals;  // at the program's end it is a thread of the program that writes
  while (!packets.empty() && error_.empty()) {
    if (!is_open() && !open_again()) {
      error_ = name_ + ": the program has closed it";
      break;
    }
    const ssize_t done = ::write(file_, packets.data(), packets.size());
    if (done > 0) {
      packets.remove_prefix(static_cast<size_t>(done));
      written_ += static_cast<uint64_t>(done);
    } else if (done < 0 && errno == EAGAIN) {
      pollfd wait{file_, POLLOUT, 0};
      if (poll(&wait, 1, kLookMs) == 0 && plat::now() > until_.load(std::memory_order_relaxed))
        error_ = name_ + ": its reader does not read";
    } else if (done == 0 || (errno != EINTR && errno != EBADF)) {  // the program has just closed it
      fail(done == 0 ? ENOSPC : errno);
    }
  }
  return error_.empty();
}

}  // namespace vicino::trace
