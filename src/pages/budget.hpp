// budget.hpp: what placing pages may cost: a small part of the program's time so far, for looks and for moves.
#pragma once

#include <algorithm>
#include <cstdint>

namespace vicino::pages {

class Budget {
 public:
  // `started`: when the process began, by the clock of the other times, in ns. `nodes`: whose threads move pages.
  Budget(uint64_t started, int nodes) noexcept
      : started_(started), ns_per_byte_(kNsPerByte / nodes) {}

  void looked(uint64_t ns) noexcept { looks_ns_ += ns; }
  void moved(uint64_t ns, uint64_t bytes) noexcept {
    moves_ns_ += ns;
    if (bytes > 0) ns_per_byte_ = static_cast<double>(ns) / static_cast<double>(bytes);
  }

  bool may_look(uint64_t now) const noexcept {
    return static_cast<double>(looks_ns_) < kLooks * static_cast<double>(now - started_);
  }
  // When the looks so far are paid for.
  uint64_t may_look_at() const noexcept {
    return started_ + static_cast<uint64_t>(static_cast<double>(looks_ns_) / kLooks);
  }
  // What moves may take now, in ns; below 0: they have taken too much.
  double left_for_moves(uint64_t now) const noexcept {
    return kMoves * static_cast<double>(now - started_) - static_cast<double>(moves_ns_);
  }
  // What the last move tells that moving so much takes, in ns.
  double cost_of(uint64_t bytes) const noexcept {
    return ns_per_byte_ * static_cast<double>(bytes);
  }

 private:
  // A program that gains nothing loses this.
  static constexpr double kMoves = 0.015, kLooks = 0.005;
  // A thread moves a page in about a microsecond, in the lab's guests and natively. What a move took counts
  // later.
  static constexpr double kNsPerByte = 0.25;

  const uint64_t started_;
  uint64_t looks_ns_ = 0, moves_ns_ = 0;
  double ns_per_byte_;  // of a move, by all threads together
};

}  // namespace vicino::pages
