// How each type of value is written: what is accepted, and that everything else is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/affinity.hpp"
#include "config/kmp_affinity.hpp"
#include "config/numbers.hpp"
#include "config/schedule.hpp"
#include "config/schedules.hpp"
#include "config/selection.hpp"
#include "config/threads_reserve.hpp"
#include "config/units.hpp"
#include "config/words.hpp"
#include "loop/registry.hpp"

namespace vicino::config {
namespace {

using std::optional;
using testing::ElementsAre;
using testing::Optional;
using topo::Bind;

template <class Codec>
void expect_refused(std::initializer_list<const char*> texts) {
  for (const char* text : texts) EXPECT_EQ(Codec::parse(text), std::nullopt) << '"' << text << '"';
}

TEST(ConfigValues, FlagInEverySpelling) {
  for (const char* text : {"true", " TRUE ", "1", "yes", "On", ".true.", "t"})
    EXPECT_EQ(Flag::parse(text), optional(true)) << text;
  for (const char* text : {"false", "False\t", "0", "no", "OFF", ".FALSE.", "f"})
    EXPECT_EQ(Flag::parse(text), optional(false)) << text;
  expect_refused<Flag>({"", " ", "2", "truee", "tru e", "-1", "enabled"});
}

TEST(ConfigValues, IntegersStayInTheirRange) {
  EXPECT_EQ(Natural::parse(" 0 "), optional(0));
  EXPECT_EQ(Positive::parse("2147483647"), optional(INT_MAX));
  expect_refused<Positive>({"", " ", "0", "-1", "+1", "1.5", "1 2", "0x10", "2147483648", "x", "4x",
                            "99999999999999999999999", "18446744073709551615"});
  expect_refused<Natural>({"", "-0", "2147483648"});
}

TEST(ConfigValues, ALimitBeyondAnIntIsNoLimit) {
  EXPECT_EQ(Limit<1>::parse("4294967295"), optional(INT_MAX));
  EXPECT_EQ(Limit<0>::parse("99999999999999999999999"), optional(INT_MAX));
  expect_refused<Limit<1>>({"0", "-1", "", "99999999999999999999999x"});
}

TEST(ConfigValues, ListsOfThreads) {
  EXPECT_THAT(PositiveList::parse(" 4 , 3,2 "), Optional(ElementsAre(4, 3, 2)));
  expect_refused<PositiveList>({"", ",", "4,", ",4", "4,,2", "4;2", "4,0", "4,-2", "4 2", "x4"});
}

TEST(ConfigValues, BytesInEachFamilysUnit) {
  EXPECT_EQ(Bytes<1024>::parse("4096"), optional(4096ul << 10));
  EXPECT_EQ(Bytes<1>::parse("5000000"), optional(5000000ul));
  EXPECT_EQ(Bytes<1>::parse(" 16 m "), optional(16ul << 20));
  EXPECT_EQ(Bytes<1024>::parse("1B"), optional(1ul));
  EXPECT_EQ(Bytes<1024>::parse("2T"), optional(2ul << 40));
  expect_refused<Bytes<1024>>({"", "0", "0M", "M", "-1M", "1.5G", "12X", "1 M B", "16KB",
                               "16777216T", "18446744073709551615", "99999999999999999999B"});
}

TEST(ConfigValues, BlockTimeInMillisecondsOrAsSaid) {
  const auto ns = [](std::uint64_t value) { return optional(OptionalTime(value)); };
  EXPECT_EQ(BlockTime::parse("200"), ns(200'000'000));
  EXPECT_EQ(BlockTime::parse("5us"), ns(5'000));
  EXPECT_EQ(BlockTime::parse("3 S"), ns(3'000'000'000));
  EXPECT_EQ(BlockTime::parse("0"), ns(0));
  EXPECT_EQ(BlockTime::parse(" Infinite "), ns(kForever));
  EXPECT_EQ(BlockTime::parse("99999999999999999999d"), ns(kForever));
  expect_refused<BlockTime>({"", "-1", "1.5ms", "ms", "1 min", "inf"});
}

TEST(ConfigValues, SpinsAreTenNanosecondsEach) {
  const auto ns = [](std::uint64_t value) { return optional(OptionalTime(value)); };
  EXPECT_EQ(SpinCount::parse("300000"), ns(3'000'000));
  EXPECT_EQ(SpinCount::parse("300k"), ns(3'000'000));
  EXPECT_EQ(SpinCount::parse("30G"), ns(300'000'000'000));
  EXPECT_EQ(SpinCount::parse("INFINITY"), ns(kForever));
  expect_refused<SpinCount>({"", "-1", "3ms", "k"});
}

TEST(ConfigValues, Schedules) {
  const auto parsed = [](const char* text) { return ScheduleText::parse(text); };
  const auto none = Monotonicity::kUnspecified;
  EXPECT_EQ(parsed("static"), optional(Schedule{ScheduleKind::kStatic, none, 0}));
  EXPECT_EQ(parsed(" Dynamic , 4 "), optional(Schedule{ScheduleKind::kDynamic, none, 4}));
  EXPECT_EQ(parsed("trapezoid,7"), optional(Schedule{ScheduleKind::kTrapezoid, none, 7}));
  EXPECT_EQ(parsed("auto,4"), optional(Schedule{ScheduleKind::kAuto, none, 0}));
  EXPECT_EQ(parsed("monotonic : dynamic , 4"),
            optional(Schedule{ScheduleKind::kDynamic, Monotonicity::kMonotonic, 4}));
  EXPECT_EQ(parsed("NONMONOTONIC:guided"),
            optional(Schedule{ScheduleKind::kGuided, Monotonicity::kNonmonotonic, 0}));
  EXPECT_EQ(parsed("dynamic,9223372036854775807")->chunk, INT64_MAX);
  expect_refused<ScheduleText>({"", ",4", "foo", "dynamic,", "dynamic,0", "static,-1", "dynamic,x",
                                "dynamic,4,4", "dynamic 4", ":dynamic", "monotonic:", "fast:static",
                                "dynamic,9223372036854775808", "monotonic:nonmonotonic:static"});
}

TEST(ConfigValues, EverySchedulerOfTheRegistry) {
  for (const loop::Row& row : loop::registry()) {
    EXPECT_EQ(SchedulerText::parse(row.name), optional(loop::by_default(row)));
    EXPECT_NE(SchedulerText::kAccepted.find(row.name), std::string_view::npos) << row.name;
    const auto named = ScheduleText::parse(row.name);
    ASSERT_TRUE(named) << row.name;
    if (named->kind == ScheduleKind::kNamed) {
      EXPECT_EQ(*named->named, loop::by_default(row));
      EXPECT_EQ(ScheduleText::format(*named), row.name);
    }
  }
}

TEST(ConfigValues, ParametersOfSchedules) {
  const auto shown = [](const char* text) {
    const auto selection = SchedulerText::parse(text);
    return selection ? SchedulerText::format(*selection) : SchedulerText::explain(text);
  };
  EXPECT_EQ(shown(" Nich , GROUP = 4 ,epsilon=0.25"), "nich,epsilon=0.25,group=4");
  EXPECT_EQ(shown("ich,epsilon=0.33"), "ich");
  EXPECT_EQ(shown("steal,7"), "steal,7");
  EXPECT_EQ(shown("steal,chunk=7"), "steal,7");
  EXPECT_EQ(shown("mixed,f=SWEEP"), "mixed,f=sweep");
  EXPECT_EQ(shown("mixed,fraction=slack"), "mixed,f=slack");
  EXPECT_EQ(shown("mixed,f=model"), "mixed");
  EXPECT_EQ(shown("mixed,f=1e-1"), "mixed,f=0.1");
  EXPECT_EQ(shown("ich,epsilon=2"), "epsilon='2' is not a number from 0 to 1");
  EXPECT_EQ(shown("mixed,f=x"),
            "f='x' is not a number from 0 to 1, or model, or previous, or sweep, or slack");
  EXPECT_EQ(shown("nich,group=1.5"), "group='1.5' is not a whole number from 0 to 1024");
  EXPECT_EQ(shown("ich,eps=1"),
            "ich has no parameter 'eps'; it has chunk, epsilon, grain, first, d_min");
  EXPECT_EQ(shown("steal,0"), "a chunk of '0' is not a positive integer below 2^63");
  EXPECT_EQ(shown("nich,group=4,GROUP=5"), "group is given twice");
  EXPECT_EQ(shown("mixed,4,chunk=5"), "the chunk is given twice");
  EXPECT_EQ(shown("steal,4,4"), "the chunk is given twice");
  EXPECT_EQ(shown("inch").substr(0, 39), "no schedule 'inch'; there are ich, nich");
  EXPECT_EQ(shown("ich,PAPER"), "ich,paper");
  EXPECT_EQ(shown("ich,paper,epsilon=0.2"), "ich,paper,epsilon=0.2");
  EXPECT_EQ(shown("ich,8,paper,d_min=0"), "ich,paper,8,d_min=0");
  EXPECT_EQ(shown("ich,first=threads"), "ich,first=threads");
  EXPECT_EQ(shown("ich,grain=0,first=threads,d_min=1"), "ich,paper");
  EXPECT_EQ(shown("ich,papr"),
            "ich has no preset 'papr'; it has paper. A chunk is a positive integer");
  EXPECT_EQ(shown("steal,paper"), "a chunk of 'paper' is not a positive integer below 2^63");
  EXPECT_EQ(shown("ich,paper,paper"), "a preset is given twice");
  EXPECT_EQ(shown("ich,epsilon=0.2,paper"),
            "paper sets all parameters, and must stand before those that change it");
  expect_refused<SchedulerText>({"", "nobody", ",x=1", "guided,", "guided,x",
                                 "ich,epsilon=", "ich,=1", "i ch", "ich,epsilon=nan",
                                 "ich,epsilon=-1", "mixed,f=0x1", "mixed,f=0.5x"});
}

// The parameters of the papers (docs/design/ich.md, nich.md).
TEST(ConfigValues, PresetsOfSchedules) {
  const auto values = [](const char* text) {
    const auto selection = SchedulerText::parse(text);
    EXPECT_TRUE(selection) << text;
    return selection ? selection->values : loop::Values{};
  };
  constexpr double kThreads = loop::Parameter::word(0);
  EXPECT_EQ(values("ich,paper"), (loop::Values{0.33, 0, kThreads, 1}));
  EXPECT_EQ(values("ich,paper,epsilon=0.2,grain=5"), (loop::Values{0.2, 5, kThreads, 1}));
  EXPECT_EQ(values("nich,paper"), (loop::Values{0.33, 4, 4, 0, kThreads, 1}));
}

// Each preset is a value that a user could write: the registry's own check of its table.
TEST(ConfigValues, PresetsAreWrittenByParameters) {
  int presets = 0;
  for (const loop::Row& row : loop::registry())
    for (const loop::Preset& preset : row.presets) {
      ++presets;
      const std::string name = std::string(row.name) + "," + std::string(preset.name);
      const auto selection = SchedulerText::parse(name);
      ASSERT_TRUE(selection) << name;
      EXPECT_EQ(selection->values, preset.values);
      EXPECT_EQ(SchedulerText::format(*selection), name);
      EXPECT_EQ(SchedulerText::parse(std::string(row.name) + "," + settings_of(row, preset)),
                selection);
      EXPECT_NE(schedules_help().find("    " + std::string(preset.name) + ": "), std::string::npos);
    }
  EXPECT_GE(presets, 2);
}

TEST(ConfigValues, BindingPerLevel) {
  EXPECT_THAT(BindList::parse("true"), Optional(ElementsAre(Bind::kTrue)));
  EXPECT_THAT(BindList::parse("FALSE"), Optional(ElementsAre(Bind::kFalse)));
  EXPECT_THAT(BindList::parse("spread, Close ,master,primary"),
              Optional(ElementsAre(Bind::kSpread, Bind::kClose, Bind::kPrimary, Bind::kPrimary)));
  expect_refused<BindList>({"", "close,", "true,close", "close,false", "near"});
}

TEST(ConfigValues, GompAffinityBecomesPlaces) {
  EXPECT_EQ(CpuAffinity::parse("0 3 1-2 4-15:2"), "{0},{3},{1}:2:1,{4}:6:2");
  EXPECT_EQ(CpuAffinity::parse("5,1"), "{5},{1}");
  EXPECT_EQ(CpuAffinity::parse("0-2147483647"), "{0}:2147483648:1");
  expect_refused<CpuAffinity>(
      {"", " ", ",", "x", "-1", "3-1", "1-", "1-4:0", "1:2", "1-4:", "1--4"});
}

TEST(ConfigValues, KmpAffinity) {
  const auto places = [](const char* text) { return read_kmp_affinity(text)->places; };
  const auto bind = [](const char* text) { return read_kmp_affinity(text)->bind; };
  EXPECT_EQ(places("compact"), "cores");
  EXPECT_EQ(bind("compact"), Bind::kClose);
  EXPECT_EQ(places("granularity=fine,Scatter"), "threads");
  EXPECT_EQ(bind("verbose,granularity=fine,scatter"), Bind::kSpread);
  EXPECT_EQ(places("granularity=socket,balanced"), "sockets");
  EXPECT_EQ(bind("none"), Bind::kFalse);
  EXPECT_EQ(places("disabled"), "");
  EXPECT_EQ(places("explicit,proclist=[3,0,{1,2},4-8:2]"), "{3},{0},{1,2},{4}:3:2");
  EXPECT_EQ(bind("proclist=[1],explicit"), Bind::kClose);
  EXPECT_EQ(KmpAffinityBind::remark("compact,1,0"), "permute and offset are not taken");
  EXPECT_EQ(KmpAffinityBind::remark("compact"), "");
  expect_refused<KmpAffinityBind>(
      {"", "near", "granularity=page,compact", "explicit", "compact,proclist=[1]",
       "explicit,proclist=1", "explicit,proclist=[a]", "explicit,proclist=[{1,b}]",
       "norespect,compact", "compact,scatter", "verbose,near", "1,compact"});
  EXPECT_EQ(KmpAffinityBind::explain("explicit"), "explicit needs proclist=[...]");
  EXPECT_EQ(KmpAffinityPlaces::parse("near"), "");
  const auto resets = [](const char* text) { return read_kmp_affinity(text)->resets; };
  EXPECT_FALSE(resets("compact"));
  EXPECT_TRUE(resets("reset,granularity=thread,compact"));
  EXPECT_TRUE(resets("none,Reset"));
  EXPECT_FALSE(resets("reset,noreset,compact"));
  EXPECT_EQ(KmpAffinityReset::parse("near"), false);
}

// Words that are no type change only what they name, and leave the rest as it is without the
// variable.
TEST(ConfigValues, KmpAffinityWithoutAType) {
  for (const char* text : {"verbose", "reset", "noreset,respect", "granularity=core"}) {
    EXPECT_EQ(KmpAffinityBind::parse(text), std::vector<Bind>{}) << text;
    EXPECT_EQ(KmpAffinityPlaces::parse(text), "") << text;
  }
  EXPECT_EQ(KmpAffinityReset::parse("reset"), true);
  EXPECT_EQ(KmpAffinityReset::parse("verbose"), false);
  EXPECT_EQ(KmpAffinityBind::parse("proclist=[0,2]"), std::vector{Bind::kClose});
  EXPECT_EQ(KmpAffinityPlaces::parse("proclist=[0,2]"), "{0},{2}");
}

TEST(ConfigValues, Words) {
  EXPECT_EQ(Choice<WaitPolicyWords>::parse(" Active"), WaitPolicy::kActive);
  EXPECT_EQ(Choice<LibraryWords>::parse("throughput"), WaitPolicy::kUnset);
  EXPECT_EQ(DisplayEnvWord::parse("VERBOSE"), DisplayEnv::kVerbose);
  EXPECT_EQ(Choice<OffloadWords>::parse("mandatory"), TargetOffload::kMandatory);
  EXPECT_EQ(Choice<ReductionWords>::parse("tree"), ForceReduction::kTree);
  expect_refused<Choice<LibraryWords>>({"", "serial"});
  expect_refused<DisplayEnvWord>({"", "very"});
}

TEST(ConfigValues, ReservedThreads) {
  const auto of = [](int structured, int free_agents) {
    return optional(ThreadsReserve{structured, free_agents});
  };
  constexpr int kAll = ThreadsReserve::kAll;
  EXPECT_EQ(ThreadsReserveText::parse(" 4 "), of(4, 0));
  EXPECT_EQ(ThreadsReserveText::parse("Structured( 4 )"), of(4, 0));
  EXPECT_EQ(ThreadsReserveText::parse("structured"), of(kAll, 0));
  EXPECT_EQ(ThreadsReserveText::parse("free_agent"), of(1, kAll));
  EXPECT_EQ(ThreadsReserveText::parse("free_agent(3) , structured(0)"), of(0, 3));
  expect_refused<ThreadsReserveText>(
      {"", "-1", "4,", "agents(2)", "structured,free_agent(2)", "structured(2", "structured()",
       "structured(-2)", "free_agent(1),free_agent(2)", "free_agent(1),structured(2),free_agent(2)",
       "2,free_agent(1)"});
  for (const char* text : {"4", "structured", "free_agent", "structured(0),free_agent(5)"})
    EXPECT_EQ(
        ThreadsReserveText::parse(ThreadsReserveText::format(*ThreadsReserveText::parse(text))),
        ThreadsReserveText::parse(text));
  EXPECT_EQ(ThreadsReserveText::explain("agents(2)"),
            "no kind of thread is called 'agents'; there are structured and free_agent");
  EXPECT_EQ(ThreadsReserveText::explain("free_agent(1),free_agent(2)"),
            "free_agent is there twice");
}

// Algorithm 4.1 of OpenMP 6.0.
TEST(ConfigValues, LimitsFromReservedThreads) {
  const auto limits = [](const char* text, int thread_limit) {
    return ThreadsReserveText::parse(text)->limits(thread_limit);
  };
  EXPECT_EQ(ThreadsReserve().limits(8), (ThreadLimits{8, 7}));
  EXPECT_EQ(limits("structured(2),free_agent(2)", 8), (ThreadLimits{6, 6}));
  EXPECT_EQ(limits("3", 8), (ThreadLimits{8, 5}));
  EXPECT_EQ(limits("structured(0),free_agent(8)", 8), (ThreadLimits{1, 7}));
  EXPECT_EQ(limits("structured", 8), (ThreadLimits{8, 0}));
  EXPECT_EQ(limits("free_agent", 8), (ThreadLimits{1, 7}));
  EXPECT_EQ(limits("structured(3),free_agent(3)", 4), (ThreadLimits{3, 1}));
  EXPECT_EQ(limits("structured(9)", 4), (ThreadLimits{4, 0}));
  EXPECT_EQ(limits("free_agent(2)", 1), (ThreadLimits{1, 0}));
}

TEST(ConfigValues, Allocators) {
  EXPECT_EQ(AllocatorText::parse("omp_high_bw_mem_alloc")->predefined, 4u);
  EXPECT_EQ(AllocatorText::parse(" OMP_DEFAULT_MEM_ALLOC ")->predefined, 1u);
  EXPECT_EQ(AllocatorText::parse("omp_low_lat_mem_space:pinned=false")->own->space,
            memory::Space::kLowLatency);
  EXPECT_EQ(AllocatorText::parse("omp_low_lat_mem_space")->predefined, memory::Handle{5});
  const memory::Traits every{.sync_hint = memory::SyncHint::kSerialized,
                             .access = memory::Access::kPteam,
                             .fallback = memory::Fallback::kAllocator,
                             .partition = memory::Partition::kInterleaved,
                             .pinned = true,
                             .alignment = 64,
                             .pool_size = 4096,
                             .fallback_to = memory::find(3)};
  EXPECT_EQ(AllocatorText::parse("omp_default_mem_space: alignment=64, Pinned = true,access=pteam,"
                                 "sync_hint=serialized,partition=interleaved,pool_size=4096,"
                                 "fallback=allocator_fb,fb_data=omp_const_mem_alloc")
                ->own->traits,
            every);
  expect_refused<AllocatorText>(
      {"", "malloc", "omp_default_mem_alloc:pinned=true",
       "omp_default_mem_space:", "omp_default_mem_space:pinned", "omp_default_mem_space:a=1,",
       "omp_default_mem_space:alignment=24", "omp_default_mem_space:pool_size=0",
       "omp_default_mem_space:partition=near", "omp_default_mem_space:fallback=allocator_fb",
       "omp_default_mem_space:fb_data=my_allocator", "omp_default_mem_space:pinned=true,"});
  EXPECT_EQ(AllocatorText::explain("omp_default_mem_space:alignment=24"),
            "alignment is not a power of two");
  EXPECT_EQ(AllocatorText::explain("omp_default_mem_space:colour=red"),
            "'colour' is no trait; there are sync_hint, alignment, access, pool_size, fallback, "
            "fb_data, pinned, partition");
}

}  // namespace
}  // namespace vicino::config
