// doacross.cpp: LLVM's doacross loops. The compiled code calls init before the loop begins in its
// thread, by __kmpc_dispatch_init_* or __kmpc_for_static_init_*, and fini after it.
#include "region/doacross.hpp"

#include <vector>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/doacross.hpp"
#include "abi/kmpc/ident.hpp"
#include "loop/canonical.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Ident;

namespace {

// One loop of the nest, from `lower` to `upper`, inclusive.
struct Dimension {
  int64_t lower, upper, step;
};

void tell(ompt::DependenceType type, const int64_t* values) {
  abi::tell_doacross(type, region::me(), [&] { return *values++; });
}

}  // namespace

VICINO_API void __kmpc_doacross_init(Ident*, int32_t, int32_t loops, const Dimension* dimensions) {
  std::vector<loop::DoacrossLoop> nest;
  for (const Dimension& d : std::span(dimensions, static_cast<std::size_t>(loops)))
    nest.push_back(
        {d.lower, d.step, loop::Canonical<int64_t>::inclusive(d.lower, d.upper, d.step).trip()});
  region::begin_doacross(region::me(), nest);
}

VICINO_API void __kmpc_doacross_wait(Ident*, int32_t, const int64_t* values) {
  if (VICINO_WATCHED()) tell(ompt::DependenceType::kSink, values);
  region::wait_for_post(region::me(), [&] { return *values++; });
}
VICINO_API void __kmpc_doacross_post(Ident*, int32_t, const int64_t* values) {
  if (VICINO_WATCHED()) tell(ompt::DependenceType::kSource, values);
  region::post(region::me(), [&] { return *values++; });
}
VICINO_API void __kmpc_doacross_fini(Ident*, int32_t) { region::end_doacross(region::me()); }
