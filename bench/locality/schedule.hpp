// schedule.hpp: the name of a schedule, as rows of the page and arguments have it.
//
//   static    static,c    nonmonotonic:dynamic,c    monotonic:dynamic,c    guided,c    taskloop,c
//                     compiled in; `,c` is a chunk that each kernel chooses
//   KIND      KIND,c  what else OMP_SCHEDULE takes, for schedule(runtime)
//   NAME=…            one of the above, under VICINO_SCHEDULE=NAME
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

  // For a process that has not started yet: runtimes read their environment once.
  void set_environment() const;

  // Of schedule(runtime): what the environment said, with this chunk. Ends the process when the
  // runtime did not understand the environment.
  void choose(int chunk) const;

 private:
  std::string text_, vicino_, kind_;
  bool has_chunk_;
  Form form_;
};

inline constexpr int kWrongSchedule = 6;

}  // namespace bench::locality
