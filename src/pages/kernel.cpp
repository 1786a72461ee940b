#include "pages/kernel.hpp"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/file.hpp"
#include "topo/pages.hpp"

namespace vicino::pages {
namespace {

class ThisKernel : public Kernel {
 public:
  uint64_t faults() override {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_minflt);
  }

  uint64_t resident() override {
    const std::string sizes = read_file("/proc/self/statm");
    std::string_view rest = sizes;
    take_until(rest, ' ');  // all that is mapped
    const uint64_t present = number(take_until(rest, ' '));
    const uint64_t in_files = number(take_until(rest, ' '));
    return (present - std::min(present, in_files)) * topo::page_size();
  }

  std::vector<topo::Mapping> mappings() override {
    locks_.reset();
    return topo::mappings();
  }

  bool read(uintptr_t at, std::span<uintptr_t> words) override {
    const iovec here{words.data(), words.size_bytes()};
    const iovec there{reinterpret_cast<void*>(at), words.size_bytes()};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) ==
           static_cast<ssize_t>(words.size_bytes());
  }

  bool nodes_of(std::span<const uintptr_t> pages, std::span<int> nodes) override {
    return topo::nodes_of_pages(pages, nodes) == 0;
  }

  // The kernel tells of the mapping's own policy, and of the thread's if it is asked without an
  // address.
  bool is_claimed(uintptr_t at) override {
    return !has_default_policy(at, MPOL_F_ADDR) || !has_default_policy(0, 0) ||
           (locks_memory() && is_locked(at));
  }

 private:
  static uint64_t number(std::string_view word) {
    uint64_t value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
  }

  static bool has_default_policy(uintptr_t at, unsigned long flags) {
    int mode = MPOL_DEFAULT;
    return syscall(SYS_get_mempolicy, &mode, nullptr, 0, at, flags) == 0 && mode == MPOL_DEFAULT;
  }

  // Whether the process has locked memory, asked once for a list of mappings: it takes as long as a list of twenty.
  bool locks_memory() {
    if (!locks_) locks_ = says_locked(read_file("/proc/self/status"));
    return *locks_;
  }

  static bool says_locked(std::string_view status) {
    const size_t at = status.find("\nVmLck:");
    if (at == std::string::npos) return false;
    const size_t digit = status.find_first_of("123456789\n", at + 1);
    return digit != std::string::npos && status[digit] != '\n';
  }

  // The kernel refuses to call a locked page cold; before version 5.4, any page. (/proc/self/smaps tells,
  // too, but walks all page tables, which takes a millisecond for each gibibyte.)
  static bool is_locked(uintptr_t at) {
    constexpr int kCold = 20;  // MADV_COLD, which old headers do not have
    const uintptr_t page = at / topo::page_size() * topo::page_size();
    return madvise(reinterpret_cast<void*>(page), topo::page_size(), kCold) != 0;
  }

  std::optional<bool> locks_;
};

}  // namespace

Kernel& this_kernel() {
  static constinit ThisKernel kernel;
  return kernel;
}

}  // namespace vicino::pages
