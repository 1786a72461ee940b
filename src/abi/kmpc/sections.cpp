// sections.cpp: LLVM's sections construct, for code that asks for one section at a time. Clang
// itself makes a static loop of the construct.
#include "region/sections.hpp"

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Ident;

// 0 would tell the compiled code to run all sections without asking for them. How many there are is
// known at the first question, so the construct begins there.
VICINO_API int32_t __kmpc_sections_init(Ident*, int32_t) {
  VICINO_WATCHED();
  region::abandon_loop(region::me());  // a loop that was left without a call, as by longjmp()
  return 1;
}

// The next section's number, from 0; `count` or more: there is none.
VICINO_API int32_t __kmpc_next_section(Ident*, int32_t, int32_t count) {
  team::Member& me = region::me();
  if (me.loop.next == nullptr) region::begin_sections(me, static_cast<uint64_t>(count));
  const unsigned section = region::next_section(me);
  return section == 0 ? count : static_cast<int32_t>(section - 1);
}

VICINO_API void __kmpc_end_sections(Ident*, int32_t) {}  // the last question has ended it
