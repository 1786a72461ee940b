// forall.cpp: the functions of vicino/forall.h.
#include "region/forall.hpp"

#include <cstddef>

#include "abi/api.hpp"
#include "base/say.hpp"
#include "region/constructs.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"
#include "vicino/forall.h"

using namespace vicino;
using region::ForallPrediction;
using region::ForallSite;
using team::Member;

static_assert(sizeof(ForallSite) == sizeof(vicino_forall_site));
static_assert(offsetof(ForallSite, schedule) == offsetof(vicino_forall_site, schedule));
static_assert(offsetof(ForallSite, learned) == offsetof(vicino_forall_site, learned));
static_assert(sizeof(ForallPrediction) == sizeof(vicino_forall_prediction));

namespace {

ForallSite& site_of(vicino_forall_site* site) { return *reinterpret_cast<ForallSite*>(site); }

}  // namespace

VICINO_API double vicino_forall_predict(vicino_forall_prediction* asked) {
  return region::predict_static_fraction(*reinterpret_cast<ForallPrediction*>(asked));
}

VICINO_API void vicino_forall_here(vicino_forall_site* site) {
  region::approach_forall(site_of(site));
}

VICINO_API void vicino_forall_begin(vicino_forall_site* site, int tid, int p, int64_t lo,
                                    int64_t hi, double f) {
  Member& member = region::me();
  if (tid != member.id || p != member.team->size)
    die("FORALL_BEGIN at %s: tid %d and p %d, but this is thread %d of a team of %d",
        region::place_of(site_of(site)).c_str(), tid, p, member.id, member.team->size);
  region::begin_forall(member, site_of(site), {lo, hi, f});
}

VICINO_API int vicino_forall_next(int64_t* first, int64_t* last) {
  Member& member = region::me();
  const loop::Range chunk = region::next_chunk(member);
  if (chunk.empty()) return 0;
  *first = static_cast<int64_t>(member.loop.bounds.value(chunk.begin));
  *last = static_cast<int64_t>(member.loop.bounds.value(chunk.end));
  return 1;
}

// The program may have left the loop by `break`.
VICINO_API void vicino_forall_end(int waits) {
  Member& member = region::me();
  region::abandon_loop(member);
  if (waits != 0) region::barrier(member);
}
