// trace_events.hpp and trace_summary.hpp: what a trace says is found in it again, and adds up.
#include "trace_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnosis.hpp"
#include "made_trace.hpp"
#include "memory.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr uint64_t kMs = 1'000'000;

uint64_t ns_of(const Summary& summary, size_t thread, Doing doing) {
  return summary.threads[thread].ns[static_cast<size_t>(doing)];
}

const TracedConstruct& construct(const Summary& summary, std::string_view kind) {
  const auto one = std::ranges::find(summary.constructs, kind, &TracedConstruct::kind);
  EXPECT_NE(one, summary.constructs.end()) << kind;
  return *one;
}

// 10 ms of one thread; a region of 10 ms in which the second thread has half as much to do; 5 ms of one thread.
struct Uneven : MadeTrace {
  Uneven() : MadeTrace(2, 2) {
    instant(0, 0, "region", "cancel");
    region(10 * kMs, 20 * kMs, "work()",
           [](int thread, uint64_t) { return (thread == 0 ? 20 : 15) * kMs; });
    instant(0, 25 * kMs, "region", "cancel");
  }
};

TEST(TraceEvents, ComeBackWithTheirArguments) {
  MadeTrace made(1);
  made.on(0).argument("at", "f()");
  made.on(0).argument("iterations", uint64_t{7});
  made.on(0).begin(made.packets(), 2000, "work", "loop f()");
  made.on(0).end(made.packets(), 2500);
  std::vector<std::string> seen;
  const TraceFile file = read_trace(made.file(), [&](const TraceEvent& event) {
    seen.push_back(fmt::format("{} {} {} {} {} {}", static_cast<int>(event.type), event.ns,
                               event.category, event.name, event.text("at"),
                               event.number("iterations")));
  });
  EXPECT_THAT(seen, ElementsAre("0 2000 work loop f() f() 7", "1 2500    0"));
  EXPECT_EQ(file.program, "made");
  EXPECT_FALSE(file.is_cut_off);
  EXPECT_EQ(file.tracks.back().name, "thread 1 (1), CPU 0");
}

TEST(TraceEvents, OfAFileThatIsCutOff) {
  Uneven made;
  const std::string whole = made.packets().bytes(), name = made.file();
  int events = 0;
  read_trace(name, [&](const TraceEvent&) { ++events; });
  EXPECT_GT(events, 5);
  int most = 0;
  for (size_t length = whole.size() - 1; length > 200; length -= 3) {
    std::ofstream(name, std::ios::binary | std::ios::trunc) << whole.substr(0, length);
    int count = 0;
    read_trace(name, [&](const TraceEvent&) { ++count; });
    most = std::max(most, count);
  }
  EXPECT_EQ(most, events - 1);
  std::ofstream(name, std::ios::binary | std::ios::trunc) << whole.substr(0, whole.size() - 1);
  EXPECT_TRUE(read_trace(name, [](const TraceEvent&) {}).is_cut_off);
}

TEST(TraceEvents, OfWhatIsNoTrace) {
  const auto read = [](const std::string& name) { read_trace(name, [](const TraceEvent&) {}); };
  EXPECT_THAT([&] { read("/nowhere"); },
              ThrowsMessage<Failure>("'/nowhere' cannot be read: No such file or directory"));
  EXPECT_THAT([&] { read("/dev/null"); },
              ThrowsMessage<Failure>("'/dev/null' is not a plain file"));
  for (const char* name : {"/proc/self/exe", "/etc/passwd"})
    EXPECT_THAT([&] { read(name); }, ThrowsMessage<Failure>(HasSubstr("' is not a trace"))) << name;
}

TEST(TraceSummary, TimesOfThreads) {
  Uneven made;
  const Summary summary = summary_of(made.file());
  EXPECT_EQ(summary.end - summary.begin, 25 * kMs);
  EXPECT_EQ(summary.team, 2);
  EXPECT_EQ(summary.cpus, 2);
  ASSERT_EQ(summary.threads.size(), 2u);
  EXPECT_EQ(ns_of(summary, 0, Doing::kSerial), 15 * kMs);
  EXPECT_EQ(ns_of(summary, 0, Doing::kUseful), 10 * kMs);
  EXPECT_EQ(ns_of(summary, 1, Doing::kUseful), 5 * kMs);
  EXPECT_EQ(ns_of(summary, 1, Doing::kNothing), 10 * kMs);
  EXPECT_EQ(summary.threads[1].node, "node 0");
  EXPECT_EQ(summary.threads[1].package, "package 0");
}

