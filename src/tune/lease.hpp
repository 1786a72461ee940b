// lease.hpp: which one of a call site's executions is timed at present.
//
// Why    Teams may execute one call site at the same time. If two executions tried different things
//        at once, each would measure what the other one tried. So one execution at a time is timed,
//        and the tuner chooses for it; the others run with the best configuration so far, and the
//        tuner learns nothing from them. An execution that runs beside a timed one does not spoil
//        it: where teams always come together, that is what the site is like.
// Lost   An execution may end without giving its lease back: some members of its team left a
//        cancelled region before it, or it belongs to a thread that a child of fork() does not
//        have. After kMostRefused requests in vain a lease is lost, and the next request gets it.
//        What the former holder has measured is then not used, because its token is no more valid.
// Cost   a relaxed load, and a read-modify-write.
//
// The word is odd while there is a holder, whose token it is. It grows with each change.
//
// Memory order
//  (1) taking is an acquire, which pairs with
//  (2) the release that gives back: a holder sees what the tuner has learnt from earlier holders.
// `refused_` is relaxed: it only decides when a lease is lost.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::tune {

class Lease {
 public:
  using Token = uint64_t;
  static constexpr Token kNone = 0;
  // More requests than any machine's teams make while one of them executes the site.
  static constexpr uint32_t kMostRefused = 1024;

  // kNone if another execution has the lease.
  Token take() noexcept {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    const bool held = is_token(seen);
    if (held && refused_.fetch_add(1, std::memory_order_relaxed) < kMostRefused) return kNone;
    const Token token = seen + (held ? 2 : 1);
    if (!word_.compare_exchange_strong(seen, token, std::memory_order_acquire,
                                       std::memory_order_relaxed))  // (1)
      return kNone;
    refused_.store(0, std::memory_order_relaxed);
    return token;
  }

  bool is_held_by(Token token) const noexcept {
    return token != kNone && word_.load(std::memory_order_relaxed) == token;
  }

  // Without effect if the lease was lost.
  void give_back(Token token) noexcept {
    if (token == kNone) return;
    word_.compare_exchange_strong(token, token + 1, std::memory_order_release,
                                  std::memory_order_relaxed);  // (2)
  }

 private:
  static bool is_token(uint64_t word) noexcept { return word % 2 != 0; }

  plat::atomic<uint64_t> word_{0};
  plat::atomic<uint32_t> refused_{0};
};

}  // namespace vicino::tune
