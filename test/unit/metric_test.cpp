// The tuner's counts besides time: sums over threads, the kernel's software events (which need
// no hardware), and RAPL from folders that the test makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "metric/energy.hpp"
#include "metric/meter.hpp"
#include "metric/objective.hpp"
#include "metric/perf.hpp"

namespace vicino::metric {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

TEST(MetricWords, HaveTheUnitAndThreeDigits) {
  EXPECT_EQ(in_words(Objective::kTime, 0), "0 ns");
  EXPECT_EQ(in_words(Objective::kTime, 15'340), "15.3 us");
  EXPECT_EQ(in_words(Objective::kTime, 2.5e12), "2.5e+03 s");
  EXPECT_EQ(in_words(Objective::kCycles, 12'345), "12.3 kcycles");
  EXPECT_EQ(in_words(Objective::kCycles, 0.25), "0.25 cycles");
  EXPECT_EQ(in_words(Objective::kLlcMisses, 4.2e6), "4.2 Mmisses");
  EXPECT_EQ(in_words(Objective::kNodeLoads, 7), "7 loads");
  EXPECT_EQ(in_words(Objective::kEnergy, 0.0045), "4.5 mJ");
  EXPECT_EQ(in_words(Objective::kEnergy, 0), "0 uJ");
}

// A counter that shows the values that the test gives it.
class Scripted : public Counter {
 public:
  explicit Scripted(std::vector<uint64_t> shown) : shown_(std::move(shown)) {}
  bool read(Sample& into) noexcept override {
    if (at_ == shown_.size() || shown_[at_] == kUnreadable) return false;
    into.assign(1, shown_[at_++]);
    return true;
  }
  std::optional<double> between(const Sample& from, const Sample& to) const noexcept override {
    if (to[0] < from[0]) return std::nullopt;
    return static_cast<double>(to[0] - from[0]);
  }
  static constexpr uint64_t kUnreadable = UINT64_MAX;

 private:
  std::vector<uint64_t> shown_;
  size_t at_ = 0;
};

std::optional<double> run(Meter& meter, std::vector<Scripted>& threads, size_t entering) {
  meter.start(static_cast<uint32_t>(threads.size()));
  for (uint32_t i = 0; i < entering; ++i) meter.enter(i, &threads[i]);
  for (uint32_t i = 0; i < entering; ++i) meter.leave(i, &threads[i]);
  return meter.total();
}

using Threads = std::vector<Scripted>;
constexpr uint64_t kUnreadable = Scripted::kUnreadable;

TEST(MetricMeter, AddsUpWhatEachThreadCounted) {
  Meter meter;
  EXPECT_FALSE(meter.is_on());
  Threads threads{Scripted({100, 107}), Scripted({5, 5}), Scripted({0, 30})};
  EXPECT_EQ(run(meter, threads, 3), 37);
  EXPECT_TRUE(meter.is_on());
}

TEST(MetricMeter, WhoDoesNotEnterCountsNothing) {
  Meter meter;
  Threads threads{Scripted({1, 3}), Scripted({0, 1000})};
  EXPECT_EQ(run(meter, threads, 1), 2);
}

TEST(MetricMeter, KeepsNothingOfTheExecutionBefore) {
  Meter meter;
  Threads three{Scripted({0, 1}), Scripted({0, 10}), Scripted({0, 100})};
  EXPECT_EQ(run(meter, three, 3), 111);
  Threads two{Scripted({1, 3}), Scripted({10, 14})};
  EXPECT_EQ(run(meter, two, 2), 6);
  Threads broken{Scripted({0, kUnreadable}), Scripted({0, 1})};
  EXPECT_EQ(run(meter, broken, 2), std::nullopt);
  Threads whole{Scripted({0, 1}), Scripted({0, 1})};
  EXPECT_EQ(run(meter, whole, 2), 2);
}

TEST(MetricMeter, WhatIsUnknownOfOneThreadIsUnknownOfAll) {
  for (const Threads& second : {Threads{Scripted({kUnreadable, 5})},
                                Threads{Scripted({5, kUnreadable})}, Threads{Scripted({5, 4})}}) {
    Meter meter;
    Threads threads{Scripted({0, 1}), second[0]};
    EXPECT_EQ(run(meter, threads, 2), std::nullopt);
  }
  Meter meter;
  Scripted counter({0, 1});
  meter.start(2);
  meter.enter(0, &counter);
  meter.enter(1, nullptr);
  meter.leave(0, &counter);
  meter.leave(1, nullptr);
  EXPECT_EQ(meter.total(), std::nullopt);
}

TEST(MetricMeter, WhoHasNotLeftIsUnknown) {
  Meter meter;
  Scripted counter({3, 9});
  meter.start(1);
  meter.enter(0, &counter);
  EXPECT_EQ(meter.total(), std::nullopt);
  meter.leave(0, &counter);
  EXPECT_EQ(meter.total(), 6);
}

TEST(MetricMeter, OfTheMachineIsReadTwiceWhoeverComesAndGoes) {
  Meter meter;
  Scripted machine({1000, 1500, 2000, kUnreadable});
  Scripted unused({0, 77});
  meter.start(machine);
  meter.enter(5, &unused);
  meter.leave(5, &unused);
  EXPECT_EQ(meter.total(), 500);
  meter.start(machine);
  EXPECT_EQ(meter.total(), std::nullopt);
}

const PerfEvent kTaskClock{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK};
const PerfEvent kPageFaults{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS};
const PerfEvent kNoSuchEvent{"no-such-event", PERF_TYPE_SOFTWARE, 0xFFFF};

using Clock = std::chrono::steady_clock;
void spin(std::chrono::milliseconds time) {
  for (const auto end = Clock::now() + time; Clock::now() < end;) {
  }
}

void touch(size_t pages) {
  const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto* const memory = static_cast<volatile char*>(
      mmap(nullptr, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  madvise(const_cast<char*>(memory), pages * size, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < pages; ++i) memory[i * size] = 1;
  munmap(const_cast<char*>(memory), pages * size);
}

template <class Work>
std::optional<double> counted(Counter& counter, Work work) {
  Sample before, after;
  EXPECT_TRUE(counter.read(before));
  work();
  EXPECT_TRUE(counter.read(after));
  return counter.between(before, after);
}

size_t open_files() {
  const fs::directory_iterator files("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

class MetricPerf : public testing::Test {
 protected:
  void SetUp() override {
    const auto trial = open_perf({kTaskClock});
    if (!trial) GTEST_SKIP() << trial.error();
  }
};

TEST_F(MetricPerf, CountsTheThreadThatOpenedIt) {
  auto opened = open_perf({kTaskClock});
  ASSERT_TRUE(opened) << opened.error();
  Counter& counter = **opened;
  const auto own = counted(counter, [] { spin(std::chrono::milliseconds(20)); });
  // The thread may lose its core for a while, but not for all of it.
  EXPECT_GT(own.value(), 1e6);
  const auto others =
      counted(counter, [] { std::thread([] { spin(std::chrono::milliseconds(60)); }).join(); });
  EXPECT_LT(others.value(), own.value() + 20e6);
}

TEST_F(MetricPerf, TheGroupsEventsAreScaledAndAdded) {
  PerfEvent thousands = kPageFaults;
  thousands.scale = 1000;
  auto one = open_perf({kPageFaults});
  auto both = open_perf({kPageFaults, thousands});
  ASSERT_TRUE(one && both);
  const auto faults = counted(**one, [] { touch(100); });
  EXPECT_GE(faults.value(), 100);
  const auto weighted = counted(**both, [] { touch(100); });
  EXPECT_GE(weighted.value(), 100 * 1001);
  EXPECT_EQ(std::fmod(weighted.value(), 1001), 0);  // both events saw each fault
}

TEST_F(MetricPerf, WhatWasCountedForAPartOfTheTimeIsScaledToAllOfIt) {
  auto opened = open_perf({kTaskClock, kPageFaults});
  ASSERT_TRUE(opened);
  // Events, time enabled, time running, counts.
  const Sample before{2, 1000, 500, 7, 100}, after{2, 1400, 600, 12, 105};
  EXPECT_EQ((*opened)->between(before, after), 10 * 4);
  EXPECT_EQ((*opened)->between(before, before), 0);
  const Sample never{2, 1400, 500, 7, 100};
  EXPECT_EQ((*opened)->between(before, never), std::nullopt);
}

TEST_F(MetricPerf, ARefusalNamesTheEventAndWhatTheKernelSaid) {
  const size_t files = open_files();
  const auto group = open_perf({kTaskClock, kNoSuchEvent});
  ASSERT_FALSE(group);
  EXPECT_THAT(group.error(), testing::ContainsRegex("no-such-event: [A-Za-z]"));
  EXPECT_THAT(group.error(), HasSubstr("perf_event_paranoid is "));
  EXPECT_EQ(open_files(), files);
}

TEST_F(MetricPerf, TheFirstGroupThatIsGrantedIsTaken) {
  const auto source = perf_source({{kTaskClock, kNoSuchEvent}, {kPageFaults}, {kTaskClock}});
  ASSERT_TRUE(source) << source.error();
  EXPECT_TRUE((*source)->is_of_threads());
  auto opened = (*source)->open();
  ASSERT_TRUE(opened);
  EXPECT_GE(counted(**opened, [] { touch(50); }).value(), 50);
  EXPECT_LT(counted(**opened, [] { spin(std::chrono::milliseconds(2)); }).value(), 50);
  EXPECT_FALSE(perf_source({{kNoSuchEvent}, {kTaskClock, kNoSuchEvent}}));
}

TEST_F(MetricPerf, ClosesWhatItOpened) {
  const size_t files = open_files();
  {
    const auto opened = open_perf({kTaskClock, kPageFaults});
    EXPECT_EQ(open_files(), files + 2);
  }
  EXPECT_EQ(open_files(), files);
}

// A root folder that holds only what a test puts there.
class MetricEnergy : public testing::Test {
 protected:
  MetricEnergy() {
    std::string name = (fs::temp_directory_path() / "vicino-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~MetricEnergy() override { fs::remove_all(root_); }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  void put_zone(const std::string& zone, const std::string& name, uint64_t energy,
                uint64_t range = 1'000'000'000) {
    put(kZones + zone + "/name", name);
    put(kZones + zone + "/max_energy_range_uj", std::to_string(range));
    show(zone, energy);
  }
  void show(const std::string& zone, uint64_t energy) {
    put(kZones + zone + "/energy_uj", std::to_string(energy));
  }
  std::string root() const { return root_.string(); }

  const std::string kZones = "sys/class/powercap/";
  const std::string kUnit = "sys/bus/event_source/devices/power/";
  fs::path root_;
};

TEST_F(MetricEnergy, OfAllPackagesAndTheirMemoryAndNothingTwice) {
  put_zone("intel-rapl:0", "package-0", 10);
  put_zone("intel-rapl:0:0", "core", 10);
  put_zone("intel-rapl:0:1", "dram", 10);
  put_zone("intel-rapl:1", "package-1", 10);
  put_zone("intel-rapl:2", "psys", 10);
  put_zone("intel-rapl-mmio:0", "package-0", 10);
  put("sys/class/powercap/intel-rapl/enabled", "1");
  auto opened = open_powercap(root());
  ASSERT_TRUE(opened) << opened.error();
  const auto used = counted(**opened, [&] {
    show("intel-rapl:0", 1'000'010);
    show("intel-rapl:0:0", 500'010);
    show("intel-rapl:0:1", 20'010);
    show("intel-rapl:1", 3'000'010);
    show("intel-rapl:2", 9'000'010);
    show("intel-rapl-mmio:0", 1'000'010);
  });
  EXPECT_DOUBLE_EQ(used.value(), 4.02);
}

TEST_F(MetricEnergy, BeginsAgainAtItsRange) {
  put_zone("intel-rapl:0", "package-0", 9'000'000, 10'000'000);
  put_zone("intel-rapl:1", "package-1", 1'000'000, 10'000'000);
  auto opened = open_powercap(root());
  ASSERT_TRUE(opened) << opened.error();
  const auto used = counted(**opened, [&] {
    show("intel-rapl:0", 2'000'000);
    show("intel-rapl:1", 1'500'000);
  });
  EXPECT_DOUBLE_EQ(used.value(), 3 + 0.5);
}

TEST_F(MetricEnergy, AFileThatCannotBeReadIsNamed) {
  put_zone("intel-rapl:0", "package-0", 10);
  put_zone("intel-rapl:1", "package-1", 10);
  const fs::path file = root_ / kZones / "intel-rapl:1" / "energy_uj";
  fs::remove(file);
  fs::create_symlink(file, file);
  const size_t files = open_files();
  const auto refused = open_powercap(root());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("intel-rapl:1/energy_uj: Too many levels"));
  EXPECT_EQ(open_files(), files);
  fs::remove(file);
  show("intel-rapl:1", 10);
  if (geteuid() != 0) {  // a superuser may read everything
    fs::permissions(file, fs::perms::none);
    EXPECT_THAT(open_powercap(root()).error(), HasSubstr("energy_uj: Permission denied"));
  }
}

TEST_F(MetricEnergy, NoNumberIsNoEnergy) {
  put_zone("intel-rapl:0", "package-0", 10);
  put(kZones + "intel-rapl:0/energy_uj", "plenty");
  EXPECT_FALSE(open_powercap(root()));
  show("intel-rapl:0", 10);
  put(kZones + "intel-rapl:0/max_energy_range_uj", "262143328850 and more");
  EXPECT_THAT(open_powercap(root()).error(), HasSubstr("max_energy_range_uj: no number"));
  put(kZones + "intel-rapl:0/max_energy_range_uj", "1000");
  auto opened = open_powercap(root());
  ASSERT_TRUE(opened) << opened.error();
  Sample sample;
  EXPECT_TRUE((*opened)->read(sample));
  show("intel-rapl:0", 1001);  // beyond the zone's range
  EXPECT_FALSE((*opened)->read(sample));
  put(kZones + "intel-rapl:0/energy_uj", "");
  EXPECT_FALSE((*opened)->read(sample));
}

TEST_F(MetricEnergy, WithoutEitherWayBothAreNamed) {
  const auto refused = energy_source(root());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("/sys/class/powercap/: no zone"));
  EXPECT_THAT(refused.error(), HasSubstr("devices/power: no event energy-pkg"));
}

TEST_F(MetricEnergy, SourceTakesThePowerCappingFrameworkFirst) {
  put_zone("intel-rapl:0", "package-0", 10);
  const auto source = energy_source(root());
  ASSERT_TRUE(source) << source.error();
  EXPECT_FALSE((*source)->is_of_threads());
  EXPECT_GT((*source)->shortest_ns(), 1e6);
  auto opened = (*source)->open();
  ASSERT_TRUE(opened);
  EXPECT_DOUBLE_EQ(counted(**opened, [&] { show("intel-rapl:0", 30); }).value(), 20e-6);
}

// A clock of each CPU replaces the energy of its package.
class MetricPowerEvents : public MetricEnergy {
 protected:
  void SetUp() override {
    const PerfEvent clock{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK};
    const auto trial = open_perf({clock}, {.process = -1, .cpu = 0});
    if (!trial) GTEST_SKIP() << trial.error();
    put(kUnit + "type", "1");
    put(kUnit + "cpumask", "0");
    put(kUnit + "events/energy-pkg", "event=0x0");
    put(kUnit + "events/energy-pkg.scale", "1.0e-9");
  }
};

TEST_F(MetricPowerEvents, CountAsTheirFilesSay) {
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  auto package = open_power_events(root());
  ASSERT_TRUE(package) << package.error();
  const double once = counted(**package, pause).value();
  EXPECT_GT(once, 0.049);
  EXPECT_LT(once, 30);  // allows for a machine that stalls for a while
  put(kUnit + "events/energy-ram", "event=0x0");
  put(kUnit + "events/energy-ram.scale", "9.0e-9");
  auto both = open_power_events(root());
  ASSERT_TRUE(both) << both.error();
  const double with_memory = counted(**both, pause).value();
  EXPECT_GT(with_memory, 10 * 0.049);
  EXPECT_LT(with_memory, 10 * 30);
  EXPECT_TRUE(energy_source(root())) << "where there are no zones";
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
  put(kUnit + "cpumask", "0-1");
  auto two = open_power_events(root());
  ASSERT_TRUE(two) << two.error();
  EXPECT_GT(counted(**two, pause).value(), 2 * 10 * 0.049);
}

TEST_F(MetricPowerEvents, FilesThatAreNotWhatTheyShouldBeAreRefused) {
  const auto refused_with = [&](const char* file, const char* text, const char* good) {
    put(kUnit + file, text);
    const bool refused = !open_power_events(root());
    put(kUnit + file, good);
    return refused && open_power_events(root()).ok();
  };
  EXPECT_TRUE(refused_with("type", "one", "1"));
  EXPECT_TRUE(refused_with("cpumask", "", "0"));
  EXPECT_TRUE(refused_with("cpumask", "first", "0"));
  EXPECT_TRUE(refused_with("events/energy-pkg", "event=0x0,umask=0x1", "event=0x0"));
  EXPECT_TRUE(refused_with("events/energy-pkg", "config=2", "event=0x0"));
  EXPECT_TRUE(refused_with("events/energy-pkg.scale", "", "1e-9"));
}

}  // namespace
}  // namespace vicino::metric
