// work.hpp: how the work of a loop is distributed over its iterations, counted and not timed.
//
// A count is the number of innermost steps (edges, pairs, multiplications): it is the same on every
// machine. Where a published table has the same loop, its figures are beside ours.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

namespace bench {

// Mean, variance and range as printed in table 1 of Booth and Lane, 2024.
struct Published {
  double mean = -1, variance = -1, range = -1;
};

class Work {
 public:
  Work(const char* loop, const char* unit, Published published = {})
      : loop_(loop), unit_(unit), published_(published) {}

  void add(uint64_t work) {
    ++count_;
    sum_ += work;
    squares_ += static_cast<Wide>(work) * work;
    least_ = std::min(least_, work);
    most_ = std::max(most_, work);
  }

  double mean() const { return count_ > 0 ? static_cast<double>(sum_) / count() : 0; }
  // Whole numbers are used up to the division: a difference of two large sums of doubles is noise.
  double variance() const {
    if (count_ == 0) return 0;
    return static_cast<double>(squares_ * count_ - sum_ * sum_) / count() / count();
  }
  double range() const { return count_ > 0 ? static_cast<double>(most_ - least_) : 0; }

  void print(const std::string& kernel) const {
    std::printf(
        "{\"kind\":\"work\",\"kernel\":\"%s\",\"loop\":\"%s\",\"unit\":\"%s\",\"iterations\":%llu,"
        "\"mean\":%.6g,\"variance\":%.6g,\"range\":%.6g",
        kernel.c_str(), loop_, unit_, static_cast<unsigned long long>(count_), mean(), variance(),
        range());
    if (published_.mean >= 0)
      std::printf(",\"published\":{\"mean\":%g,\"variance\":%g,\"range\":%g}", published_.mean,
                  published_.variance, published_.range);
    std::printf("}\n");
  }

 private:
  using Wide = unsigned __int128;
  double count() const { return static_cast<double>(count_); }

  const char* loop_;
  const char* unit_;
  Published published_;
  uint64_t count_ = 0, least_ = UINT64_MAX, most_ = 0;
  Wide sum_ = 0, squares_ = 0;
};

}  // namespace bench
