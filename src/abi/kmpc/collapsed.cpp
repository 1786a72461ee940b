// collapsed.cpp: LLVM's loops of a nest that are shared out together, where the bounds of one loop
// may be linear in the variable of an outer one.
//
// Why    libomp exports these entry points. Of the compilers, Microsoft's alone calls them.
// How    A nest is a list of points in the order in which the loops meet them, and a member gets a
//        block of the list. The points are counted exactly, so that blocks are equal whatever the
//        nest's shape. Where an inner loop depends on a variable, its points are counted for each
//        value of that.
// Cost   O(1) for a rectangular nest; for a triangle, one addition for each iteration of the outer
//        loop.
#include <cstdint>
#include <vector>

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"
#include "base/say.hpp"
#include "loop/canonical.hpp"
#include "loop/static_block.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Ident;

namespace {

enum class Type : int32_t { kU8, kI8, kU16, kI16, kU32, kI32, kU64, kI64 };
enum class Comparison : int32_t { kLessOrEqual, kGreaterOrEqual, kNotEqual, kLess, kGreater };

// A loop as compilers lay it out. The numbers have the type `type`, in the lower bytes of their
// words; the step is of the signed type of the same size. A bound is x + x_per_outer * variable of
// loop `outer`.
struct Loop {
  Type type;
  Type variable_type;
  Comparison comparison;
  int32_t outer;
  uint64_t lower, lower_per_outer;
  uint64_t upper, upper_per_outer;
  int64_t step;
  uint64_t trip;
};
static_assert(sizeof(Loop) == 64);

// Calls work() with a value of the type in which the loop's bounds are.
template <class Work>
auto in_type_of(const Loop& loop, Work work) {
  switch (loop.type) {
    case Type::kI32:
      return work(int32_t{});
    case Type::kU32:
      return work(uint32_t{});
    case Type::kI64:
      return work(int64_t{});
    case Type::kU64:
      return work(uint64_t{});
    default:
      die("a collapsed loop has bounds of type %d: known are 4 to 7, integers of 32 and 64 bits",
          static_cast<int>(loop.type));
  }
}

template <class T>
loop::Canonical<T> space_of(const Loop& loop, uint64_t outer_variable) {
  const auto lower = static_cast<T>(loop.lower + loop.lower_per_outer * outer_variable);
  const auto upper = static_cast<T>(loop.upper + loop.upper_per_outer * outer_variable);
  const auto step = static_cast<std::make_signed_t<T>>(loop.step);
  const bool inclusive =
      loop.comparison == Comparison::kLessOrEqual || loop.comparison == Comparison::kGreaterOrEqual;
  return inclusive ? loop::Canonical<T>::inclusive(lower, upper, step)
                   : loop::Canonical<T>::exclusive(lower, upper, step);
}

bool depends_on_outer(const Loop& loop) {
  return in_type_of(loop, [&]<class T>(T) {
    return static_cast<T>(loop.lower_per_outer) != 0 || static_cast<T>(loop.upper_per_outer) != 0;
  });
}

uint64_t trip_of(const Loop& loop, uint64_t outer_variable) {
  return in_type_of(loop, [&]<class T>(T) { return space_of<T>(loop, outer_variable).trip(); });
}

// A number as the loop's variable has it, extended to 64 bits.
uint64_t as_variable(Type type, uint64_t value) {
  switch (type) {
    case Type::kU8:
      return static_cast<uint8_t>(value);
    case Type::kI8:
      return static_cast<uint64_t>(static_cast<int8_t>(value));
    case Type::kU16:
      return static_cast<uint16_t>(value);
    case Type::kI16:
      return static_cast<uint64_t>(static_cast<int16_t>(value));
    case Type::kU32:
      return static_cast<uint32_t>(value);
    case Type::kI32:
      return static_cast<uint64_t>(static_cast<int32_t>(value));
    case Type::kU64:
    case Type::kI64:
      return value;
  }
  die("a collapsed loop has a variable of type %d: known are 0 to 7", static_cast<int>(type));
}

uint64_t variable_at(const Loop& loop, uint64_t outer_variable, uint64_t iteration) {
  const uint64_t value = in_type_of(loop, [&]<class T>(T) {
    return static_cast<uint64_t>(space_of<T>(loop, outer_variable).value(iteration));
  });
  return as_variable(loop.variable_type, value);
}

// Compiled code reads the bounds again, and expects them to be inclusive.
void make_inclusive(Loop& loop) {
  const bool up = in_type_of(
      loop, [&]<class T>(T) { return static_cast<std::make_signed_t<T>>(loop.step) > 0; });
  if (loop.comparison == Comparison::kNotEqual)
    loop.comparison = up ? Comparison::kLess : Comparison::kGreater;
  if (loop.comparison == Comparison::kLess) {
    loop.comparison = Comparison::kLessOrEqual;
    --loop.upper;
  } else if (loop.comparison == Comparison::kGreater) {
    loop.comparison = Comparison::kGreaterOrEqual;
    ++loop.upper;
  }
}

// The points of a nest; a point has one variable for each loop.
class Nest {
 public:
  Nest(const Loop* loops, int32_t depth)
      : loops_(loops), depth_(depth), point_(static_cast<size_t>(depth)) {}

