// diagnosis.hpp: programs with a known disease, and healthy ones, by traces of programs that never ran.
#include "diagnosis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_trace.hpp"

namespace vicino::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr uint64_t kUs = 1'000, kMs = 1'000'000;

std::vector<Diagnosis> diagnosed(MadeTrace& made) { return diagnose(summary_of(made.file())); }

// Regions of `length`, one after the other; in each a thread has done its part at its share of it.
void regions(MadeTrace& made, int count, uint64_t length, uint64_t pause,
             const std::function<double(int)>& share) {
  for (int i = 0; i < count; ++i) {
    const uint64_t from = static_cast<uint64_t>(i) * (length + pause) + pause;
    made.region(from, from + length, "solve()+0x1c", [&](int thread, uint64_t begin) {
      const auto end = begin + static_cast<uint64_t>(static_cast<double>(length) * share(thread));
      made.span(thread, begin, end, "work", "static loop", "solve()+0x20");
      return end;
    });
  }
}

void expect_one(const std::vector<Diagnosis>& found, Disease disease, double share,
                const std::string& evidence) {
  ASSERT_THAT(found, SizeIs(1)) << (found.empty() ? "" : found.back().evidence);
  EXPECT_EQ(found[0].disease, disease) << found[0].evidence;
  EXPECT_NEAR(found[0].share, share, 0.02);
  EXPECT_THAT(found[0].evidence, HasSubstr(evidence));
  EXPECT_FALSE(found[0].remedy.empty());
}

TEST(Diagnosis, ASerialPart) {
  MadeTrace made(4, 4);
  made.instant(0, 0, "region", "cancel");
  regions(made, 10, 10 * kMs, 10 * kMs, [](int) { return 1; });
  expect_one(diagnosed(made), Disease::kSerial, 0.375,
             "One thread works alone for 100 ms of 200 ms, while 3 others wait; most of it, 100 "
             "ms, before the region at "
             "solve()+0x1c");
}

// The time in which the process waits for others is no serial part.
TEST(Diagnosis, Communication) {
  MadeTrace made(4, 4);
  made.instant(0, 0, "region", "cancel");
  for (uint64_t i = 0; i < 10; ++i) {
    const uint64_t from = i * 20 * kMs;
    made.span(0, from + 1 * kMs, from + 10 * kMs, "mpi", "MPI_Allreduce", "step()");
    made.region(from + 10 * kMs, from + 20 * kMs, "solve()",
                [&](int, uint64_t begin) { return begin + 10 * kMs; });
  }
  expect_one(diagnosed(made), Disease::kCommunication, 0.45,
             "Calls of MPI take 90 ms of 200 ms, outside of regions");
}

TEST(Diagnosis, Imbalance) {
  MadeTrace made(4, 4);
  regions(made, 10, 10 * kMs, 100, [](int thread) { return thread == 3 ? 1 : 0.3; });
  const auto found = diagnosed(made);
  expect_one(found, Disease::kImbalance, 3 * 0.7 / 4,
             "the one with the most work has 100 ms of it, the one with the least 30 ms");
  EXPECT_THAT(found[0].remedy, HasSubstr("schedule(runtime) for its loops"));
  EXPECT_EQ(found[0].command, "");
}

TEST(Diagnosis, ChunksThatAreTooLarge) {
  MadeTrace made(2, 2);
  made.region(0, 10 * kMs, "solve()", [&](int thread, uint64_t) {
    const uint64_t end = (thread == 0 ? 10 : 5) * kMs;
    made.begin(thread, 0, "work", "dynamic loop", "solve()+4");
    for (uint64_t at = 0; at < end; at += 5 * kMs)
      made.span(thread, at, at + 5 * kMs, "work", "chunk");
    made.end(thread, end);
    return end;
  });
  const auto found = diagnosed(made);
  expect_one(found, Disease::kImbalance, 0.25, "in the region at solve()");
  EXPECT_THAT(found[0].remedy, HasSubstr("the longest of the loop at solve()+4 takes 5 ms"));
}

TEST(Diagnosis, ShortChunks) {
  MadeTrace made(2, 2);
  made.region(0, 1 * kMs, "solve()", [&](int thread, uint64_t) {
    made.begin(thread, 0, "work", "dynamic loop", "solve()+4");
    for (uint64_t at = 0; at < kMs; at += 200) made.span(thread, at, at + 100, "work", "chunk");
    made.end(thread, kMs);
    return kMs;
  });
  const auto found = diagnosed(made);
  expect_one(found, Disease::kShortChunks, 0.5,
             "The loop at solve()+4 is cut into 10000 chunks of 100 ns");
  EXPECT_EQ(found[0].command, "vicino run --schedule ich -- made");
}

