// trace/ring.hpp: the writer reads what a thread has put, no record is overwritten before it was read, and the end of a
// span that was put always finds a place.
#include "../../trace/ring.hpp"
#include "spares.hpp"

namespace vicino::trace {
namespace {

using namespace model;  // NOLINT: a test

constexpr int kEnd = 0;

// A record whose place in the ring may not be read while it is written.
struct Number {
  Number() = default;
  Number(int number) : given(number) {}  // NOLINT: as a number
  Number& operator=(const Number& other) {
    in_ring.set(other.given);
    return *this;
  }
  int given = 0;
  Plain<int> in_ring;
};

void no_nudge() noexcept {}

constexpr size_t kRecords = 4;
struct Small {
  Ring<Number, kRecords, no_nudge> ring;
};

// The thread puts `spans` spans, each with the number of its beginning, of which some lie in others; the writer looks
// twice while that goes on.
Result trace(const Bounds& bounds, int spans, bool nested) {
  return explore(bounds, [=](Stage& stage) {
    auto& small = stage.make_named<Small>("small");
    auto& taken = stage.make<std::vector<int>>();
    auto& put = stage.make<std::vector<int>>();
    stage.thread("thread", [&, spans, nested] {
      int open = 0;
      for (int i = 1; i <= spans; ++i) {
        if (small.ring.put_begin(i)) {
          put.push_back(i);
          ++open;
        }
        for (; open > 0 && (!nested || i == spans); --open) {
          small.ring.put_end(kEnd);
          put.push_back(kEnd);
        }
      }
    });
    const auto take = [&] {
      small.ring.take([&](const Number& record) {
        taken.push_back(record.in_ring.get());
        return true;
      });
    };
    stage.thread("writer", [take] {
      take();
      take();
    });
    stage.finally([&, take, spans] {
      take();
      MODEL_CHECK(taken == put);
      const auto begun =
          static_cast<uint64_t>(std::ranges::count_if(put, [](int i) { return i != kEnd; }));
      MODEL_CHECK(begun + small.ring.dropped() == static_cast<uint64_t>(spans));
      MODEL_CHECK(small.ring.put_begin(1));  // all places are free again
    });
  });
}

TEST(TraceRing, OneSpanAfterAnother) {
  expect_holds(trace({.preemptions = 2, .stale_reads = 1}, 4, false));
}

TEST(TraceRing, SpansInSpans) {
  expect_holds(trace({.preemptions = 2, .stale_reads = 1}, 3, true));
}

}  // namespace
}  // namespace vicino::trace
