// What a report says of given times, and what of a call's time counts as waiting, against values
// worked by hand.
#include "job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "function.hpp"

namespace vicino::pmpi {
namespace {

using testing::HasSubstr;

constexpr uint64_t kMs = 1'000'000;

SiteTimes site(const char* key, uint64_t calls, uint64_t waiting_ms) {
  return {"MPI_Barrier", key,       std::string("f in ") + key, "main",
          calls,         8 * calls, waiting_ms * kMs + calls,   waiting_ms * kMs};
}

RankTimes rank(uint64_t wall_ms, uint64_t inside_ms, std::vector<SiteTimes> sites = {}) {
  RankTimes times;
  times.host = "here";
  times.wall_ns = wall_ms * kMs;
  times.inside_ns = inside_ms * kMs;
  times.waiting_ns = inside_ms * kMs / 2;
  times.sites = std::move(sites);
  return times;
}

TEST(Job, efficiencies_are_those_of_pop) {
  // Computing: 20, 40, 60 and 80 ms. Mean 50, longest 80, the job takes 100.
  const Job job =
      job_of("MPI", "app", {rank(100, 80), rank(100, 60), rank(100, 40), rank(100, 20)});
  EXPECT_DOUBLE_EQ(job.load_balance(), 50.0 / 80);
  EXPECT_DOUBLE_EQ(job.communication_efficiency(), 80.0 / 100);
  EXPECT_DOUBLE_EQ(job.parallel_efficiency(), 50.0 / 100);
  EXPECT_EQ(job.longest_compute_at(), 3u);
}

TEST(Job, the_longest_rank_counts_as_the_time_of_the_job) {
  const Job job = job_of("MPI", "app", {rank(80, 40), rank(100, 60)});
  EXPECT_EQ(job.wall_ns(), 100 * kMs);
  EXPECT_DOUBLE_EQ(job.load_balance(), 1);
  EXPECT_DOUBLE_EQ(job.communication_efficiency(), 0.4);
}

TEST(Job, nothing_is_divided_by_zero) {
  EXPECT_DOUBLE_EQ(job_of("MPI", "app", {rank(0, 0)}).parallel_efficiency(), 1);
  EXPECT_DOUBLE_EQ(job_of("MPI", "app", {}).parallel_efficiency(), 1);
  EXPECT_THAT(as_text(job_of("MPI", "app", {rank(0, 0)})), HasSubstr("No rank called"));
}

TEST(Job, sites_are_added_up_by_key_and_sorted_by_waiting) {
  const Job job =
      job_of("MPI", "app",
             {rank(9, 1, {site("a", 1, 1), site("b", 1, 5)}),
              rank(9, 1, {site("b", 2, 3), site("a", 4, 1)}), rank(9, 1, {site("b", 1, 4)})});
  ASSERT_EQ(job.sites.size(), 2u);
  EXPECT_EQ(job.sites[0].all.key, "b");
  EXPECT_EQ(job.sites[0].all.calls, 4u);
  EXPECT_EQ(job.sites[0].all.bytes, 32u);
  EXPECT_EQ(job.sites[0].all.waiting_ns, 12 * kMs);
  EXPECT_EQ(job.sites[0].least_waiting_ns, 3 * kMs);
  EXPECT_EQ(job.sites[0].most_waiting_ns, 5 * kMs);
  EXPECT_EQ(job.sites[0].most_at, 0u);
  EXPECT_EQ(job.sites[1].ranks, 2u);
  EXPECT_EQ(job.sites[1].least_waiting_ns, 0u) << "one rank never came there";
}

TEST(Job, one_path_at_two_depths_is_one_site) {
  const Job job = job_of("MPI", "app", {rank(9, 1, {site("a", 1, 1), site("a", 2, 5)})});
  ASSERT_EQ(job.sites.size(), 1u);
  EXPECT_EQ(job.sites[0].ranks, 1u);
  EXPECT_EQ(job.sites[0].all.calls, 3u);
  EXPECT_EQ(job.sites[0].most_waiting_ns, 6 * kMs);
}

TEST(Job, a_message_is_read_as_it_was_written) {
  const RankTimes sent = rank(9, 3, {site("a", 1, 1), site("b", 2, 0)});
  RankTimes got;
  const std::string bytes = packed(sent);
  ASSERT_TRUE(unpack(bytes, got));
  EXPECT_EQ(packed(got), bytes);
  EXPECT_EQ(got.sites[1].place, "f in b");
  EXPECT_EQ(got.wall_ns, 9 * kMs);
}

TEST(Job, a_message_cut_anywhere_is_refused) {
  const std::string bytes = packed(rank(9, 3, {site("a", 1, 1)}));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    RankTimes got;
    EXPECT_FALSE(unpack(std::string_view(bytes).substr(0, size), got)) << size;
  }
  RankTimes got;
  EXPECT_FALSE(unpack(bytes + "x", got));
}

TEST(Job, the_text_tells_the_numbers_with_their_units) {
  const std::string text = as_text(job_of(
      "Open MPI", "./app", {rank(100, 80, {site("a", 3, 60)}), rank(100, 20, {site("a", 3, 1)})}));
  EXPECT_THAT(text, HasSubstr("job of 2 ranks, ./app (Open MPI), 100 ms"));
  EXPECT_THAT(text, HasSubstr("load balance               62 %: 38 % is lost"));
  EXPECT_THAT(text, HasSubstr("communication efficiency   80 %: 20 % is lost"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "MPI_Barrier at f in a, from main\n    6 calls in 2 ranks, 48 bytes, 61 ms inside"));
  EXPECT_THAT(text, HasSubstr("1 ms at least, 30.5 ms in the mean, 60 ms at most, in rank 0"));
}

TEST(Job, json_quotes_foreign_text) {
  const std::string json = as_json(job_of("MPI", "a \"b\"\n", {rank(1, 0)}));
  EXPECT_THAT(json, HasSubstr("\"program\": \"a \\\"b\\\""));
  EXPECT_THAT(json, HasSubstr("\"sites\": []"));
}

TEST(Waiting, the_least_time_of_the_same_size_is_the_cost) {
  Function function("MPI_Send");
  EXPECT_EQ(function.waiting(1000, 8), 0u);
  EXPECT_EQ(function.waiting(5000, 8), 4000u);
  EXPECT_EQ(function.waiting(400, 15), 0u) << "8 to 15 bytes are one class";
  EXPECT_EQ(function.waiting(5000, 8), 4600u);
  EXPECT_EQ(function.waiting(5000, 16), 0u) << "16 bytes are another";
}

TEST(Waiting, a_rank_that_waits_each_time_waits) {
  Function function("MPI_Barrier");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(function.waiting(10 * kMs, 0), 10 * kMs - 50'000);
}

TEST(Waiting, a_transfer_of_many_bytes_may_take_its_time) {
  Function function("MPI_Recv");
  EXPECT_EQ(function.waiting(2 * kMs, 2'000'000), 0u) << "1 GB/s";
  EXPECT_EQ(function.waiting(5 * kMs, 2'000'000), 3 * kMs);
  Function slow("MPI_Recv");
  EXPECT_EQ(slow.waiting(5 * kMs, 2'000'000), 5 * kMs - 50'000 - 2'000'000);
}

}  // namespace
}  // namespace vicino::pmpi