TEST(Diagnosis, ShortRegions) {
  MadeTrace made(2, 2);
  regions(made, 1000, 4 * kUs, 10, [](int) { return 0.25; });
  expect_one(diagnosed(made), Disease::kShortRegions, 0.75,
             "The region at solve()+0x1c takes 4 us and is met 1000 times");
}

TEST(Diagnosis, ShortTasks) {
  MadeTrace made(2, 2);
  made.region(0, 1 * kMs, "solve()", [&](int thread, uint64_t) {
    made.begin(thread, 0, "wait", "barrier", "solve()");
    for (uint64_t at = 0; at < kMs; at += 500)
      made.span(thread, at, at + 150, "task", "task", "leaf()", {{"task", at}});
    made.end(thread, kMs);
    return kMs;
  });
  expect_one(diagnosed(made), Disease::kShortTasks, 0.7,
             "There are 4000 tasks at leaf(), half of them shorter than 1");
}

TEST(Diagnosis, ACriticalSection) {
  MadeTrace made(2, 2);
  made.region(0, 10 * kMs, "solve()", [&](int thread, uint64_t) {
    for (uint64_t at = 0; at < 10 * kMs; at += kMs) {
      const bool first = (at / kMs + static_cast<uint64_t>(thread)) % 2 == 0;
      if (!first) made.span(thread, at, at + 900 * kUs, "lock", "waits for critical", "solve()+8");
      made.span(thread, first ? at : at + 900 * kUs, first ? at + 900 * kUs : at + kMs, "lock",
                "critical", "solve()+8");
    }
    return 10 * kMs;
  });
  expect_one(diagnosed(made), Disease::kLock, 0.45,
             "Threads wait 9 ms for each other at solve()+8");
}

TEST(Diagnosis, MoreThreadsThanCpus) {
  MadeTrace made(4, 2);
  regions(made, 10, 10 * kMs, 100, [](int) { return 0.5; });
  for (int i = 0; i < 4; ++i)
    made.instant(i, 101 * kMs, "trace", "core", {{"waited for", 50 * kMs}, {"ran for", 50 * kMs}});
  const auto found = diagnosed(made);
  expect_one(found, Disease::kCrowd, 0.5, "4 threads share 2 CPUs");
  EXPECT_EQ(found[0].command, "vicino run --threads 2 -- made");
}

// Twenty regions, in which each thread works for its share of 10 ms, and in each third one another thread has no core for
// 20 ms more, while which it seems to work.
void busy_regions(MadeTrace& made, const std::function<double(int)>& share) {
  const auto threads = static_cast<int>(made.threads());
  std::vector<double> ran(made.threads());
  uint64_t from = 0, last = 0;
  std::vector<uint64_t> waited(made.threads());
  for (int k = 0; k < 20; ++k) {
    const int slow = k % 3 == 0 ? k / 3 % threads : -1;
    last = from + (slow >= 0 ? 30 : 10) * kMs;
    made.region(from, last, "solve()", [&](int thread, uint64_t begin) {
      const double worked = 10 * share(thread) * kMs;
      ran[static_cast<size_t>(thread)] += worked;
      waited[static_cast<size_t>(thread)] += thread == slow ? 20 * kMs : 0;
      return begin + static_cast<uint64_t>(worked) + (thread == slow ? 20 * kMs : 0);
    });
    from = last + kUs;
  }
  for (int i = 0; i < threads; ++i)
    made.instant(i, last, "trace", "core",
                 {{"waited for", waited[static_cast<size_t>(i)]},
                  {"ran for", static_cast<uint64_t>(ran[static_cast<size_t>(i)])}});
}

TEST(Diagnosis, OtherProgramsTakeTheCores) {
  MadeTrace made(2, 2);
  busy_regions(made, [](int) { return 1; });
  expect_one(diagnosed(made), Disease::kOthers, 0.206,
             "Threads were ready for 140 ms and had no core");
}

TEST(Diagnosis, ImbalanceWhileOtherProgramsTakeTheCores) {
  MadeTrace made(2, 2);
  busy_regions(made, [](int thread) { return thread == 0 ? 1 : 0.4; });
  const auto found = diagnosed(made);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].disease, Disease::kOthers);
  EXPECT_EQ(found[1].disease, Disease::kImbalance);
  EXPECT_NEAR(found[1].alone, 0.32, 0.02);  // 120 of 400 ms, less what the first thread polls
  EXPECT_THAT(in_words(found[1]), HasSubstr("33 % of what it would take without other programs"));
}

