// site/known_loops.hpp: a member finds again the loops that it has met last.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "site/known_loops.hpp"
#include "site/tuned_site.hpp"

namespace vicino::site {
namespace {

constexpr int kLoops = 4;
const char here = 0;

SiteKey key_of(uint64_t trip) { return SiteKey::of_loop(SiteKey::Kind::kLoop, 8, trip, true); }

class KnownLoopsTest : public testing::Test {
 protected:
  void meet(uintptr_t address, TunedLoop& loop) {
    TunedLoop* const met =
        known_.find<TunedLoop>(reinterpret_cast<const void*>(address), loop.key(), [&] {
          ++asked_;
          return &loop;
        });
    EXPECT_EQ(met, &loop);
  }

  Site site_{CallSite{&here, nullptr}};
  TunedLoop short_{site_, key_of(1000), nullptr, std::nullopt};
  TunedLoop long_{site_, key_of(100'000), nullptr, std::nullopt};
  KnownLoops known_;
  int asked_ = 0;
};

// Wherever the program is loaded, as many loops as a set holds never push each other out.
TEST_F(KnownLoopsTest, FourLoopsAreLookedUpOnce) {
  for (uintptr_t base = 0x5555'0000; base < 0x5557'0000; base += 0x1230) {
    known_ = {};
    asked_ = 0;
    for (int round = 0; round < 3; ++round)
      for (uintptr_t k = 0; k < kLoops; ++k) meet(base + k * 0x2a4, short_);
    EXPECT_EQ(asked_, kLoops);
  }
}

TEST_F(KnownLoopsTest, LoopsOfOtherLengthsAreOthers) {
  for (int round = 0; round < 3; ++round) {
    meet(0x5555, short_);
    meet(0x5555, long_);
  }
  EXPECT_EQ(asked_, 2);
}

TEST_F(KnownLoopsTest, WithoutAnAddressThereIsNothingToKnow) {
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(known_.find<TunedLoop>(nullptr, key_of(1), []() -> TunedLoop* { return nullptr; }),
              nullptr);
}

}  // namespace
}  // namespace vicino::site