TEST(TraceSummary, Efficiencies) {
  Uneven made;
  const Summary summary = summary_of(made.file());
  // Useful 15 ms alone, and 15 in the region; there 5 are lost to imbalance; 15 of the other thread while one works alone.
  const Efficiency efficiency = summary.lost.efficiency();
  EXPECT_DOUBLE_EQ(efficiency.load_balance, 30.0 / 35);
  EXPECT_DOUBLE_EQ(efficiency.scheduling, 1);
  EXPECT_DOUBLE_EQ(efficiency.serialization, 35.0 / 50);
  EXPECT_DOUBLE_EQ(efficiency.parallel, 30.0 / 50);
  const TracedConstruct& region = construct(summary, "region");
  EXPECT_DOUBLE_EQ(region.lost.efficiency().load_balance, 15.0 / 20);
  EXPECT_EQ(region.serial_before, 10 * kMs);
  EXPECT_THAT(region.by_thread, ElementsAre(10 * kMs, 5 * kMs));
  EXPECT_EQ(region.executions, 1u);
}

// What all threads lose is scheduling.
TEST(TraceSummary, BarriersLocksAndSleep) {
  MadeTrace made(2);
  made.region(0, 10 * kMs, "work()", [&](int thread, uint64_t from) {
    made.begin(thread, from + 2 * kMs, "wait", "barrier", "work()+1");
    made.span(thread, from + 3 * kMs, from + 4 * kMs, "wait", "asleep");
    made.end(thread, from + 5 * kMs);
    if (thread == 1) {
      made.begin(thread, from + 6 * kMs, "lock", "waits for critical", "work()+2");
      made.span(thread, from + 7 * kMs, from + 8 * kMs, "wait", "asleep");
      made.end(thread, from + 8 * kMs);
      made.span(thread, from + 8 * kMs, from + 9 * kMs, "lock", "critical", "work()+2");
    }
    return from + 10 * kMs;
  });
  const Summary summary = summary_of(made.file());
  EXPECT_EQ(ns_of(summary, 1, Doing::kPolling), 2 * kMs);
  EXPECT_EQ(ns_of(summary, 1, Doing::kAsleep), 1 * kMs);
  EXPECT_EQ(ns_of(summary, 1, Doing::kLock), 2 * kMs);
  EXPECT_EQ(ns_of(summary, 1, Doing::kUseful), 5 * kMs);
  EXPECT_EQ(construct(summary, "waits for critical").lock_ns, 2 * kMs);
  EXPECT_EQ(summary.lost.scheduling, 6 * kMs);
  EXPECT_EQ(summary.lost.imbalance, 2 * kMs);
}

TEST(TraceSummary, ChunksAndTasks) {
  MadeTrace made(2);
  made.region(0, 10 * kMs, "work()", [&](int thread, uint64_t from) {
    made.begin(thread, from, "work", "dynamic loop", "loop()", {{"iterations", 80}});
    for (uint64_t i = 0; i < 4; ++i)  // half of the time is between chunks
      made.span(thread, from + 2 * i * kMs, from + (2 * i + 1) * kMs, "work", "chunk", "",
                {{"first", i}, {"iterations", 10}});
    made.end(thread, from + 8 * kMs);
    return from + 8 * kMs;
  });
  made.begin(1, 9 * kMs, "task", "task", "leaf()", {{"task", 5}});
  made.end(1, 9 * kMs + 1000);
  made.instant(1, 9 * kMs + 2000, "vicino", "steal", {{"from thread", 0}});
  const Summary summary = summary_of(made.file());
  EXPECT_EQ(ns_of(summary, 1, Doing::kScheduling), 4 * kMs);
  EXPECT_EQ(ns_of(summary, 1, Doing::kUseful), 4 * kMs + 1000);
  const TracedConstruct& loop = construct(summary, "dynamic loop");
  EXPECT_EQ(loop.executions, 2u);
  EXPECT_EQ(loop.pieces.count, 8u);
  EXPECT_EQ(loop.pieces.mean(), 1.0 * kMs);
  EXPECT_NEAR(loop.pieces.quantile(0.5), 1.0 * kMs, 0.1 * kMs);
  EXPECT_THAT(loop.by_thread, ElementsAre(4 * kMs, 4 * kMs));
  const TracedConstruct& task = construct(summary, "task");
  EXPECT_EQ(task.place, "leaf()");
  EXPECT_EQ(task.lengths.sum, 1000u);
  EXPECT_EQ(summary.threads[1].tasks, 1u);
  EXPECT_EQ(summary.threads[1].chunks, 4u);
  EXPECT_EQ(summary.steals.size(), 1u);
}

