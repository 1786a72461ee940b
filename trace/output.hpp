// output.hpp: the file or pipe that a process writes its trace into.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "plat/plat.hpp"

namespace vicino::trace {

// The file `name` for the process that `vicino run` became, or that comes first, and NAME.PID.SUFFIX for others: programs
// that it starts, children of fork(), and itself after it has become another program. `%p` is the process number.
class Output {
 public:
  Output(const std::string& name,
         long owner);  // `owner`: the process that `name` belongs to; 0: not known
  ~Output();
  Output(const Output&) = delete;

  bool ok() const noexcept { return file_ >= 0; }
  const std::string& name() const noexcept { return name_; }
  const std::string& error() const noexcept { return error_; }  // empty while all went well

  // Whole packets. False: nothing more can be written. A pipe whose reader is slow is waited for.
  bool write(std::string_view packets) noexcept;
  // From now on a reader is waited for until then (plat::now()).
  void wait_until(uint64_t ns) noexcept { until_.store(ns, std::memory_order_relaxed); }
  void close() noexcept;
  uint64_t written() const noexcept { return written_; }

 private:
  int open_high(int flags);
  void open_first(const std::string& name, bool is_new);
  bool is_open() const noexcept;
  bool open_again();
  void fail(int number);

  int file_ = -1;
  struct stat identity_{};  // of the file
  std::string name_, error_;
  uint64_t written_ = 0;
  plat::atomic<uint64_t> until_{UINT64_MAX};  // relaxed: only a time
};

}  // namespace vicino::trace
