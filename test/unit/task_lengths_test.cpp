// task/lengths.hpp: what a thread knows of the lengths of tasks.
#include <gtest/gtest.h>

#include <algorithm>

#include "task/lengths.hpp"

namespace vicino::task {
namespace {

void add(Length& length, uint64_t ns, int times) {
  for (int i = 0; i < times; ++i) {
    length.add(ns);
    length.check();
  }
}

int calls_in_a_row(Length& length) {
  int calls = 0;
  while (length.takes_call()) ++calls;
  return calls;
}

TEST(TaskLength, IsUnknownUntilThereAreEnoughSamples) {
  Length length;
  EXPECT_FALSE(length.takes_call());
  add(length, 1000, Length::kEnough - 1);
  EXPECT_FALSE(length.is_short());
  EXPECT_FALSE(length.takes_call());
  add(length, 1000, 1);
  EXPECT_TRUE(length.is_short());
  EXPECT_FALSE(length.is_tiny());
}

// Ever less often, but the longer the tasks are, the more often.
TEST(TaskLength, AShortOneIsSampledAgainAndAgain) {
  Length length;
  add(length, 10, Length::kEnough);
  const int first = calls_in_a_row(length);
  add(length, 10, 1);
  EXPECT_EQ(calls_in_a_row(length), std::min(2 * first, int(Length::kMostCalls)));
  add(length, 10, 20);
  EXPECT_EQ(calls_in_a_row(length), Length::kMostCalls);
  add(length, 10, 1);
  length.time_soon();
  EXPECT_EQ(calls_in_a_row(length), Length::kSoon);
  add(length, 5000, 200);
  const int calls = calls_in_a_row(length);
  EXPECT_GE(calls, 1);
  EXPECT_LE(calls, 3);
}

TEST(TaskLength, ASurpriseBringsTheSamplesBack) {
  Length length;
  add(length, 50, 100);
  add(length, 5000, 1);
  EXPECT_TRUE(length.is_short());
  EXPECT_EQ(calls_in_a_row(length), 1);
}

TEST(TaskLength, ALongOneIsNeverACall) {
  Length length;
  add(length, kShortNs + 100, 100);
  EXPECT_FALSE(length.is_short());
  EXPECT_FALSE(length.takes_call());
}

// A single sample that is long enough ends the calls, and short samples bring them back.
TEST(TaskLength, ChangesWithTheSamples) {
  Length length;
  add(length, 100, 50);
  EXPECT_TRUE(length.is_tiny());
  add(length, 100 * kShortNs, 1);
  EXPECT_FALSE(length.is_short());
  EXPECT_FALSE(length.takes_call());
  add(length, 100, 300);
  EXPECT_TRUE(length.is_tiny());
}

// Many short ones and a few long ones, as at one depth of a recursion.
TEST(TaskLength, IsTheMean) {
  Length length;
  for (int i = 0; i < 1000; ++i) {
    add(length, 0, 9);
    add(length, 20'000, 1);
  }
  EXPECT_GT(length.ns(), 1000u);
  EXPECT_LT(length.ns(), 4000u);
}

TEST(TaskLength, AVeryLongSampleDoesNotOverflow) {
  Length length;
  add(length, UINT64_MAX, 100);
  EXPECT_FALSE(length.is_short());
  add(length, 0, 400);
  EXPECT_TRUE(length.is_tiny());
}

const void* code(uintptr_t number) { return reinterpret_cast<const void*>(0x1000 + 16 * number); }

TEST(TaskLengths, TellDepthsAndCodeApart) {
  Lengths lengths;
  for (const uintptr_t number : {0u, 1u, 2u})
    for (uint32_t depth = 0; depth < 24; ++depth)
      add(lengths.find(code(number), depth), 1 + 100 * number + depth, 1);
  for (const uintptr_t number : {0u, 1u, 2u})
    for (uint32_t depth = 0; depth < 24; ++depth)
      EXPECT_EQ(lengths.find(code(number), depth).ns(), 1 + 100 * number + depth);
}

TEST(TaskLengths, DepthsFarDownShareTheirLengths) {
  Lengths lengths;
  add(lengths.find(code(0), 60), 5, 1);
  EXPECT_EQ(lengths.find(code(0), 63).ns(), 5u);
  EXPECT_EQ(lengths.find(code(0), 64).ns(), 0u);
  EXPECT_EQ(lengths.find(code(0), 55).ns(), 0u);
  add(lengths.find(code(0), UINT32_MAX), 7, 1);
  EXPECT_EQ(lengths.find(code(0), 1u << 20).ns(), 7u);
}

// More code than the table has places: what was forgotten counts as unknown, never as other code's.
TEST(TaskLengths, ForgetWhatHasNoPlace) {
  Lengths lengths;
  for (uintptr_t number = 0; number < 1000; ++number) {
    Length& length = lengths.find(code(number), 3);
    EXPECT_EQ(length.ns(), 0u);
    add(length, number + 1, 1);
    EXPECT_EQ(lengths.find(code(number), 3).ns(), number + 1);
  }
  for (uintptr_t number = 0; number < 1000; ++number) {
    const uint32_t ns = lengths.find(code(number), 3).ns();
    EXPECT_TRUE(ns == 0 || ns == number + 1);
  }
}

void add(Lengths& lengths, uintptr_t number, uint32_t depth, uint64_t ns, int times) {
  for (int i = 0; i < times; ++i) lengths.add(code(number), depth, ns);
}

// Tiny is what its code and depth have been, without a surprise, for some samples.
TEST(TaskLengths, KnowWhatIsTiny) {
  Lengths lengths;
  add(lengths, 0, 3, 100, Length::kSettled - 1);
  EXPECT_FALSE(lengths.are_tiny(code(0), 3));
  add(lengths, 0, 3, 100, 1);
  EXPECT_TRUE(lengths.are_tiny(code(0), 3));
  EXPECT_FALSE(lengths.are_tiny(code(0), 2));
  EXPECT_FALSE(lengths.are_tiny(code(0), 4));
  EXPECT_FALSE(lengths.are_tiny(code(1), 3));
  add(lengths, 0, 2, kTinyNs + 100, 100);
  EXPECT_FALSE(lengths.are_tiny(code(0), 2));
  add(lengths, 0, 60, 100, 100);
  EXPECT_TRUE(lengths.are_tiny(code(0), 63));
  EXPECT_FALSE(lengths.are_tiny(code(0), 64));
  add(lengths, 0, 3, 10'000, 1);
  EXPECT_FALSE(lengths.are_tiny(code(0), 3));
  EXPECT_TRUE(lengths.are_tiny(code(0), 60));
}

TEST(TaskLengths, NothingIsTinyThatWasForgotten) {
  Lengths lengths;
  for (uintptr_t number = 0; number < 1000; ++number) {
    EXPECT_FALSE(lengths.are_tiny(code(number), 3));
    add(lengths, number, 3, 10, 20);
  }
}

constexpr char kAsked = 0, kUnasked = 0;

TEST(TaskAskedLength, AnAnswerIsGivenOnce) {
  AskedLength asked;
  EXPECT_FALSE(asked.is_asked(&kAsked, 3));
  EXPECT_EQ(asked.ask(&kAsked, 3), std::nullopt);
  EXPECT_TRUE(asked.is_asked(&kAsked, 3));
  EXPECT_EQ(asked.ask(&kAsked, 3), std::nullopt);
  asked.answer(&kAsked, 3, 250);
  EXPECT_EQ(asked.ask(&kAsked, 3), 250u);
  EXPECT_EQ(asked.ask(&kAsked, 3), std::nullopt);
  asked.answer(&kAsked, 3, uint64_t{1} << 40);
  EXPECT_EQ(asked.ask(&kAsked, 3), UINT32_MAX);
}

TEST(TaskAskedLength, AnAnswerIsForItsTasksOnly) {
  AskedLength asked;
  asked.ask(&kAsked, 3);
  EXPECT_FALSE(asked.is_asked(&kAsked, 4));
  EXPECT_FALSE(asked.is_asked(&kUnasked, 3));
  asked.answer(&kAsked, 3, 250);
  EXPECT_EQ(asked.ask(&kAsked, 4), std::nullopt);
  EXPECT_EQ(asked.ask(&kAsked, 4), std::nullopt);
  asked.answer(&kAsked, 3, 250);  // by a thief that was slow
  EXPECT_EQ(asked.ask(&kAsked, 4), std::nullopt);
}

}  // namespace
}  // namespace vicino::task
