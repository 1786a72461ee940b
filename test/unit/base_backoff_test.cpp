// A pause that doubles with each try in vain.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "base/backoff.hpp"

namespace vicino {
namespace {

// The pauses of so many tries in vain.
template <class B>
std::vector<typename B::Pause> pauses(B& backoff, int tries) {
  std::vector<typename B::Pause> all;
  for (int i = 0; i < tries; ++i) all.push_back(backoff.lengthen());
  return all;
}

TEST(BaseBackoff, ThePauseDoublesUpToTheMost) {
  Backoff<3, 20> backoff;
  EXPECT_EQ(pauses(backoff, 6), (std::vector{3, 6, 12, 20, 20, 20}));
  EXPECT_EQ(backoff.pause(), 20);
}

TEST(BaseBackoff, ATryThatSucceedsBeginsAnew) {
  Backoff<uint64_t{1}, 64> backoff;
  pauses(backoff, 4);
  backoff.reset();
  EXPECT_EQ(backoff.pause(), 1u);
  for (const bool in_vain : {true, true, false, true}) backoff.note(in_vain);
  EXPECT_EQ(backoff.pause(), 2u);
}

TEST(BaseBackoff, OneValueStays) {
  Backoff<5, 5> backoff;
  EXPECT_EQ(pauses(backoff, 3), (std::vector{5, 5, 5}));
}

}  // namespace
}  // namespace vicino
