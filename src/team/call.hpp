// call.hpp: the function that the threads of a region run, and where they find it.
#pragma once

#include <cstdint>

#include "base/line.hpp"
#include "sync/event_count.hpp"

namespace vicino::team {

struct Member;

// The compiled function and its arguments. Up to kInline arguments lie here; with more, args[0]
// points to them. So a call with few arguments reaches a thread in one cache line, together with
// the event count beside it.
struct Call {
  static constexpr int kInline = 4;
  void (*run)(Member& member, const Call& call);
  void* function;
  uint64_t count;
  void* args[kInline];
};

// Where the members of one cache group wait for the next region's call.
struct alignas(kLine) Mailbox {
  sync::EventCount go;  // holds a sync::Go
  Call call;
};
static_assert(sizeof(Mailbox) == kLine);

}  // namespace vicino::team
