// OMP_PLACES: what is accepted and what it means, what is refused and with which message.
#include <gmock/gmock.h>

#include <memory>

#include "allocations.hpp"
#include "topo/places.hpp"

namespace vicino::topo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Machine& machine(int cpus) {
  static auto* const machines = new std::vector<std::unique_ptr<Machine>>(100);
  auto& made = (*machines)[static_cast<size_t>(cpus)];
  if (!made) made = std::make_unique<Machine>(Machine::flat(CpuSet::range(0, cpus)));
  return *made;
}

struct Good {
  const char* text;
  const char* places;  // each place as a list of CPUs, separated by blanks
};

void PrintTo(const Good& good, std::ostream* out) { *out << '"' << good.text << '"'; }

class GoodPlaces : public testing::TestWithParam<Good> {};

TEST_P(GoodPlaces, MeanThis) {
  Result<PlaceList> list = parse_places(GetParam().text, machine(64));
  ASSERT_TRUE(list.ok()) << list.error();
  std::string places;
  for (const CpuSet& place : list->places) places += (places.empty() ? "" : " ") + place.to_list();
  EXPECT_EQ(places, GetParam().places);
  EXPECT_THAT(list->notes, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Table, GoodPlaces,
    testing::Values(
        // Resources of a place.
        Good{"{0}", "0"}, Good{"{0,1,5}", "0-1,5"}, Good{"{5,0,0}", "0,5"}, Good{"{0:4}", "0-3"},
        Good{"{3:3:2}", "3,5,7"}, Good{"{9:3:-4}", "1,5,9"}, Good{"{4:3:0}", "4"},
        Good{"{0:2,8:2:4}", "0-1,8,12"}, Good{"{0:4,!2}", "0-1,3"}, Good{"{0:4,!2,2}", "0-3"},
        Good{"{+1:+2:+3}", "1,4"},
        // Places without braces.
        Good{"3", "3"}, Good{"3,1", "3 1"}, Good{"0:3", "0 1 2"}, Good{"6:3:-2", "6 4 2"},
        // Intervals of places.
        Good{"{0:4}:3", "0-3 1-4 2-5"}, Good{"{0:4}:4:4", "0-3 4-7 8-11 12-15"},
        Good{"{12:2}:3:-6", "12-13 6-7 0-1"}, Good{"{0,8}:2:0", "0,8 0,8"},
        Good{"{0:2:8}:2:16", "0,8 16,24"}, Good{"{7}:1:-99", "7"},
        // Lists, with equal places kept.
        Good{"{0},{2},{1}", "0 2 1"}, Good{"{0},{0}", "0 0"},
        Good{"{0:2}:2:2,8,{9}:2", "0-1 2-3 8 9 10"},
        // Exclusion of places.
        Good{"{0}:4,!{2}", "0 1 3"}, Good{"{0:4}:4:4,!{4:4},{0}", "0-3 8-11 12-15 0"},
        Good{"{1},{0},{1},!{1}", "0 1"}, Good{"0:4,!1,!3", "0 2"}, Good{"{1,0},!{0:2},5", "5"},
        // Blanks.
        Good{" { 0 : 2 } : 2 : 4 , ! { 4 , 5 } ", "0-1"}, Good{"\t{0}\n", "0"},
        // Names; the flat machine has one package and one node, and no shared caches.
        Good{"cores(2)", "0 1"}, Good{"threads(3)", "0 1 2"}, Good{"ll_caches(1)", "0"},
        Good{"sockets", "0-63"}, Good{"numa_domains", "0-63"}, Good{"CoReS ( 1 ) ", "0"},
        Good{" sockets(1)", "0-63"}));

struct Bad {
  const char* text;
  int character;
  const char* expected;
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << '"' << bad.text << '"'; }

class BadPlaces : public testing::TestWithParam<Bad> {};

TEST_P(BadPlaces, AreExplained) {
  const Bad& bad = GetParam();
  Result<PlaceList> list = parse_places(bad.text, machine(64));
  ASSERT_FALSE(list.ok());
  const std::string rest = std::string(bad.text).substr(static_cast<size_t>(bad.character) - 1);
  const std::string found = rest.empty() ? "the end" : "\"" + rest + "\"";
  EXPECT_EQ(list.error(), "at character " + std::to_string(bad.character) + ", " + found +
                              ": expected " + bad.expected);
}

constexpr char kPlace[] = "a place: a CPU number, or CPU numbers in { }";
constexpr char kCpu[] = "a CPU number";
constexpr char kName[] = "one of threads, cores, ll_caches, numa_domains, sockets";
constexpr char kPlaces[] = "the number of places, 1 or more";
constexpr char kCpus[] = "the number of CPUs, 1 or more";
constexpr char kStride[] = "the stride, a whole number";
constexpr char kRange[] = "CPU numbers from 0 to 65535";
constexpr char kPlaceRange[] = "places whose CPU numbers are from 0 to 65535";
constexpr char kInPlace[] = "a CPU that is in the place before it, after \"!\"";
constexpr char kInList[] = "a place that is in the list before it, after \"!\"";
constexpr char kEnd[] = "\",\" or the end";
constexpr char kBrace[] = "\",\" or \"}\"";

INSTANTIATE_TEST_SUITE_P(
    Table, BadPlaces,
    testing::Values(
        Bad{"", 1, kPlace}, Bad{"  ", 3, kPlace}, Bad{",", 1, kPlace}, Bad{"{0},", 5, kPlace},
        Bad{"-1", 1, kPlace}, Bad{"(0)", 1, kPlace}, Bad{"{0},cores", 5, kPlace},
        Bad{"99999999999", 1, kPlace}, Bad{"65536", 1, kPlace},  //
        Bad{"{}", 2, kCpu}, Bad{"{", 2, kCpu}, Bad{"{0,}", 4, kCpu}, Bad{"{-1}", 2, kCpu},
        Bad{"{0,{1}}", 4, kCpu}, Bad{"{65536}", 2, kCpu}, Bad{"{+-1}", 2, kCpu},
        Bad{"core", 1, kName}, Bad{"  hyperthreads(2)", 3, kName}, Bad{"threadsx", 1, kName},
        Bad{"cores(0)", 7, kPlaces}, Bad{"cores()", 7, kPlaces}, Bad{"cores(-2)", 7, kPlaces},
        Bad{"cores(2", 8, "\")\""}, Bad{"cores(2:1)", 8, "\")\""}, Bad{"cores 2", 7, kEnd},
        Bad{"cores(2),{0}", 9, kEnd}, Bad{"{0}:0", 5, kPlaces}, Bad{"{0}:", 5, kPlaces},
        Bad{"{0}:2:", 7, kStride}, Bad{"{0}:2:x", 7, kStride}, Bad{"{0:2:}", 6, kStride},
        Bad{"{0:0}", 4, kCpus}, Bad{"{0:-1}", 4, kCpus}, Bad{"{0:}", 4, kCpus},
        Bad{"{0:2", 5, kBrace}, Bad{"{0 1}", 4, kBrace}, Bad{"{0:2:1:1}", 7, kBrace},
        Bad{"{0};{1}", 4, kEnd}, Bad{"{0}}", 4, kEnd}, Bad{"{0}:2:1:1", 8, kEnd},
        Bad{"0-3", 2, kEnd}, Bad{"{0}:2:-1", 1, kPlaceRange}, Bad{"1,{65535}:2", 3, kPlaceRange},
        Bad{"{0:3:-1}", 2, kRange}, Bad{"{0,60000:60000}", 4, kRange}, Bad{"{!0}", 2, kInPlace},
        Bad{"{0,!1}", 4, kInPlace}, Bad{"{0:2,!0:2}", 8, kBrace}, Bad{"!{0}", 1, kInList},
        Bad{"{0},!{1}", 5, kInList}, Bad{"{0}:2,!{0}:2", 11, kEnd}, Bad{"{0},! ", 7, kPlace}));

TEST(Places, WhatCanBeReadOfATextHolds) {
  const auto readable = [](const char* text) { return readable_places(text, machine(64)); };
  for (const char* const good : {"sockets(1)", "{0:4}:2:4", " Threads "})
    EXPECT_EQ(readable(good), good);
  EXPECT_EQ(readable("sockets("), "sockets");
  EXPECT_EQ(readable("threads()"), "threads");
  for (const char* const bad : {"invalid", "{0", "0(2)", "invalid(2)", ""})
    EXPECT_EQ(readable(bad), "cores");
}

TEST(Places, UnusableCpusAreDroppedWithANote) {
  Result<PlaceList> list = parse_places("{0:4}:4:2", machine(4));
  ASSERT_TRUE(list.ok());
  EXPECT_THAT(list->places, ElementsAre(CpuSet::range(0, 4), CpuSet::range(2, 2)));
  EXPECT_THAT(list->notes,
              ElementsAre("CPUs that this process may not use are left out: 4-9 (2 of 4 places)"));
}

TEST(Places, AffinityMaskDecidesWhatIsUsable) {
  Result<CpuSet> odd = CpuSet::parse_list("1,3,5,7");
  const Machine machine = Machine::flat(*odd);
  EXPECT_THAT(default_places(machine).places,
              ElementsAre(CpuSet::of(1), CpuSet::of(3), CpuSet::of(5), CpuSet::of(7)));
  Result<PlaceList> list = parse_places("{0:2}:4:2", machine);
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->places, default_places(machine).places);
  EXPECT_THAT(list->notes, ElementsAre("CPUs that this process may not use are left out: 0,2,4,6"));
}