// The time between chunks that are left is not known to be lost.
TEST(TraceSummary, WhereEventsWereDropped) {
  MadeTrace made(1);
  made.region(0, 10 * kMs, "work()", [&](int thread, uint64_t from) {
    made.begin(thread, from, "work", "dynamic loop", "loop()");
    made.span(thread, from, from + kMs, "work", "chunk");
    made.end(thread, from + 9 * kMs);
    return from + 9 * kMs;
  });
  made.instant(0, 11 * kMs, "trace", "events were dropped", {{"events", 100}});
  const Summary summary = summary_of(made.file());
  EXPECT_EQ(summary.dropped, 100u);
  EXPECT_EQ(ns_of(summary, 0, Doing::kUseful), 9 * kMs);
  EXPECT_EQ(ns_of(summary, 0, Doing::kScheduling), 0u);
  EXPECT_EQ(summary.end - summary.begin,
            10 * kMs);  // what the writer adds later is not the program's
}

TEST(TraceSummary, AFileThatIsFull) {
  Uneven made;
  EXPECT_FALSE(summary_of(made.file()).is_full);
  Uneven full;
  full.instant(0, 26 * kMs, "trace", "the file is full");
  EXPECT_TRUE(summary_of(full.file()).is_full);
}

// A member of a crew works in its tasks, and takes them between.
TEST(TraceSummary, ACrew) {
  MadeTrace made(2, 2);
  made.region(0, 10 * kMs, "work()", [&](int thread, uint64_t) {
    made.begin(thread, 0, "work", "crew", "loop()");
    for (uint64_t ms = 0; ms < 10; ms += 2)
      made.span(thread, ms * kMs, (ms + 1) * kMs, "task", "task", "loop()", {{"task", ms}});
    made.end(thread, 10 * kMs);
    return 10 * kMs;
  });
  const Summary summary = summary_of(made.file());
  for (const size_t thread : {0, 1}) {
    EXPECT_EQ(ns_of(summary, thread, Doing::kUseful), 5 * kMs);
    EXPECT_EQ(ns_of(summary, thread, Doing::kScheduling), 5 * kMs);
  }
  EXPECT_EQ(construct(summary, "crew").executions, 2u);
}

