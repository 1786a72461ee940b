// The parts of `vicino bench` that no run on this machine shows: other machines' sizes, the loader's cache.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench_measure.hpp"
#include "bench_plan.hpp"
#include "bench_runtimes.hpp"

namespace vicino::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string bytes_of(uint32_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// A cache with these names and files; names begin behind the entries.
std::string cache_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string names, table;
  const auto first = static_cast<uint32_t>(48 + 24 * entries.size());
  const auto place = [&](const std::string& text) {
    const auto at = static_cast<uint32_t>(first + names.size());
    names += text + '\0';
    return bytes_of(at);
  };
  for (const auto& [name, file] : entries) {
    const std::string key = place(name), value = place(file);
    table += bytes_of(0x303) + key + value + std::string(12, '\0');
  }
  return "glibc-ld.so.cache1.1" + bytes_of(static_cast<uint32_t>(entries.size())) +
         bytes_of(static_cast<uint32_t>(names.size())) + std::string(20, '\0') + table + names;
}

TEST(Cache, HasTheFilesOfAName) {
  const std::string cache = cache_of({{"libgomp.so.1", "/lib64/libgomp.so.1"},
                                      {"libgomp.so", "/other/libgomp.so"},
                                      {"libgomp.so.1", "/lib/libgomp.so.1"}});
  EXPECT_THAT(files_in_cache(cache, "libgomp.so.1"),
              ElementsAre("/lib64/libgomp.so.1", "/lib/libgomp.so.1"));
  EXPECT_THAT(files_in_cache(cache, "libomp.so.5"), IsEmpty());
}

TEST(Cache, MayStandBehindAnOlderForm) {
  EXPECT_THAT(
      files_in_cache("ld.so-1.7.0" + std::string(53, 'x') + cache_of({{"a.so", "/a.so"}}), "a.so"),
      ElementsAre("/a.so"));
}

TEST(Cache, MayBeCutShortOrNoneAtAll) {
  const std::string cache = cache_of({{"a.so", "/a.so"}, {"b.so", "/b.so"}});
  for (size_t size = 0; size < cache.size(); ++size)
    EXPECT_LE(files_in_cache(std::string_view(cache).substr(0, size), "b.so").size(), 1u) << size;
  EXPECT_THAT(files_in_cache("musl has none", "a.so"), IsEmpty());
}

std::set<std::string> sections_of(const std::vector<BenchJob>& jobs) {
  std::set<std::string> sections;
  for (const BenchJob& job : jobs) sections.insert(job.section);
  return sections;
}

TEST(BenchPlan, SectionsTakeTurns) {
  const std::vector<BenchJob> jobs = bench_jobs({}, 2);
  for (size_t i = 0; i + 4 <= 32; i += 4)
    EXPECT_EQ(
        sections_of({jobs.begin() + static_cast<long>(i), jobs.begin() + static_cast<long>(i) + 4})
            .size(),
        4u);
}

TEST(BenchPlan, LabelsAreOfOneJob) {
  std::set<std::string> labels;
  const std::vector<BenchJob> jobs = bench_jobs({}, 64);
  for (const BenchJob& job : jobs) labels.insert(job.section + job.label);
  EXPECT_EQ(labels.size(), jobs.size());
}

TEST(BenchPlan, WordsNameSectionsConstructsAndPrograms) {
  const std::vector<std::string> words = {"barrier", "single", "fib", "numa"};
  const std::vector<BenchJob> jobs = bench_jobs(words, 2);
  std::set<std::string> labels;
  for (const BenchJob& job : jobs)
    if (job.section != "numa") labels.insert(job.label);
  EXPECT_EQ(labels, (std::set<std::string>{"barrier", "single", "fib 24"}));
  EXPECT_EQ(sections_of(jobs), (std::set<std::string>{"constructs", "tasks", "numa"}));
  const auto single = std::ranges::find(jobs, "single", &BenchJob::label);
  EXPECT_EQ(single->arguments.back(), "single");
  EXPECT_TRUE(names_bench_job("barrier") && names_bench_job("loops") && names_bench_job("spmv"));
  EXPECT_FALSE(names_bench_job("barriers") || names_bench_job(""));
}

long size_of(const std::string& kernel, int threads) {
  const std::vector<BenchJob> jobs = bench_jobs(std::vector<std::string>{"numa"}, threads);
  const auto job =
      std::ranges::find_if(jobs, [&](auto& each) { return each.arguments[0] == kernel; });
  return std::stol(job->arguments[4]);
}

TEST(BenchPlan, ArraysGrowWithTheThreads) {
  EXPECT_EQ(size_of("cg", 2), 36'000);
  EXPECT_EQ(size_of("cg", 64), 8 * 36'000);
  EXPECT_EQ(size_of("sp", 64), 40);    // cells in a row, of three
  EXPECT_EQ(size_of("ft", 64), 64);    // a power of two
  EXPECT_EQ(size_of("ft", 1024), 64);  // 32 times the cube root of 16 is nearer to it than to 128
  EXPECT_EQ(size_of("bandwidth", 64), size_of("bandwidth", 2));  // an amount for each thread
}

TEST(BenchRow, RatiosAreOfRoundsInWhichBothRan) {
  const BenchRow row{
      .section = "", .label = "", .abi = Abi::kGcc, .ns = {{2, 4, {}, 8}, {6, {}, 5}}};
  EXPECT_THAT(row.ratios(1, 0), ElementsAre(3));
  EXPECT_THAT(row.of(0), ElementsAre(2, 4, 8));
}

}  // namespace
}  // namespace vicino::cli
