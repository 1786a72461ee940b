// schedule.hpp: the name of a schedule, as in rows of the page and in arguments.
//
//   static    static,c    nonmonotonic:dynamic,c    monotonic:dynamic,c    guided,c    taskloop,c
//                     compiled in; `,c` is a chunk that each kernel chooses
//   KIND      KIND,c  any other schedule that OMP_SCHEDULE accepts, for schedule(runtime)
#pragma once

#include <string>

#include "execute.hpp"

namespace bench::locality {

class Schedule {
 public:
  // Ends the process with a message if there is no such schedule.
  explicit Schedule(const std::string& text);

  const std::string& text() const { return text_; }
  Form form() const { return form_; }
  bool has_chunk() const { return has_chunk_; }
  // How often a loop must run before its behaviour is final: Vicino's own schedules learn from one
  // execution to the next, and `auto` tries others first.
  int warm_repetitions() const {
    if (kind_ == "auto") return 60;
    return form_ == Form::kRuntime ? 16 : 1;
  }

  // Must be called before a process starts: runtimes read their environment once.
  void set_environment() const;

  // Sets schedule(runtime) to the environment's schedule with this chunk. Ends the process if the
  // runtime did not understand the environment.
  void choose(int chunk) const;

 private:
  std::string text_, kind_;
  bool has_chunk_;
  Form form_;
};

inline constexpr int kWrongSchedule = 6;

}  // namespace bench::locality