TEST(TraceSummary, TimelineAddsUp) {
  for (const uint64_t ms : {uint64_t{1}, uint64_t{25}, uint64_t{60'000}}) {
    MadeTrace made(2);
    made.region(0, ms * kMs, "work()",
                [&](int thread, uint64_t) { return ms * kMs / (thread == 0 ? 1 : 2); });
    const Summary summary = summary_of(made.file());
    ASSERT_EQ(summary.timeline.size(), 2u);
    EXPECT_LE(summary.timeline[0].parts.size(), 2 * kTimelineParts);
    for (size_t thread = 0; thread < 2; ++thread) {
      Doings sums{};
      for (const Doings& part : summary.timeline[thread].parts)
        for (size_t i = 0; i < kDoings; ++i) sums[i] += part[i];
      EXPECT_EQ(sums, summary.threads[thread].ns) << ms;
    }
  }
}

// Thread 0 has two regions; the second one has a team of one.
TEST(TraceSummary, ThreadsThatASmallerTeamDoesWithout) {
  MadeTrace made(2);
  made.region(0, 10 * kMs, "both()", [](int, uint64_t from) { return from + 10 * kMs; });
  made.begin(0, 10 * kMs, "region", "region", "one()", {{"asked", 1}});
  made.span(0, 10 * kMs, 20 * kMs, "region", "part", "one()", {{"team", 1}, {"number", 0}});
  made.end(0, 20 * kMs);
  const Summary summary = summary_of(made.file());
  EXPECT_EQ(summary.lost.useful, 30 * kMs);
  EXPECT_EQ(summary.lost.serial, 10 * kMs);
  EXPECT_DOUBLE_EQ(summary.lost.efficiency().serialization, 3.0 / 4);
}

// Members wait in it for each other.
TEST(TraceSummary, AReductionIsNoWork) {
  MadeTrace made(2);
  made.region(0, 10 * kMs, "work()", [&](int thread, uint64_t from) {
    if (thread == 0) made.span(0, from + 2 * kMs, from + 10 * kMs, "work", "reduction", "work()+1");
    return from + 10 * kMs;
  });
  const Summary summary = summary_of(made.file());
  EXPECT_EQ(ns_of(summary, 0, Doing::kUseful), 2 * kMs);
  EXPECT_EQ(summary.lost.imbalance, 8 * kMs);
}

TEST(TraceSummary, SpansWithoutAnEnd) {
  MadeTrace made(2);
  made.begin(0, 0, "region", "region", "work()");
  made.begin(0, 0, "region", "part", "work()", {{"team", 2}});
  made.span(1, kMs, 2 * kMs, "region", "part", "work()", {{"team", 2}});
  const Summary summary = summary_of(made.file());
  EXPECT_EQ(construct(summary, "region").lengths.sum, 2 * kMs);
  EXPECT_EQ(summary.lost.useful, 3 * kMs);
}

TEST(Lengths, Quantiles) {
  Lengths spread;
  EXPECT_EQ(spread.mean(), 0);
  EXPECT_EQ(spread.quantile(0.5), 0);
  for (uint64_t i = 1; i <= 1000; ++i) spread.add(i * 100);
  EXPECT_NEAR(spread.quantile(0.5), 50'000, 10'000);
  EXPECT_EQ(spread.quantile(1), 100'000);
  EXPECT_EQ(spread.quantile(0), 100);
  EXPECT_EQ(spread.mean(), 50'050);
}

TEST(Memory, IsThatOfTheMomentWithTheMost) {
  MadeTrace trace(1);
  trace.begin(0, 0, "region", "region", "main+0x10");
  EXPECT_EQ(memory_in_words(summary_of(trace.file())), "");
  trace.instant(0, 2'000'000, "trace", "memory", {{"node 2", 5 << 20}});
  trace.instant(0, 3'000'000, "trace", "memory",
                {{"node 0", 60 << 20}, {"node 10", 36 << 20}, {"node 2", 3 << 20}, {"node 3", 99}});
  trace.instant(0, 4'000'000, "trace", "memory", {{"node 0", 1 << 20}});
  trace.end(0, 10'000'000);
  EXPECT_EQ(memory_in_words(summary_of(trace.file())),
            "99 MiB of memory at the most, after 3 ms: 61 % on node 0, 3 % on node 2, 36 % on node "
            "10; threads on node 0");
  trace.instant(0, 20'000'000, "trace", "memory", {{"node 0", 200 << 20}});
  EXPECT_EQ(memory_in_words(summary_of(trace.file())),
            "200 MiB of memory at the most, at the end: 100 % on node 0; threads on node 0");
}

TEST(TraceSummary, OfAProgramThatEndedAtOnceCoversNoTime) {
  MadeTrace made(1, 2);
  made.on(0).argument("ms before", uint64_t{3});
  made.on(0).instant(made.packets(), MadeTrace::kStart, "trace", "machine");
  const Summary summary = summary_of(made.file());
  EXPECT_EQ(summary.end, summary.begin);
  EXPECT_EQ(summary.events, 0);
}

TEST(TraceSummary, OfADamagedTraceWhoseTimeGoesBack) {
  MadeTrace made(2, 2);
  made.region(10 * kMs, 20 * kMs, "work()", [](int, uint64_t) { return 15 * kMs; });
  made.begin(0, 30 * kMs, "work", "loop", "work()");
  made.end(0, 5 * kMs);
  made.on(1).argument("ms before", uint64_t{1} << 40);
  made.on(1).instant(made.packets(), MadeTrace::kStart, "trace", "machine");
  const Summary summary = summary_of(made.file());
  EXPECT_EQ(summary.end, MadeTrace::kStart + 30 * kMs);
  EXPECT_EQ(summary.begin, 0);
  for (const TracedConstruct& one : summary.constructs) EXPECT_LE(one.lengths.sum, 30 * kMs);
}

TEST(Memory, ByNodeAsTheKernelTellsIt) {
  using trace::BytesByNode;
  EXPECT_EQ(trace::bytes_by_node(""), BytesByNode());
  const BytesByNode wanted = {{0, (3 + 7) * 4096}, {12, 2 * 4096 + (5 << 21)}};
  EXPECT_EQ(
      trace::bytes_by_node(
          "55f12f46d000 default file=/usr/bin/a\\040b anon=2 dirty=2 N0=2 kernelpagesize_kB=4\n"
          "7f2c40000000 default anon=5 dirty=5 active=0 N0=3 N12=2 kernelpagesize_kB=4\n"
          "7f2c50000000 bind:1 heap anon=7 dirty=7 N0=7 kernelpagesize_kB=4\n"
          "7f2c60000000 default huge anon=5 dirty=5 N12=5 kernelpagesize_kB=2048\n"
          "7f2c70000000 default\n"
          "7ffc10000000 default stack anon=4 dirty=4 N0=4 kernelpagesize_kB=4\n"),
      wanted);
}

}  // namespace
}  // namespace vicino::cli
