// task/asked_length.hpp
#include <gtest/gtest.h>

#include "task/asked_length.hpp"

namespace vicino::task {
namespace {

constexpr char kCode = 0, kOther = 0;

TEST(TaskAskedLength, AnAnswerIsGivenOnce) {
  AskedLength asked;
  EXPECT_FALSE(asked.is_asked(&kCode, 3));
  EXPECT_EQ(asked.ask(&kCode, 3), std::nullopt);
  EXPECT_TRUE(asked.is_asked(&kCode, 3));
  EXPECT_EQ(asked.ask(&kCode, 3), std::nullopt);
  asked.answer(&kCode, 3, 250);
  EXPECT_EQ(asked.ask(&kCode, 3), 250u);
  EXPECT_EQ(asked.ask(&kCode, 3), std::nullopt);
  asked.answer(&kCode, 3, uint64_t{1} << 40);
  EXPECT_EQ(asked.ask(&kCode, 3), UINT32_MAX);
}

TEST(TaskAskedLength, AnAnswerIsForItsTasksOnly) {
  AskedLength asked;
  asked.ask(&kCode, 3);
  EXPECT_FALSE(asked.is_asked(&kCode, 4));
  EXPECT_FALSE(asked.is_asked(&kOther, 3));
  asked.answer(&kCode, 3, 250);
  EXPECT_EQ(asked.ask(&kCode, 4), std::nullopt);
  EXPECT_EQ(asked.ask(&kCode, 4), std::nullopt);
  asked.answer(&kCode, 3, 250);  // by a thief that was slow
  EXPECT_EQ(asked.ask(&kCode, 4), std::nullopt);
}

}  // namespace
}  // namespace vicino::task
