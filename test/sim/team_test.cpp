// plat/sim: what atomics cost, in which order members use them, and how they wait. Each expected
// time was worked out by hand from the rules in team.hpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/line.hpp"
#include "plat/plat.hpp"

namespace vicino::sim {
namespace {

constexpr Costs kCosts{.cores_per_package = 2,
                       .hit = 1,
                       .own = 10,
                       .near_line = 100,
                       .far_line = 1000,
                       .clock = 3,
                       .poll = 50,
                       .call = 200,
                       .wake = 5000};

struct alignas(kLine) Word {
  plat::atomic<uint64_t> value{0};
};

std::vector<Time> run(const std::vector<Time>& begins, const std::function<void(uint32_t)>& body,
                      uint64_t seed = 1) {
  Team team(static_cast<uint32_t>(begins.size()), kCosts);
  team.run(begins, seed, body);
  std::vector<Time> ends;
  for (uint32_t m = 0; m < begins.size(); ++m) ends.push_back(team.ended(m));
  return ends;
}

using Times = std::vector<Time>;

TEST(SimTeam, OneMemberPaysForMemoryOnce) {
  Word word;
  EXPECT_EQ(run({0}, [&](uint32_t) { (void)word.value.load(); }), Times{1000});
  EXPECT_EQ(run({0}, [&](uint32_t) { (void)word.value.load(), (void)word.value.load(); }),
            Times{1001});
  EXPECT_EQ(run({0}, [&](uint32_t) { (void)word.value.load(), word.value.store(1); }), Times{1010});
  EXPECT_EQ(run({7}, [&](uint32_t) { word.value.fetch_add(1), word.value.exchange(2); }),
            Times{1017});
}

std::vector<Time> run_with(const Costs& costs, const std::vector<Time>& begins,
                           const std::function<void(uint32_t)>& body) {
  Team team(static_cast<uint32_t>(begins.size()), costs);
  team.run(begins, 1, body);
  std::vector<Time> ends;
  for (uint32_t m = 0; m < begins.size(); ++m) ends.push_back(team.ended(m));
  return ends;
}

TEST(SimTeam, LoadsThatFollowEachOtherOverlap) {
  Costs costs = kCosts;
  costs.overlap = 4;
  std::array<Word, 3> words;
  const auto load = [&](size_t i) { (void)words[i].value.load(); };
  EXPECT_EQ(run_with(costs, {0}, [&](uint32_t) { load(0), load(1), load(2); }),
            Times{1000 + 250 + 250});
  // A line that the core has does not end the row.
  EXPECT_EQ(run_with(costs, {0}, [&](uint32_t) { load(0), load(0), load(1); }),
            std::vector<Time>{1000 + 1 + 250});
  EXPECT_EQ(run_with(costs, {0},
                     [&](uint32_t) {
                       load(0);
                       Team::current()->work(5);
                       load(1);
                     }),
            std::vector<Time>{1000 + 5 + 1000});
  EXPECT_EQ(run_with(kCosts, {0}, [&](uint32_t) { load(0), load(1); }), std::vector<Time>{2000});
}

TEST(SimTeam, MembersOfOneCoreShareItsCopies) {
  Costs costs = kCosts;
  costs.members_per_core = 2;
  Word word;
  // Members 0 and 1 are on core 0; 2 on core 1, which is near; 4 on core 2, which is far.
  const std::vector<Time> begins{0, 5000, 10'000, 1'000'000, 20'000};
  EXPECT_EQ(run_with(costs, begins,
                     [&](uint32_t m) {
                       if (m != 3) word.value.store(m);
                     }),
            (std::vector<Time>{1000, 5010, 10'100, 1'000'000, 21'000}));
}

// Three members count, each once. The first update brings the line from memory; the others queue.
TEST(SimTeam, ACoreThatFailsMayKeepTheLine) {
  Word word;
  const auto count = [&](uint32_t) {
    uint64_t seen = 0;
    while (!word.value.compare_exchange_strong(seen, seen + 1)) {
    }
  };
  Costs costs = kCosts;
  costs.cores_per_package = 3;
  costs.keeps_line = true;
  // 1 fails at 1100 and succeeds at once; 2 fails at 1200, tries with what 1 had found, and succeeds.
  EXPECT_EQ(run_with(costs, {0, 0, 0}, count), (Times{1000, 1110, 1220}));
  word.value.store(0);
  costs.keeps_line = false;  // 1 queues behind 2, which fails once more and has the line then
  EXPECT_EQ(run_with(costs, {0, 0, 0}, count), (Times{1000, 1300, 1410}));
}

TEST(SimTeam, ATeamFillsAMachineOf128Cores) {
  Word word;
  std::vector<Time> begins(128);
  for (uint32_t m = 0; m < 128; ++m) begins[m] = Time{m} * 2'000'000;
  const auto ends = run_with(kCosts, begins, [&](uint32_t m) {
    if (m == 127)
      word.value.fetch_add(1);
    else
      (void)word.value.load();
  });
  EXPECT_EQ(ends[1], begins[1] + 100);  // from core 0, the owner
  EXPECT_EQ(ends[126], begins[126] + 1000);
  EXPECT_EQ(ends[127], begins[127] + 1000);  // copies on both sides of core 64 are far
}

TEST(SimTeam, MembersOfALargeTeamRunInTheOrderOfTime) {
  std::vector<Time> begins(500);
  for (uint32_t m = 0; m < 500; ++m) begins[m] = m * 7919 % 499;
  std::vector<std::pair<Time, uint32_t>> order;
  run_with(Costs{.members_per_core = 4}, begins, [&](uint32_t m) {
    for (int i = 0; i < 3; ++i) {
      Team::current()->give_way();
      order.emplace_back(Team::current()->clock(), m);
      Team::current()->work(1 + m % 3 * 100);
    }
  });
  EXPECT_EQ(order.size(), 1500u);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(SimTeam, WorkAndTheClock) {
  uint64_t seen = 0;
  const Times ends = run({5'000'000}, [&](uint32_t) {
    Team::current()->work(123'000);
    seen = plat::now();
  });
  EXPECT_EQ(seen, 5'123u);
  EXPECT_EQ(ends, Times{5'123'003});
}

TEST(SimTeam, WordsOfOneLineShareItsCosts) {
  struct alignas(kLine) {
    plat::atomic<uint64_t> a{0}, b{0};
  } near;
  EXPECT_EQ(run({0}, [&](uint32_t) { near.a.fetch_add(1), near.b.fetch_add(1); }), Times{1010});
  Word far[2];
  EXPECT_EQ(run({0}, [&](uint32_t) { far[0].value = 1, far[1].value = 1; }), Times{2000});
}

// T4: the line comes from memory, to the neighbour, to the other package, and to its neighbour.
TEST(SimTeam, ContentionIsServedOneAfterTheOther) {
  Word word;
  std::vector<uint64_t> got(4);
  const Times ends = run({0, 0, 0, 0}, [&](uint32_t m) { got[m] = word.value.fetch_add(1); });
  EXPECT_EQ(ends, (Times{1000, 1100, 2100, 2200}));
  EXPECT_EQ(got, (std::vector<uint64_t>{0, 1, 2, 3}));
}

TEST(SimTeam, FirstComeFirstServed) {
  Word word;
  std::vector<uint64_t> got(4);
  const Times ends = run({30, 20, 10, 0}, [&](uint32_t m) { got[m] = word.value.fetch_add(1); });
  EXPECT_EQ(ends, (Times{2200, 2100, 1100, 1000}));
  EXPECT_EQ(got, (std::vector<uint64_t>{3, 2, 1, 0}));
}

// Member 1 has worked until 100, when member 0 comes: the lower number goes first.
TEST(SimTeam, EqualClocksGoByNumbers) {
  Word word;
  std::vector<uint64_t> got(2);
  run({100, 0}, [&](uint32_t m) {
    if (m == 1) Team::current()->work(100);
    got[m] = word.value.fetch_add(1);
  });
  EXPECT_EQ(got, (std::vector<uint64_t>{0, 1}));
}

// Member 0 has the line from 1000 on. A load at 1500 takes 100 or 1000, by distance, and another
// load does not wait for it; the owner then takes the farthest copy away.
TEST(SimTeam, LoadsCopyAndUpdatesTakeCopiesAway) {
  Word word;
  const Times ends = run({0, 1500, 1500}, [&](uint32_t m) {
    if (m != 0) return (void)word.value.load();
    word.value.store(1);
    Team::current()->work(4000);
    word.value.store(2);
  });
  EXPECT_EQ(ends, (Times{6000, 1600, 2500}));
}

TEST(SimTeam, ALoadWaitsForAnUpdateUnderWay) {
  Word word;
  uint64_t seen = 0;
  const Times ends = run({0, 500}, [&](uint32_t m) {
    if (m == 0)
      word.value.store(1);
    else
      seen = word.value.load();
  });
  EXPECT_EQ(ends, (Times{1000, 1100}));
  EXPECT_EQ(seen, 1u);
}

TEST(SimTeam, ACompareAndSwapThatFailsCostsAsMuch) {
  Word word;
  uint64_t expected = 5;
  const Times ends = run({0}, [&](uint32_t) {
    EXPECT_FALSE(word.value.compare_exchange_weak(expected, 9));
    EXPECT_EQ(expected, 0u);
    EXPECT_TRUE(word.value.compare_exchange_strong(expected, 9));
  });
  EXPECT_EQ(ends, Times{1010});
  EXPECT_EQ(word.value.load(), 9u);
}

struct Budget {
  uint64_t ns;
};

// Member 1 has looked at 1000 + 1000 (it comes from memory once: member 0 came first, and got its
// copy at 1000). Member 2 stores at 10000, in the other package: its store ends at 11000.
TEST(SimTeam, WaitOnEndsWithTheUpdate) {
  Word word;
  uint64_t seen = 0;
  const Times ends = run({0, 10'000, 10'000}, [&](uint32_t m) {
    if (m == 0) seen = plat::wait_on(word.value, uint64_t{0}, Budget{1'000'000});
    if (m == 2) word.value.store(7);
  });
  EXPECT_EQ(seen, 7u);
  EXPECT_EQ(ends, (Times{12'000, 10'000, 11'000}));
}

// Member 0 has the line. Member 2 looks at the word from 2000 to 3000. Meanwhile, at 2500, member 1
// stores, and has done so at 2600; member 2 does not learn it before its look has ended.
TEST(SimTeam, AMembersClockNeverGoesBack) {
  Word word;
  const Times ends = run({0, 2'500, 2'000}, [&](uint32_t m) {
    if (m == 0) word.value.store(1);
    if (m == 1) word.value.store(2);
    if (m == 2) plat::wait_on(word.value, uint64_t{1}, Budget{1'000'000});
  });
  EXPECT_EQ(ends, (Times{1'000, 2'600, 4'000}));
}

TEST(SimTeam, WaitOnEndsWithItsBudget) {
  Word word;
  EXPECT_EQ(run({0}, [&](uint32_t) { plat::wait_on(word.value, uint64_t{0}, Budget{20}); }),
            Times{20'001});  // and a last look
  int glances = 0;
  EXPECT_EQ(run({0},
                [&](uint32_t) {
                  plat::wait_on(word.value, uint64_t{0}, Budget{20},
                                [&] { return ++glances == 3; });
                }),
            Times{1000 + 50 + 1 + 50 + 1});
}

TEST(SimTeam, SleepersWakeInTheOrderInWhichTheyFellAsleep) {
  Word word;
  const Times ends = run({2'000, 1'000, 100'000}, [&](uint32_t m) {
    if (m < 2) return plat::sleep_on(word.value, uint64_t{0});
    plat::wake(word.value, 1);
    plat::wake(word.value, 1);
  });
  EXPECT_EQ(ends, (Times{100'400 + 5'000, 100'200 + 5'000, 100'400}));
}

TEST(SimTeam, ASleepEndsByItselfAndDoesNotBeginOnAnotherValue) {
  Word word;
  EXPECT_EQ(run({0}, [&](uint32_t) { plat::sleep_on(word.value, uint64_t{0}, 30); }),
            Times{31'000});
  EXPECT_EQ(run({0}, [&](uint32_t) { plat::sleep_on(word.value, uint64_t{1}); }), Times{1000});
}

// A member that waits in vain must not keep another from its turn, nor get ahead of it.
TEST(SimTeam, AMemberWhoseTimeIsUpTakesTurnsAgain) {
  Word word, other;
  std::vector<uint64_t> got(2);
  run({0, 0}, [&](uint32_t m) {
    if (m == 0) plat::wait_on(word.value, uint64_t{0}, Budget{20});
    for (int i = 0; i < 10; ++i) {
      Team::current()->work(m == 0 ? 1'000 : 10'000);
      got[m] = other.value.fetch_add(1);
    }
  });
  EXPECT_EQ(got[0] > got[1], false);
  EXPECT_EQ(got[1], 19u);
}

TEST(SimTeamDeathTest, NobodyCanGoOn) {
  Word word;
  EXPECT_DEATH(run({0, 0}, [&](uint32_t) { plat::sleep_on(word.value, uint64_t{0}); }),
               "member 1 sleeps(.|\n)*no simulated member can go on");
}

TEST(SimTeamDeathTest, ATeamHasOneTo1024Members) {
  EXPECT_DEATH(Team(1025, kCosts), "1 to 1024 members, not 1025");
  EXPECT_DEATH(Team(129, kCosts), "1 to 128 cores");
}

TEST(SimTeam, RandomNumbersFollowTheSeedAndTheMember) {
  const auto draw = [](uint64_t seed) {
    std::vector<uint64_t> drawn(2);
    run({0, 0}, [&](uint32_t m) { drawn[m] = plat::rnd(); }, seed);
    return drawn;
  };
  EXPECT_EQ(draw(3), draw(3));
  EXPECT_NE(draw(3), draw(4));
  EXPECT_NE(draw(3)[0], draw(3)[1]);
}

// More lines than the table begins with, and none is known in the next run.
TEST(SimTeam, ManyLinesAreToldApart) {
  auto words = std::make_unique<std::array<Word, 5000>>();
  const auto all = [&](uint32_t) {
    for (Word& word : *words) word.value.fetch_add(1);
    for (Word& word : *words) word.value.fetch_add(1);
  };
  Team team(1, kCosts);
  for (int again = 0; again < 2; ++again) {
    team.run(Times{0}, 1, all);
    EXPECT_EQ(team.last_end(), 5000u * 1010);
  }
}

}  // namespace
}  // namespace vicino::sim
