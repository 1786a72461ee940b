// sections.hpp: the sections construct.
//
// Sections are a loop with chunks of one, handed out in order and singly. Programs rely on two
// facts: a thread runs the first section before any other of its own, and a section that waits for
// a later one finds that another thread has taken it. With so few chunks stealing gains nothing.
#pragma once

#include "region/loops.hpp"

namespace vicino::region {

// Every member of the team begins the construct.
inline void begin_sections(Member& member, uint64_t count) noexcept {
  begin_loop(
      member, loop::UserBounds::from_zero(count),
      {.asked = {.kind = loop::ScheduleKind::kDynamic, .order = Order::kMonotonic, .chunk = 1},
       .form = LoopRequest::Form::kSections});
}

// Sections are counted from 1; 0 means the end. A range may hold several: a team of one gets all.
inline unsigned next_section(Member& member) noexcept {
  LoopState& l = member.loop;
  if (l.at == l.chunk.end) {
    l.chunk = next_chunk(member);
    l.at = l.chunk.begin;
    if (l.chunk.empty()) return 0;
  }
  return static_cast<unsigned>(++l.at);
}

}  // namespace vicino::region
