// Whatever a file holds, it is refused with a reason, or it is a profile that is written and read
// back unchanged; and the memory used is in proportion to the text.
#include <gtest/gtest.h>

#include "allocations.hpp"
#include "base/hash.hpp"
#include "tune_profile.hpp"

namespace vicino::tune {
namespace {

constexpr std::string_view kPieces[] = {"vicino profile 1\n",
                                        "vicino profile 2\n",
                                        "graph",
                                        " structure=",
                                        "site ",
                                        "  tried ",
                                        "  best ",
                                        "  default ",
                                        "  state ",
                                        "settled",
                                        "  counts ",
                                        "cost=",
                                        "threads=",
                                        "samples=",
                                        "team=",
                                        "0x",
                                        "\n",
                                        "  used ",
                                        " ",
                                        "=",
                                        "1",
                                        "-",
                                        "1e308",
                                        "0",
                                        "999999999999999999",
                                        "\0",
                                        "nan",
                                        "2026-11-22",
                                        "checksum ",
                                        "beaten",
                                        "loop"};

void mutate(std::string& text, std::mt19937& random) {
  const auto somewhere = [&] { return text.empty() ? 0 : random() % text.size(); };
  switch (random() % 6) {
    case 0:
      text.resize(somewhere());
      break;
    case 1:
      text.insert(somewhere(), kPieces[random() % std::size(kPieces)]);
      break;
    case 2:
      text.erase(somewhere(), random() % 20);
      break;
    case 3:
      if (!text.empty()) text[somewhere()] = static_cast<char>(random());
      break;
    case 4:
      text.insert(somewhere(), text.substr(somewhere(), random() % 300));
      break;
    case 5:
      if (!text.empty()) text[somewhere()] ^= static_cast<char>(1 << random() % 8);
      break;
  }
}

// Without the right checksum no text would get past it.
std::string sealed_again(std::string text) {
  const auto at = text.rfind("checksum ");
  if (at != text.npos) text.resize(at);
  return text + "checksum " + hexadecimal(fnv1a(text)) + "\n";
}

struct Tally {
  int good = 0, bad = 0;
};

void expect_safe(const std::string& text, Tally& tally) {
  const Allocations allocations;
  const auto profile = parse_profile(text);
  // All memory that was ever asked for, including the growth of vectors.
  ASSERT_LE(allocations.bytes(), 64 * text.size() + 4096) << text.size();
  if (!profile) {
    ++tally.bad;
    ASSERT_FALSE(profile.error().empty());
    ASSERT_LT(profile.error().size(), 300u);
    ASSERT_EQ(profile.error().find_first_of("\n\033"), std::string::npos);
    return;
  }
  ++tally.good;
  const std::string again = format_profile(*profile);
  const auto reread = parse_profile(again);
  ASSERT_TRUE(reread) << reread.error() << "\n" << again;
  ASSERT_EQ(*reread, *profile) << again;
  ASSERT_EQ(format_profile(*reread), again);
}

TEST(TuneProfileFuzz, ChangesToGoodOnes) {
  std::mt19937 random(20261122);
  Tally tally;
  for (int round = 0; round < 60'000; ++round) {
    std::string text = format_profile(random_profile(random));
    for (auto left = random() % 4; left > 0; --left) mutate(text, random);
    expect_safe(random() % 8 == 0 ? text : sealed_again(text), tally);
    if (HasFatalFailure()) break;
  }
  EXPECT_GT(tally.good, 5'000);
  EXPECT_GT(tally.bad, 5'000);
}

TEST(TuneProfileFuzz, AnyBytes) {
  std::mt19937 random(20261123);
  Tally tally;
  for (int round = 0; round < 40'000; ++round) {
    std::string text = random() % 4 == 0   ? ""
                       : random() % 2 == 0 ? "vicino profile 1\n"
                                           : "vicino profile 2\n";
    const bool of_pieces = random() % 2 == 0;
    for (auto left = random() % 60; left > 0; --left) {
      if (of_pieces)
        text += kPieces[random() % std::size(kPieces)];
      else
        text += static_cast<char>(random());
    }
    expect_safe(random() % 2 == 0 ? text : sealed_again(text), tally);
    if (HasFatalFailure()) break;
  }
  EXPECT_GT(tally.bad, 10'000);
}

// The longest permitted text, of the lines that cost most memory for their length.
TEST(TuneProfileFuzz, TheWorstTakesASmallMultiple) {
  std::string text = "vicino profile 1\n";
  while (text.size() < kMostProfileBytes - 200)
    text +=
        "site 0 0x0 a team=1 trip_bits=1 objective=t machine=0\n"
        "  state settled round=0\n  default a threads=1 cost=1 low=1 high=1 samples=1\n"
        "  best a threads=1 cost=1 low=1 high=1 samples=1\n"
        "  counts executions=0 iterations=0 settled_iterations=0 total_ns=0 explored_ns=0 "
        "explored_again=0\n  used 1970-01-01\n"
        "  tried a threads=1 a= b= c= d= e= f= g= h= cost=1 low=1 high=1 samples=1\n";
  const Allocations allocations;
  const auto profile = parse_profile(sealed_again(text));
  EXPECT_FALSE(profile);  // too many sites, and all with one key
  EXPECT_LT(allocations.bytes(), std::size_t{128} << 20);
}

}  // namespace
}  // namespace vicino::tune
