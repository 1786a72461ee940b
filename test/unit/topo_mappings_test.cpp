// The kernel's list of mappings.
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "topo/mappings.hpp"

namespace vicino::topo {
namespace {

using testing::ElementsAre;

TEST(Mappings, KnowsWhatIsTheProcessesOwn) {
  const auto found = parse_mappings(
      "00400000-00500000 r-xp 00000000 08:01 123                    /bin/a file with spaces\n"
      "00500000-00600000 rw-p 00100000 08:01 123                    /bin/a\n"
      "00600000-00700000 rw-p 00000000 00:00 0                      [heap]\n"
      "7f0000000000-7f0000200000 rw-p 00000000 00:00 0 \n"
      "7f0000200000-7f0000300000 rw-s 00000000 00:01 77             /dev/zero (deleted)\n"
      "7f0000300000-7f0000400000 ---p 00000000 00:00 0\n"
      "7ffc00000000-7ffc00100000 rw-p 00000000 00:00 0              [stack]\n");
  EXPECT_THAT(found, ElementsAre(Mapping{0x400000, 0x500000, true, false},
                                 Mapping{0x500000, 0x600000, true, false},
                                 Mapping{0x600000, 0x700000, true, true},
                                 Mapping{0x7f0000000000, 0x7f0000200000, true, true},
                                 Mapping{0x7f0000200000, 0x7f0000300000, true, false},
                                 Mapping{0x7f0000300000, 0x7f0000400000, false, false},
                                 Mapping{0x7ffc00000000, 0x7ffc00100000, true, false}));
}

TEST(Mappings, OfThisProcess) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* const memory =
      mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto is_own = [memory] {
    const auto at = reinterpret_cast<uintptr_t>(memory);
    for (const Mapping& mapping : mappings())
      if (mapping.begin <= at && at < mapping.end) return mapping.is_own;
    return false;
  };
  EXPECT_TRUE(is_own());
  munmap(memory, 4 * page);
  EXPECT_FALSE(is_own());
  const auto all = mappings();
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Mapping::begin));
}

}  // namespace
}  // namespace vicino::topo