  uint64_t points() { return points_from(0); }

  // The point of this number.
  const std::vector<uint64_t>& find(uint64_t number) {
    for (int32_t at = 0; at < depth_; ++at) {
      uint64_t iteration = 0, inner = set(at, 0);
      if (varies_with(at)) {  // each iteration has its own number of points
        for (; number >= inner; inner = set(at, ++iteration)) number -= inner;
      } else {
        iteration = number / inner;
        number %= inner;
        set(at, iteration);
      }
    }
    return point_;
  }

 private:
  uint64_t outer_of(int32_t at) const { return point_[static_cast<size_t>(loops_[at].outer)]; }

  // Sets one variable, and returns how many points the loops inside have for it.
  uint64_t set(int32_t at, uint64_t iteration) {
    point_[static_cast<size_t>(at)] = variable_at(loops_[at], outer_of(at), iteration);
    return points_from(at + 1);
  }

  bool varies_with(int32_t at) const {
    for (int32_t inner = at + 1; inner < depth_; ++inner) {
      if (loops_[inner].outer == at && depends_on_outer(loops_[inner])) return true;
    }
    return false;
  }

  // The points that differ in the variables from `at` on.
  uint64_t points_from(int32_t at) {
    if (at == depth_) return 1;
    const uint64_t trip = trip_of(loops_[at], outer_of(at));
    if (trip == 0) return 0;
    if (!varies_with(at)) return trip * set(at, 0);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < trip; ++i) sum += set(at, i);
    return sum;
  }

  const Loop* loops_;
  int32_t depth_;
  std::vector<uint64_t> point_;
};

}  // namespace

VICINO_API uint64_t __kmpc_process_loop_nest_rectang(Ident*, int32_t, Loop* loops, int32_t depth) {
  uint64_t total = 1;
  for (int32_t at = 0; at < depth; ++at) {
    loops[at].trip = trip_of(loops[at], 0);
    make_inclusive(loops[at]);
    total *= loops[at].trip;
  }
  return total;
}

VICINO_API void __kmpc_calc_original_ivs_rectang(Ident*, uint64_t number, const Loop* loops,
                                                 uint64_t* variables, int32_t depth) {
  for (int32_t at = depth - 1; at >= 0; --at) {
    variables[at] = number % loops[at].trip;  // the iteration
    number /= loops[at].trip;
  }
  for (int32_t at = 0; at < depth; ++at)
    variables[at] = variable_at(loops[at], variables[loops[at].outer], variables[at]);
}

// Gives the calling member its block: the first point as lower bounds of `chunk`, the last one as
// upper bounds, and returns whether it has any.
VICINO_API int32_t __kmpc_for_collapsed_init(Ident*, int32_t, Loop* loops, Loop* chunk,
                                             int32_t depth, int32_t* last) {
  team::Member& me = region::me();
  ++me.met.worksharings;
  Nest nest(loops, depth);
  const uint64_t points = nest.points();
  const loop::Range block = loop::static_block(points, static_cast<uint32_t>(me.team->size),
                                               static_cast<uint32_t>(me.id));
  if (last != nullptr) *last = !block.empty() && block.end == points;
  std::vector<uint64_t> first, final;
  if (!block.empty()) {
    first = nest.find(block.begin);
    final = nest.find(block.end - 1);
  }
  for (int32_t at = 0; at < depth; ++at) {
    make_inclusive(loops[at]);
    chunk[at] = loops[at];
    if (block.empty()) continue;
    chunk[at].lower = first[static_cast<size_t>(at)];
    chunk[at].upper = final[static_cast<size_t>(at)];
    chunk[at].lower_per_outer = chunk[at].upper_per_outer = 0;
  }
  return !block.empty();
}
