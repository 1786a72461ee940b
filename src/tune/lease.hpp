// lease.hpp: which one of a call site's executions is timed at present, and which thread uses the
// site's tuner.
//
// Why    Teams may execute one call site at the same time. If two executions tried different things
//        at once, each would measure what the other one tried. So one execution at a time is timed,
//        and the tuner chooses for it; the others run with the best configuration so far, and the
//        tuner learns nothing from them. An execution that runs beside a timed one does not spoil
//        it: where teams always come together, that is what the site is like.
// Inside An execution uses the tuner when it begins and when it ends, and anybody may look at it in
//        between. One thread at a time is inside. No other thread waits for it: the tuner can do
//        without an execution, and in a child of fork() a thread may be inside that is not there.
// Lost   An execution may end without giving its lease back: some members of its team left a
//        cancelled region before it, or it belongs to a thread that a child of fork() does not
//        have. After kMostRefused requests in vain a lease is lost, and the next request gets it.
//        What the former holder has measured is then not used, because its token is no longer valid.
// Cost   to take it, and to end: a read-modify-write, and a store.
//
// The word has a bit that is set while an execution has the lease, and one that is set while a
// thread is inside; above them it counts how often the lease was taken. The token is the word with
// the first bit and without the second.
//
// Invariants
//  L1 one    one thread at most is inside: it has set kInside, and only it clears that.
//  L2 held   an execution that ends has the lease for as long as it is inside: it checks its token
//            and goes inside in one step, and nobody takes the lease from it while it is there.
//  L3 stores while the holder is inside nobody else changes the word (the RMW of a visit in vain
//            leaves it as it is), so the holder leaves by a store. While
//            another thread is inside, the holder may give the lease back, so that one leaves by an
//            RMW.
// Memory order
//  (1) going inside is an acquire, which pairs with
//  (2) the release by which a thread leaves: one that is inside sees what earlier ones did to the
//      tuner. give_back() is relaxed: the holder did everything inside, and an RMW continues the
//      release sequence of (2).
// `refused_` is relaxed: it only decides when a lease is lost.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::tune {

template <uint32_t kMost>
class LeaseOf {
 public:
  using Token = uint64_t;
  static constexpr Token kNone = 0;
  static constexpr uint32_t kMostRefused = kMost;

  // For an execution that begins, unless another one has the lease or a thread is inside: calls
  // wants() inside, and gives the lease if that says so. Else kNone.
  template <class Wants>
  Token take(Wants wants) {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    if ((seen & kInside) != 0) return kNone;
    if ((seen & kHeld) != 0 && refused_.fetch_add(1, std::memory_order_relaxed) < kMostRefused)
      return kNone;
    const Token token = (seen | kHeld) + kNext;
    if (!word_.compare_exchange_strong(seen, token | kInside, std::memory_order_acquire,
                                       std::memory_order_relaxed))  // (1)
      return kNone;
    refused_.store(0, std::memory_order_relaxed);
    const bool wanted = wants();
    word_.store(wanted ? token : token & ~kHeld, std::memory_order_release);  // (2), L3
    return wanted ? token : kNone;
  }

  bool is_held_by(Token token) const noexcept {
    return token != kNone && (word_.load(std::memory_order_relaxed) & ~kInside) == token;
  }

  // The execution ends: calls learn() inside if it has the lease and no thread is there, and gives
  // the lease back. Whether learn() was called.
  template <class Learn>
  bool end(Token token, Learn learn) {
    if (token == kNone) return false;
    uint64_t seen = token;
    if (!word_.compare_exchange_strong(seen, token | kInside, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {  // (1), L2
      give_back(token);
      return false;
    }
    learn();
    word_.store(token & ~kHeld, std::memory_order_release);  // (2), L3
    return true;
  }

  // Without effect if the lease was lost.
  void give_back(Token token) noexcept {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    while (token != kNone && (seen & ~kInside) == token &&
           !word_.compare_exchange_weak(seen, seen & ~kHeld, std::memory_order_relaxed)) {
    }
  }

  // Calls look() inside, unless a thread is there; returns whether it was called.
  template <class Look>
  bool visit(Look look) {
    if ((word_.fetch_or(kInside, std::memory_order_acquire) & kInside) != 0) return false;  // (1)
    look();
    word_.fetch_and(~kInside, std::memory_order_release);  // (2), L3
    return true;
  }

 private:
  static constexpr uint64_t kInside = 1, kHeld = 2, kNext = 4;

  plat::atomic<uint64_t> word_{0};
  plat::atomic<uint32_t> refused_{0};
};

// A lease is lost after more requests than any machine's teams make while one of them executes the
// site.
using Lease = LeaseOf<1024>;

}  // namespace vicino::tune