// The exclusion names the place as written, not what remains of it on this machine.
TEST(Places, ExclusionComesBeforeDropping) {
  Result<PlaceList> list = parse_places("{0:8},{0:4},{4:4},!{0:4}", machine(4));
  ASSERT_TRUE(list.ok());
  EXPECT_THAT(list->places, ElementsAre(CpuSet::range(0, 4)));
  EXPECT_TRUE(parse_places("{0},{9},!{9}", machine(4)).ok());
}

TEST(Places, NothingLeftIsAnError) {
  for (const char* text : {"{8}", "{4:4}:3:4", "{0},!{0}", "{0,!0}"}) {
    Result<PlaceList> list = parse_places(text, machine(4));
    ASSERT_FALSE(list.ok()) << text;
    EXPECT_EQ(list.error(), "none of its CPUs may be used by this process");
  }
}

TEST(Places, MoreThanThereAreGivesAllWithANote) {
  Result<PlaceList> list = parse_places("Cores(9)", machine(4));
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->size(), 4);
  EXPECT_THAT(list->notes, ElementsAre("cores(9): the machine has 4"));
}

// No input may lead the parser out of its text, and a refusal always points into the text.
TEST(Places, AnyPrefixOfAnythingIsReadOrRefused) {
  const std::string text = " { 1 : 2 : -1 , ! 0 } : 3 : 4 , ! { 1 } , cores ( 2 ) 65536 +";
  for (size_t start = 0; start < text.size(); ++start)
    for (size_t size = 0; start + size <= text.size(); ++size) {
      Result<PlaceList> list = parse_places(text.substr(start, size), machine(8));
      if (list)
        EXPECT_GT(list->size(), 0);
      else
        EXPECT_FALSE(list.error().empty());
    }
}

// Places that the machine does not have cost no memory for each of the CPU numbers below theirs.
TEST(Places, ManyOfHighNumbersAreCheap) {
  const Machine machine = Machine::flat(CpuSet::range(0, 10));
  const Allocations allocations;
  const auto list = parse_places("{9}:65527", machine);
  ASSERT_TRUE(list) << list.error();
  EXPECT_EQ(list->size(), 1);
  EXPECT_LT(allocations.bytes(), size_t{8} << 20);
  EXPECT_NE(parse_places("{0:65535}:65535:0", machine).error().find("at most 4194304 CPUs"),
            std::string::npos);
}

// The part that cannot be read is shown short and on one line.
TEST(Places, AMessageIsOneLine) {
  const auto list =
      parse_places("{0},\n\033" + std::string(5000, 'x'), Machine::flat(CpuSet::of(0)));
  ASSERT_FALSE(list);
  EXPECT_LT(list.error().size(), 200u);
  EXPECT_EQ(list.error().find_first_of("\n\033"), std::string::npos) << list.error();
}

}  // namespace
}  // namespace vicino::topo
