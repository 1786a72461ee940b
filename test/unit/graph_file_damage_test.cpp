// Whatever a file holds, it is refused with a reason, or it is a graph that is saved and loaded
// again unchanged; and the memory taken is in proportion to the file.
#include <gtest/gtest.h>

#include <random>

#include "allocations.hpp"
#include "base/file.hpp"
#include "graph/file.hpp"
#include "graph_makers.hpp"
#include "graph_saved.hpp"
#include "temporary_folder.hpp"

namespace vicino::graph {
namespace {

class GraphFileDamage : public testing::Test {
 protected:
  std::string saved(const Saved& what) const {
    std::filesystem::remove(path_);  // see write_file()
    EXPECT_EQ(save(what, path_).text, "");
    return read_file(path_);
  }

  // Returns whether it is a graph.
  bool expect_safe(const std::string& bytes) const {
    write_file(path_, bytes);
    const Allocations allocations;
    const auto loaded = load(path_);
    // All that was ever asked for: the arrays, both graphs with their edges from both sides and
    // what their checks take, and a message.
    EXPECT_LE(allocations.bytes(), 16 * bytes.size() + 4096);
    if (!loaded) {
      EXPECT_TRUE(loaded.error().starts_with("'" + path_ + "' "));
      EXPECT_LT(loaded.error().size(), path_.size() + 300);
      return false;
    }
    saved(*loaded);
    const auto again = load(path_);
    EXPECT_TRUE(again) << again.error();
    if (again) expect_same(*again, *loaded);
    EXPECT_TRUE(coarse_of(loaded->graph, loaded->coarse.tasks));
    return true;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() / "some.graph";
};

TEST_F(GraphFileDamage, EachBitIsNoticed) {
  std::mt19937 random(20261129);
  for (const Saved& what :
       {small_saved(),
        random_saved(random_graph(Kind::kLayers, Numbers::kShuffled, 30, random), random)}) {
    const std::string bytes = saved(what);
    for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string other = bytes;
      other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
      ASSERT_FALSE(expect_safe(other)) << "bit " << bit % 8 << " of byte " << bit / 8;
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_F(GraphFileDamage, EachLengthIsNoticed) {
  const std::string bytes = saved(small_saved());
  for (size_t length = 0; length < bytes.size(); ++length)
    ASSERT_FALSE(expect_safe(bytes.substr(0, length))) << length;
  for (size_t more = 1; more < 20; ++more)
    ASSERT_FALSE(expect_safe(bytes + std::string(more, '\0'))) << more;
}

// With the right checksum all that follows it is put to the test.
TEST_F(GraphFileDamage, BytesThatPassTheChecksum) {
  std::mt19937 random(20261130);
  int good = 0, bad = 0;
  std::string original;
  for (int round = 0; round < 3000 && !HasFailure(); ++round) {
    if (round % 10 == 0) {
      const Kind kind = kKinds[random() % std::size(kKinds)];
      const Numbers numbers = kNumbers[random() % std::size(kNumbers)];
      original = saved(random_saved(random_graph(kind, numbers, 2 + random() % 9, random), random));
    }
    std::string bytes = original;
    for (auto left = random() % 3; left > 0; --left) {
      const size_t number = 24 + 4 * (random() % ((bytes.size() - 24) / 4));
      bytes = with_number(bytes, number,
                          static_cast<uint32_t>(random() % (random() % 8 ? 12 : UINT32_MAX)));
    }
    ++(expect_safe(sealed_again(bytes)) ? good : bad);
  }
  EXPECT_GT(good, 500);
  EXPECT_GT(bad, 500);
}

// Counts that a short file cannot hold: they are refused before memory is taken.
TEST_F(GraphFileDamage, HeadersThatPromiseTooMuch) {
  const std::string bytes = saved(small_saved());
  for (const size_t at : {24, 28, 32})
    for (const uint32_t count : {4u, 1'000'000u, 0x3fff'ffffu, 0x4000'0000u, 0x7fff'ffffu,
                                 0x8000'0000u, 0xffff'fffeu, 0xffff'ffffu})
      ASSERT_FALSE(expect_safe(sealed_again(with_number(bytes, at, count)))) << at << " " << count;
  // All three at once; the lengths are about 2^37, which must not be taken modulo anything.
  std::string all = bytes;
  for (const size_t at : {24, 28, 32}) all = with_number(all, at, 0xffff'fffeu);
  ASSERT_FALSE(expect_safe(sealed_again(all)));
}

}  // namespace
}  // namespace vicino::graph
