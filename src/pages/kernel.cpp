#include "pages/kernel.hpp"

#include <linux/mempolicy.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <charconv>
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
    const std::string_view word = take_until(rest, ' ');
    uint64_t pages = 0;
    std::from_chars(word.data(), word.data() + word.size(), pages);
    return pages * topo::page_size();
  }

  std::vector<topo::Mapping> mappings() override { return topo::mappings(); }

  bool read(uintptr_t at, std::span<uintptr_t> words) override {
    const iovec here{words.data(), words.size_bytes()};
    const iovec there{reinterpret_cast<void*>(at), words.size_bytes()};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) ==
           static_cast<ssize_t>(words.size_bytes());
  }

  bool nodes_of(std::span<const uintptr_t> pages, std::span<int> nodes) override {
    return topo::nodes_of_pages(pages, nodes) == 0;
  }

  bool has_policy(uintptr_t at) override {
    int mode = MPOL_DEFAULT;
    return syscall(SYS_get_mempolicy, &mode, nullptr, 0, at, MPOL_F_ADDR) != 0 ||
           mode != MPOL_DEFAULT;
  }
};

}  // namespace

Kernel& this_kernel() {
  static constinit ThisKernel kernel;
  return kernel;
}

}  // namespace vicino::pages
