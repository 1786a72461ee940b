// Graphs as files: round trips, the format byte by byte, and what is refused with which words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <bit>
#include <cstring>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "graph/file.hpp"
#include "graph_makers.hpp"
#include "graph_saved.hpp"
#include "temporary_folder.hpp"

namespace vicino::graph {
namespace {

namespace fs = std::filesystem;

class GraphFile : public testing::Test {
 protected:
  std::string refusal() const {
    const auto loaded = load(path_);
    EXPECT_FALSE(loaded);
    const std::string name = "'" + path_.string() + "' ";
    EXPECT_TRUE(loaded.error().starts_with(name)) << loaded.error();
    return loaded.error().substr(std::min(name.size(), loaded.error().size()));
  }
  std::string refusal_of(const std::string& bytes) const {
    write_file(path_, bytes);
    return refusal();
  }

  // The bytes of a file.
  std::string saved(const Saved& what) const {
    EXPECT_EQ(save(what, path_).text, "");
    return read_file(path_);
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "some.graph";
};

TEST_F(GraphFile, RoundTrips) {
  std::mt19937 random(20261127);
  for (const Kind kind : kKinds)
    for (const Numbers numbers : kNumbers)
      for (int round = 0; round < 10; ++round) {
        const Saved before =
            random_saved(random_graph(kind, numbers, 2 + random() % 60, random), random);
        ASSERT_EQ(save(before, path_).text, "");
        const auto after = load(path_);
        ASSERT_TRUE(after) << after.error();
        expect_same(*after, before);
        // The file of what was loaded is the same file.
        const std::string bytes = read_file(path_);
        ASSERT_EQ(saved(*after), bytes);
      }
  EXPECT_EQ(folder_.files(), 1);
}

TEST_F(GraphFile, OfAReversedGraph) {
  std::mt19937 random(20261128);
  for (const Numbers numbers : kNumbers) {
    Saved before = random_saved(random_graph(Kind::kSparse, numbers, 40, random), random);
    before.coarse = turned(before.coarse);
    before.graph = before.graph.turned();
    ASSERT_EQ(save(before, path_).text, "");
    const auto after = load(path_);
    ASSERT_TRUE(after) << after.error();
    expect_same(*after, before);
  }
}

// The format may change only with its version.
TEST_F(GraphFile, HasTheFormatOfItsVersion) {
  if (std::endian::native != std::endian::little) GTEST_SKIP() << "numbers have another order";
  const Graph graph = graph_of({{}, {0}, {1, 0}}, {1, 0.5f, 2});
  const Saved small{graph, *coarse_of(graph, rows_of({{0, 1}, {2}})), {1, -1}, {1, 0}};
  constexpr std::string_view kBytes(
      "VicinoG\n"
      "\4\3\2\1"
      "\1\0\0\0"
      "CHECKSUM"
      "\3\0\0\0"
      "\3\0\0\0"
      "\2\0\0\0"
      "\3\0\0\0"
      "\0\0\0\0"
      "\0\0\0\0"
      "\1\0\0\0"
      "\3\0\0\0"  // where rows begin
      "\0\0\0\0"
      "\1\0\0\0"
      "\0\0\0\0"  // before 1; before 2
      "\0\0\x80\x3f"
      "\0\0\0\x3f"
      "\0\0\0\x40"  // 1, 0.5, 2
      "\0\0\0\0"
      "\2\0\0\0"
      "\3\0\0\0"
      "\0\0\0\0"
      "\1\0\0\0"
      "\2\0\0\0"
      "\1\0\0\0"
      "\xff\xff\xff\xff"
      "\1\0",
      40 + 4 * (4 + 3 + 3 + 3 + 3 + 2) + 2);
  std::string expected(kBytes);
  const uint64_t checksum = 0xd5a3d2eee268c5a6;
  std::memcpy(expected.data() + 16, &checksum, sizeof checksum);
  EXPECT_EQ(saved(small), expected);
  write_file(path_, expected);
  const auto loaded = load(path_);
  ASSERT_TRUE(loaded) << loaded.error();
  expect_same(*loaded, small);
}

TEST_F(GraphFile, WhatIsNoGraph) {
  EXPECT_EQ(refusal(), "cannot be read: " + std::string(strerror(ENOENT)));
  for (const char* text : {"", "V", "VicinoG", "VicinoG\r\n", "vicino profile 1\n", "a letter"})
    EXPECT_EQ(refusal_of(text), "is not a graph of Vicino's") << text;
}

TEST_F(GraphFile, WhatIsNoPlainFileIsRefusedAtOnce) {
  const std::string no_plain_file = "cannot be read: this is not a plain file";
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(refusal(), no_plain_file);
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_EQ(refusal(), no_plain_file);
  path_ = "/dev/zero";
  EXPECT_EQ(refusal(), no_plain_file);
}

TEST_F(GraphFile, OtherVersionsAndMachines) {
  std::string bytes = saved(small_saved());
  bytes[12] = 3;
  EXPECT_EQ(refusal_of(bytes), "is of version 3; this Vicino reads version 1");
  EXPECT_EQ(refusal_of(bytes.substr(0, 16)), "is of version 3; this Vicino reads version 1");
  std::reverse(bytes.begin() + 8, bytes.begin() + 12);
  EXPECT_EQ(refusal_of(bytes), "was written on a machine with the other order of bytes");
  bytes[8] = 0;
  EXPECT_EQ(refusal_of(bytes), "is damaged: it does not say its order of bytes");
}

TEST_F(GraphFile, ALengthThatIsNotTheHeaders) {
  const std::string bytes = saved(small_saved());
  const std::string length = std::to_string(bytes.size());
  EXPECT_EQ(refusal_of(bytes.substr(0, 12)), "is damaged: it ends within its header");
  EXPECT_EQ(refusal_of(bytes.substr(0, 39)), "is damaged: it ends within its header");
  EXPECT_EQ(refusal_of(bytes.substr(0, 40)),
            "is damaged: it has 40 bytes, and by its header " + length);
  EXPECT_EQ(refusal_of(bytes + "x"), "is damaged: it has " + std::to_string(bytes.size() + 1) +
                                         " bytes, and by its header " + length);
}

TEST_F(GraphFile, WhatAGoodChecksumDoesNotExcuse) {
  const Saved small = small_saved();  // three tasks, {0, 1} and {2}
  const auto with = [&](size_t at, uint32_t value) {
    return refusal_of(sealed_again(with_number(saved(small), at, value)));
  };
  const size_t first = 40, before = first + 16, cost = before + 12, rows = cost + 12,
               task = rows + 12;
  EXPECT_EQ(with(36, 7), "is damaged: it has arrays that version 1 lacks");
  EXPECT_EQ(with(32, 4), "is damaged: it has more aggregates than tasks");
  EXPECT_EQ(with(24, UINT32_MAX), "is damaged: no graph has that many tasks or edges");
  EXPECT_EQ(with(28, UINT32_MAX), "is damaged: no graph has that many tasks or edges");
  EXPECT_EQ(with(first, 1), "is damaged: the rows of its tasks are no rows");
  EXPECT_EQ(with(first + 8, 4), "is damaged: the rows of its tasks are no rows");
  EXPECT_EQ(with(first + 12, 2), "is damaged: the rows of its tasks are no rows");
  EXPECT_EQ(with(rows + 4, 7), "is damaged: the rows of its aggregates are no rows");
  EXPECT_EQ(
      with(before, 3),
      "is damaged: task 1 comes after task 3, which does not exist: there are 3 tasks, counted "
      "from 0");
  EXPECT_EQ(with(before, 2), "is damaged: tasks wait for each other in a circle: 1 -> 2 -> 1");
  EXPECT_EQ(with(cost, std::bit_cast<uint32_t>(-1.0f)),
            "is damaged: task 0 has a cost of -1; a cost is a number from 0 on");
  EXPECT_EQ(with(rows + 4, 3), "is damaged: aggregate 1 has no tasks");
  EXPECT_EQ(with(task + 12, 32768), "is damaged: a node of an aggregate is not below 32768");
  EXPECT_EQ(with(task, 2), "is damaged: task 2 is in aggregates 0 and 1");
  EXPECT_EQ(with(task, 1), "is damaged: aggregate 0 has task 1 twice");
  EXPECT_EQ(with(task, 3),
            "is damaged: aggregate 0 has task 3, which does not exist: there are 3 tasks, counted "
            "from 0");
  std::string bytes = with_number(with_number(saved(small), task, 1), task + 4, 0);
  EXPECT_EQ(refusal_of(sealed_again(bytes)),
            "is damaged: aggregate 0 has task 1 before task 0, after which it must run");
  bytes = with_number(with_number(saved(small), task + 4, 2), task + 8, 1);
  EXPECT_EQ(refusal_of(sealed_again(bytes)),
            "is damaged: aggregates cannot be run as tasks: tasks wait for each other in a circle: "
            "0 -> 1 -> 0");
  bytes = saved(small);
  bytes.back() = 2;
  EXPECT_EQ(refusal_of(sealed_again(bytes)), "is damaged: the strict flag of aggregate 1 is 2");
}

TEST_F(GraphFile, AFileIsKeptWhenSavingFails) {
  const std::string bytes = saved(small_saved());
  path_ = folder_.path() / "nowhere" / "some.graph";
  EXPECT_EQ(
      save(small_saved(), path_).text,
      "'" + path_.string() + "' cannot be written: cannot write beside it: " + strerror(ENOENT));
  EXPECT_EQ(save(small_saved(), folder_.path()).text,
            "'" + folder_.path().string() + "' cannot be written: this is not a plain file");
  EXPECT_EQ(read_file(folder_.path() / "some.graph"), bytes);
  EXPECT_EQ(folder_.files(), 1);
}

TEST_F(GraphFile, ANewFileReplacesALongerOne) {
  EXPECT_EQ(save({cube(4), coarsened(cube(4), "C"), {}, {}}, path_).text, "");
  EXPECT_EQ(save(small_saved(), path_).text, "");
  const auto loaded = load(path_);
  ASSERT_TRUE(loaded) << loaded.error();
  expect_same(*loaded, small_saved());
}

TEST(GraphCoarseOf, GroupsThatAreAggregates) {
  const Graph graph = graph_of({{}, {0}, {0}, {1, 2}}, {1, 2, 3, 4});
  const auto coarse = coarse_of(graph, rows_of({{0, 2}, {1}, {3}}));
  ASSERT_TRUE(coarse) << coarse.error();
  EXPECT_EQ(lists_of(coarse->graph.before()), (Lists{{}, {0}, {1, 0}}));
  EXPECT_EQ(coarse->graph.cost(0), 4);
}

TEST(GraphCoarseOf, ATaskIsInNoGroup) {
  EXPECT_EQ(coarse_of(graph_of({{}, {}, {}}), rows_of({{0}, {2}})).error(),
            "task 1 is in no aggregate");
}

}  // namespace
}  // namespace vicino::graph
