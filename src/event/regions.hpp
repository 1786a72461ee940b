// regions.hpp: what a tool is told of threads, parallel regions, leagues and implicit tasks (OMPT).
//
// The callers have found out that a tool watches. Each function is named as the event.
#pragma once

#include "ompt/tool.hpp"
#include "team/team.hpp"

namespace vicino::team {
class Worker;
}

namespace vicino::event {

using team::Member;
using team::Team;
using team::Worker;

// By the thread itself.
void thread_begins(Worker& worker, ompt::ThreadKind kind) noexcept;
void thread_ends(Worker& worker) noexcept;
// A root has got its initial team; it ends.
void root_begins(Member& member) noexcept;
void root_ends(Member& member) noexcept;
// The calling thread is alone in a child of fork(), in its initial task.
void after_fork(Member& initial) noexcept;

// `team` has been set up for the region that `parent` meets. `threads`: how many were asked for.
void parallel_begins(Team& team, int threads) noexcept;
void parallel_ends(Team& team) noexcept;

// The member begins its part of a region. What is left of its part of the last one ends first.
void implicit_task_begins(Member& member) noexcept;
// The member has come to the barrier at the region's end.
void implicit_task_ending(Member& member) noexcept;
// It has left that barrier; nothing happens if it was not there.
void implicit_task_ends(Member& member) noexcept;

// The initial task of one of a league's teams.
void initial_task_begins(Member& member) noexcept;
void initial_task_ends(Member& member) noexcept;

// A league, from its construction to its end.
class League {
 public:
  explicit League(int teams) noexcept {
    if (ompt::is_watched()) [[unlikely]]
      begin(teams);
  }
  ~League() {
    if (record_.encounters != nullptr) [[unlikely]]
      end();
  }
  League(const League&) = delete;

 private:
  void begin(int teams) noexcept;
  void end() noexcept;

  ompt::TeamRecord record_;
  ompt::TeamRecord* around_ = nullptr;
};

}  // namespace vicino::event
