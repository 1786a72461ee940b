// pages.hpp: VICINO_PAGES: a team moves pages that one thread filled to its members' nodes, before a
// region, where pages::Trial says so (pages/trial.hpp).
//
// Which  The outermost regions of one thread, the first that leads any; when it ends, those of the next one.
//        Not of several at once: their stretches overlap, so a time before a move and one after it would
//        differ by what the others did. Not in a child of fork(), which shares its pages with its parent,
//        so that the kernel moves none; nor in a program that places pages itself, by vicino/pages.h.
// Cost   A region tests a flag, which is false where one node has memory. Else it reads the clock; a look
//        takes a microsecond, at most 0.5 % of the time.
//
// Concurrency: the thread that watches is found by one exchange; the trial is its own until it ends, and
// then the next one's (W1, W2). Members take pieces of a move by a counter for each node; F1 and F2 of
// region/fork.cpp order all else.
#pragma once

#include "team/call.hpp"
#include "team/member.hpp"

namespace vicino::region {

struct Request;

// Whether pages may be placed by themselves in this process. Relaxed: who reads it late does so once too often.
inline plat::atomic<bool> places_pages{true};

// region::fork()
using Fork = void(const team::Call& call, const Request& request);

// The member is about to begin a region of several threads. Where end_placing() is to be called when the region
// ends, its team gets kPlacesPages.
void place_pages(team::Member& parent, const team::Call& call, int threads, Fork* fork);
void end_placing() noexcept;
// Whether the present region is Vicino's own, which moves pages.
bool is_moving_pages() noexcept;

// The thread leads no region any more.
void leave_pages(const team::Worker& worker) noexcept;
// In a child of fork().
void forget_pages() noexcept;

}  // namespace vicino::region
