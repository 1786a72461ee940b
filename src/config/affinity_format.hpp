// affinity_format.hpp: OMP_AFFINITY_FORMAT, expanded.
//
// What   %[[0].][width]type or %[[0].][width]{long_name}; a dot aligns right, a 0 before it pads
//        numbers with zeros, without a dot the text is left-aligned.
// Not    which thread it is: the caller fills the fields, so this is a pure function.
#pragma once

#include <string>
#include <string_view>

namespace vicino::config {

// libgomp's default says too little, and libomp's is a whole sentence; this one has every field
// that tells two threads of a run apart.
inline constexpr std::string_view kDefaultAffinityFormat =
    "host %H pid %P level %L thread %n of %N tid %i affinity {%A}";

struct AffinityFields {
  int team_num = 0;                       // %t team_num
  int num_teams = 1;                      // %T num_teams
  int nesting_level = 0;                  // %L nesting_level
  int thread_num = 0;                     // %n thread_num
  int num_threads = 1;                    // %N num_threads
  int ancestor_tnum = -1;                 // %a ancestor_tnum
  long process_id = 0;                    // %P process_id
  long native_thread_id = 0;              // %i native_thread_id
  std::string_view host = {};             // %H host
  std::string_view thread_affinity = {};  // %A thread_affinity, as in 0-3,8
};

// A field that is not known expands to `undefined`, as the specification asks. An empty format
// means kDefaultAffinityFormat.
std::string format_affinity(std::string_view format, const AffinityFields& fields);

}  // namespace vicino::config
