// loop_state.hpp: the worksharing loop that a member is in.
#pragma once

#include <cstdint>
#include <memory>

#include "loop/cursor.hpp"
#include "site/known_loops.hpp"

namespace vicino::loop {
class Slot;
}
namespace vicino::region {
class Doacross;
class TunedRun;
}  // namespace vicino::region
namespace vicino::site {
struct LoopCounting;
}

namespace vicino::team {

struct LoopState {
  loop::Range (*next)(void* shared, loop::Cursor& cursor) noexcept = nullptr;
  void* shared = nullptr;
  loop::Cursor cursor;
  loop::Slot* slot = nullptr;  // null: the schedule shares nothing
  loop::UserBounds bounds;     // with these the ABI layer turns ranges into the user's values
  // For ordered regions; `in_turn`: the turn has come to the member's chunk.
  bool ordered = false;
  bool knows_cuts = false;  // it has met a loop that KindCuts cuts, in this region
  bool in_turn = false;
  bool among = false;  // it holds the slot's lock of ordered regions: I5 of loop/ring.hpp
  bool once = false;   // it has got its only block, and end_block() is still to come
  bool looks = false;  // for cores that are lent, at each chunk: region/borrowed.hpp
  region::TunedRun* tuned = nullptr;             // null: the tuner does not choose for this loop
  region::Doacross* doacross = nullptr;          // null: not in such a loop, or in a team of one
  loop::Range chunk;                             // the member's, if `ordered`
  uint64_t at = 0;                               // the iteration in `chunk` that it is at
  std::unique_ptr<site::LoopCounting> counting;  // null until the first loop that is counted
  site::KnownLoops known;                        // tuned loops that it has met
};

}  // namespace vicino::team
