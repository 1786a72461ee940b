#include "team/kinds.hpp"

#include <sched.h>

#include "team/places.hpp"
#include "topo/machine.hpp"

namespace vicino::team {

using topo::Machine;

int kind_here() noexcept {
  const topo::Pu* const pu = Machine::here().pu_of(sched_getcpu());
  return pu != nullptr ? pu->kind : 0;
}

int8_t kind_of_spot(int spot) {
  if (spot < 0) return loop::KindCuts::kUnknown;
  int kind = loop::KindCuts::kUnknown;
  bool differ = false;
  spots()[spot].for_each([&](int cpu) {
    const topo::Pu* const pu = Machine::here().pu_of(cpu);
    if (pu == nullptr) return;
    differ = differ || (kind >= 0 && kind != pu->kind);
    kind = pu->kind;
  });
  return static_cast<int8_t>(differ ? loop::KindCuts::kUnknown : kind);
}

}  // namespace vicino::team
