// serve.hpp: what a thread of Vicino's own does all its life.
#pragma once

#include "team/worker.hpp"

namespace vicino::team {

// What Mailbox::go and Member::resume hold.
struct Go {
  static constexpr uint64_t pack(uint64_t number, int size) noexcept {
    return number << kSizeBits | static_cast<uint64_t>(size);
  }
  static constexpr uint64_t number(uint64_t go) noexcept { return go >> kSizeBits; }
  static constexpr int size(uint64_t go) noexcept { return static_cast<int>(go & kMaxTeam); }
  static constexpr int kDissolve = 0;
};

[[noreturn]] void serve(Worker& worker);

}  // namespace vicino::team
