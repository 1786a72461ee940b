// graph_profile.hpp: what automatic task graphs (graph/grain.hpp) find out, in the profile, and for
// the explanation at the process's end.
//
// Why    A graph tries coarse strings for fifty to a hundred runs, the first one by one thread. With
//        the profile it begins where an earlier process ended.
// Key    the code that the tasks run, the number of threads, and the graph's structure. The body of
//        a recorded graph is Vicino's own, so there it is the function that generated the tasks.
//        Only an explanation can have a body in a file without a build-id: then the key is the
//        code's address.
// Cost   where a profile is kept, or an explanation wanted: a hash over the graph, once; and a walk through the loader's list
//        of objects at a body's first run.
// Life   a graph may be gone before the process ends. So its Grain says farewell, and what it knew
//        becomes an entry then; entries with equal keys become one, as in a merge. All this is
//        guarded by the Cold lock, which fork() holds. A child adds nothing of what its parent ran:
//        it forgets it, and takes no lock of a Grain that its parent may have held.
#pragma once

#include <vector>

#include "tune/explanation.hpp"

namespace vicino::graph {
class Grain;
}

namespace vicino::site {

// Called before a body's first run by so many threads. Whether the graph starts with what the
// profile has; in any case, what it finds out is kept. `code`: what identifies the body. The caller
// does not hold the Cold lock. Throws std::bad_alloc.
bool recall(graph::Grain& grain, const void* code, int threads);

// What this process knows of its graphs. At its end.
std::vector<tune::Explained> graphs_explained();
// Of these, what a profile can have.
std::vector<tune::ProfileEntry> graph_entries();

}  // namespace vicino::site
