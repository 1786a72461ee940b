// The natural order of places: numbers are compared by value.
#include <gtest/gtest.h>

#include <string_view>

#include "base/natural.hpp"

namespace vicino {
namespace {

TEST(BaseNatural, NumbersGoByTheirSizeAndAllElseAsText) {
  constexpr std::string_view kInOrder[] = {"",
                                           "a",
                                           "a.c:7",
                                           "a.c:007x",
                                           "a.c:11",
                                           "a.c:11+",
                                           "a2.c:100",
                                           "a10.c:1",
                                           "b",
                                           "b99999999999999999999999999",
                                           "b100000000000000000000000000"};
  for (const std::string_view& a : kInOrder)
    for (const std::string_view& b : kInOrder)
      EXPECT_EQ(comes_before(a, b), &a < &b) << a << ' ' << b;
  EXPECT_NE(comes_before("a07", "a7"), comes_before("a7", "a07"));
}

}  // namespace
}  // namespace vicino