TEST(Diagnosis, ACriticalSectionWhileOtherProgramsTakeTheCores) {
  MadeTrace locked(2, 2);
  locked.region(0, 300 * kMs, "solve()", [&](int thread, uint64_t) {
    const uint64_t from = (thread == 0 ? 0 : 150) * kMs;
    locked.span(thread, from, from + 150 * kMs, "lock", "critical", "solve()+8");
    return from + 150 * kMs;
  });
  for (int i = 0; i < 2; ++i)
    locked.instant(i, 300 * kMs, "trace", "core",
                   {{"waited for", 100 * kMs}, {"ran for", 50 * kMs}});
  const auto found = diagnosed(locked);
  ASSERT_THAT(found, testing::Contains(testing::Field(&Diagnosis::disease, Disease::kLock)));
  const auto lock = std::ranges::find(found, Disease::kLock, &Diagnosis::disease);
  EXPECT_THAT(lock->evidence,
              HasSubstr("in the critical section at solve()+8, by one thread at a time"));
}

TEST(Diagnosis, WhatNothingExplains) {
  MadeTrace made(2, 2);
  made.region(0, 10 * kMs, "solve()", [&](int thread, uint64_t) {
    made.span(thread, 2 * kMs, 6 * kMs, "wait", "barrier", "solve()+2");
    return 10 * kMs;
  });
  expect_one(diagnosed(made), Disease::kScheduling, 0.4,
             "In the region at solve() all threads wait at times, 8 ms of their time");
}

TEST(Diagnosis, HealthyPrograms) {
  int healthy = 0;
  const auto expect_healthy = [&](MadeTrace& made) {
    const auto found = diagnosed(made);
    EXPECT_THAT(found, IsEmpty()) << healthy << ": " << (found.empty() ? "" : found[0].evidence);
    ++healthy;
  };
  for (const int threads : {1, 2, 4, 16}) {
    MadeTrace even(threads, threads);
    regions(even, 20, 10 * kMs, 100 * kUs, [](int thread) { return 0.95 + 0.01 * (thread % 4); });
    expect_healthy(even);
    MadeTrace short_pauses(threads, threads);
    regions(short_pauses, 200, 1 * kMs, 20 * kUs, [](int) { return 0.97; });
    expect_healthy(short_pauses);
  }
  MadeTrace alone(1, 1);
  alone.instant(0, 0, "region", "cancel");
  regions(alone, 2, 1 * kMs, 100 * kMs, [](int) { return 1; });
  expect_healthy(alone);
  MadeTrace dynamic(2, 2);
  dynamic.region(0, 10 * kMs, "solve()", [&](int thread, uint64_t) {
    dynamic.begin(thread, 0, "work", "dynamic loop", "solve()+4");
    for (uint64_t at = 0; at < 10 * kMs; at += 100 * kUs)
      dynamic.span(thread, at, at + 99 * kUs, "work", "chunk");
    dynamic.end(thread, 10 * kMs);
    return 10 * kMs;
  });
  expect_healthy(dynamic);
  MadeTrace tasks(2, 2);
  tasks.region(0, 10 * kMs, "solve()", [&](int thread, uint64_t) {
    tasks.begin(thread, 0, "wait", "taskwait", "solve()");
    for (uint64_t at = 0; at < 10 * kMs; at += 20 * kUs)
      tasks.span(thread, at, at + 19 * kUs, "task", "task", "leaf()", {{"task", at}});
    tasks.end(thread, 10 * kMs);
    return 10 * kMs;
  });
  expect_healthy(tasks);
  EXPECT_GE(healthy, 10);
}

TEST(Verdict, HasThreeSentences) {
  MadeTrace made(4, 4);
  regions(made, 10, 10 * kMs, 0, [](int thread) { return thread == 3 ? 1 : 0.3; });
  const Summary summary = summary_of(made.file());
  EXPECT_THAT(verdict_of(summary, diagnose(summary)),
              ElementsAre("In 100 ms the 4 threads worked for the program in 48 % of their time "
                          "(balance 48 %, scheduling 100 %, "
                          "serialization 100 %).",
                          HasSubstr(": 52 % of all thread time."),
                          HasSubstr("schedule(runtime) for its loops")));
  EXPECT_THAT(verdict_of(summary, {}), SizeIs(2));
}

}  // namespace
}  // namespace vicino::cli
