// schedule.hpp: the name of a schedule, as rows of the page and arguments have it.
//
//   static    static,c    nonmonotonic:dynamic,c    monotonic:dynamic,c    guided,c    taskloop,c
//                     compiled in; `,c` is a chunk that each kernel chooses
//   KIND      KIND,c  what else OMP_SCHEDULE takes, for schedule(runtime)
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
  // How often a loop is to run before it does what it will do from then on: Vicino's own schedules
  // learn from one execution to the next, and `auto` tries others first.
  int warm_repetitions() const {
    if (kind_ == "auto") return 60;
    return form_ == Form::kRuntime ? 16 : 1;
  }

  // For a process that has not started yet: runtimes read their environment once.
  void set_environment() const;

  // Of schedule(runtime): what the environment said, with this chunk. Ends the process when the
  // runtime did not understand the environment.
  void choose(int chunk) const;

 private:
  std::string text_, kind_;
  bool has_chunk_;
  Form form_;
};

inline constexpr int kWrongSchedule = 6;

}  // namespace bench::locality
