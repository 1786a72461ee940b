#include "region/parallel_loop.hpp"

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "loop/parameters.hpp"
#include "region/fork.hpp"
#include "region/roots.hpp"
#include "sync/lock.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using team::kMaxTeam;
namespace {

class Partials {
 public:
  Partials(const ParallelLoop& loop, int members) : loop_(loop) {
    if (loop.init == nullptr) return;
    const auto n = static_cast<size_t>(members);
    size_t rounded, all;
    if (__builtin_add_overflow(loop.bytes, kLinePair, &rounded) ||
        __builtin_mul_overflow(stride_ = rounded / kLinePair * kLinePair, n, &all))
      throw std::bad_alloc();
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kLinePair, all)));
    if (memory_ == nullptr) throw std::bad_alloc();
    made_.resize(n);
  }

  // Makes a member's partial result. By that member.
  void* make(int member) {
    if (loop_.init == nullptr) return nullptr;
    void* const partial = at(static_cast<size_t>(member));
    loop_.init(partial, loop_.data);
    made_[static_cast<size_t>(member)] = 1;
    return partial;
  }

  void combine() {
    for (size_t i = 0; i < made_.size(); ++i)
      if (made_[i] != 0) loop_.combine(loop_.result, at(i), loop_.data);
  }

 private:
  void* at(size_t i) noexcept { return memory_.get() + i * stride_; }

  struct Free {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };
  const ParallelLoop& loop_;
  size_t stride_ = 0;
  std::unique_ptr<std::byte, Free> memory_;
  std::vector<unsigned char> made_;  // not bool: each element is written by another thread
};

// Whether the loop is to end early, and the value for its caller. `given_` is relaxed: a member
// that sees it late runs one chunk more. The value is read after the join (F2 in fork.cpp).
class Verdict {
 public:
  bool is_given() const noexcept { return given_.load(std::memory_order_relaxed); }
  int value() const noexcept { return value_; }

  void give(int64_t first, int value) noexcept {
    lock_.acquire({.ns = 10'000});
    if (!is_given() || first < first_) {
      first_ = first;
      value_ = value;
    }
    given_.store(true, std::memory_order_relaxed);
    lock_.release();
  }

 private:
  plat::atomic<bool> given_{false};
  sync::Lock lock_;
  int64_t first_ = 0;
  int value_ = 0;
};

// What the members of the team share.
struct SharedLoop {
  const ParallelLoop& loop;
  Partials partials;
  Verdict verdict;
};

Asked asked_for(const ParallelLoop& loop, const Member& member) {
  if (loop.schedule == nullptr) return asked_at_run_time(member);
  return {.kind = loop::ScheduleKind::kNamed,
          .by = SaidBy::kCode,
          .chunk = loop.schedule->chunk,
          .named = loop.schedule};
}

void run_chunks(Member& member, const Call& call) {
  auto& shared = *static_cast<SharedLoop*>(call.args[0]);
  const ParallelLoop& loop = shared.loop;
  const auto begin = static_cast<uint64_t>(loop.begin);
  void* partial = nullptr;
  begin_loop(member, loop::UserBounds::from_zero(loop.trip),
             {.asked = asked_for(loop, member), .site = loop.site});
  while (!shared.verdict.is_given()) {
    const loop::Range chunk = next_chunk(member);
    if (chunk.empty()) return;
    if (partial == nullptr) partial = shared.partials.make(member.id);
    const auto first = static_cast<int64_t>(begin + chunk.begin);
    const auto last = static_cast<int64_t>(begin + chunk.end);
    if (const int said = loop.run(loop, first, last, partial)) shared.verdict.give(first, said);
  }
  abandon_loop(member);
}

}  // namespace

int run(const ParallelLoop& loop) {
  if (loop.trip == 0) return 0;
  const int most = most_members(me(), loop.threads);
  SharedLoop shared{loop, {loop, most}, {}};
  fork({run_chunks, loop.function, 1, {&shared}}, {.threads = most});
  shared.partials.combine();
  return shared.verdict.value();
}

}  // namespace vicino::region
