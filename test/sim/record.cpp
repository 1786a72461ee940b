// record: a loop of one of the registry's schedules on two real threads, recorded for a replay.
//
//   record SCHEDULE CHUNK EXECUTIONS
//
// An iteration works for 50 to 150 us, so claims of two threads seldom fall together. What is
// printed, in nanoseconds:
//   execution F               the static fraction that it had, or -1
//   claim M BEFORE AFTER B E  member M asked for iterations at BEFORE, and had [B, E) at AFTER; the
//                             first is when it came to the loop; B = E: there were none
//   iteration I NS            from its begin to that of the member's next, or to the next claim
//   learned F                 the fraction that the next execution would have, or -1
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>
#include <vector>

#include "loop/registry.hpp"
#include "loop/static_fraction.hpp"
#include "plat/plat.hpp"

namespace {

using namespace vicino::loop;  // NOLINT: the program

constexpr uint32_t kMembers = 2;
constexpr uint64_t kTrip = 64;
constexpr uint64_t kLateNs = 1'000'000;  // member 1 comes this much later

struct Claim {
  uint64_t before, after;
  Range range;
};

struct Recorded {
  std::vector<Claim> claims;
  std::vector<uint64_t> begins = std::vector<uint64_t>(kTrip);  // of its iterations
};

void work(uint64_t iteration) {
  const uint64_t ns = 50'000 + iteration * 7'919 % 100 * 1'000;
  for (const uint64_t begin = vicino::plat::now(); vicino::plat::now() - begin < ns;)
    vicino::plat::relax();
}

class Execution {
 public:
  Execution(const vicino::loop::Row& row, const Plan& plan) : row_(row), plan_(plan) {}

  void run() {
    std::thread other([this] { member(1); });
    member(0);
    other.join();
  }

  void print() const {
    for (uint32_t m = 0; m < kMembers; ++m)
      for (const Claim& c : recorded_[m].claims)
        std::printf("claim %u %lu %lu %lu %lu\n", m, c.before, c.after, c.range.begin, c.range.end);
    for (const Recorded& recorded : recorded_)
      for (size_t c = 0; c + 1 < recorded.claims.size(); ++c) {
        const Range range = recorded.claims[c].range;
        for (uint64_t i = range.begin; i < range.end; ++i) {
          const uint64_t begin = i == range.begin ? recorded.claims[c].before : recorded.begins[i];
          const uint64_t end =
              i + 1 == range.end ? recorded.claims[c + 1].before : recorded.begins[i + 1];
          std::printf("iteration %lu %lu\n", i, end - begin);
        }
      }
  }

 private:
  void member(uint32_t m) {
    Recorded& mine = recorded_[m];
    mine.claims.reserve(kTrip + 1);
    ready_.fetch_add(1);
    while (ready_.load() < kMembers) std::this_thread::yield();
    uint64_t before = vicino::plat::now();
    if (m == 0) {
      row_.start(shared_, plan_);
      open_.store(true);
    } else {
      const uint64_t come = before + kLateNs;
      while (!open_.load() || (before = vicino::plat::now()) < come) std::this_thread::yield();
    }
    Cursor cursor;
    cursor.member = m;
    row_.enter(shared_, plan_, cursor);
    for (;; before = vicino::plat::now()) {
      const Range range = row_.next(shared_, cursor);
      mine.claims.push_back({before, vicino::plat::now(), range});
      if (range.empty()) return;
      for (uint64_t i = range.begin; i < range.end; ++i) {
        mine.begins[i] = vicino::plat::now();
        work(i);
      }
    }
  }

  const vicino::loop::Row& row_;
  const Plan& plan_;
  Recorded recorded_[kMembers];
  std::atomic<uint32_t> ready_{0};
  std::atomic<bool> open_{false};
  alignas(vicino::kLinePair) std::byte shared_[kSharedSize];
};

double fraction(std::span<vicino::plat::atomic<uint64_t>> history) {
  return history.size() < StaticFraction::kWords
             ? -1
             : StaticFraction::predicted(history, StaticFraction::kModel);
}

}  // namespace

int main(int argc, char** argv) {
  const vicino::loop::Row* row = argc == 4 ? find(argv[1]) : nullptr;
  if (row == nullptr) {
    std::fputs(
        "usage: record SCHEDULE CHUNK EXECUTIONS, with a schedule that `vicino schedules` lists\n",
        stderr);
    return 2;
  }
  std::vector<vicino::plat::atomic<uint64_t>> history(row->history_words(kMembers));
  std::vector<Lane> lanes(kMembers);
  Plan plan;
  plan.trip = kTrip;
  plan.chunk = std::strtoul(argv[2], nullptr, 10);
  plan.members = kMembers;
  plan.lanes = lanes;
  plan.values = fallbacks(row->parameters);
  plan.history = history;
  // Neighbours that share no cache: equally near ones would be asked in random order.
  const std::array spots = {Spot{0, 0, 0}, Spot{1, 0, 0}};
  const Shape shape(spots, [](int, int) { return 0u; });
  plan.shape = &shape;
  for (unsigned long left = std::strtoul(argv[3], nullptr, 10); left > 0; --left) {
    std::printf("execution %.17g\n", fraction(history));
    Execution execution(*row, plan);
    execution.run();
    execution.print();
    std::printf("learned %.17g\n", fraction(history));
  }
}
