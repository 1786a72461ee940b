// Nests of loops that are shared out by one call, where an inner loop's bounds may depend on an
// outer variable: every thread gets a block of the nest's points, in the order of the loops.
// test: skip gcc libgomp has no such entry points
// test: uses threads=1,2,7
// test: peer clang-19 libomp 19 gives unequal blocks, and stops at loops that count down
#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.h"

namespace {

enum Type : int32_t { kU8, kI8, kU16, kI16, kU32, kI32, kU64, kI64 };
enum Comparison : int32_t { kLessOrEqual, kGreaterOrEqual, kNotEqual, kLess, kGreater };
struct Loop {
  Type type, variable_type;
  Comparison comparison;
  int32_t outer;
  uint64_t lower, lower_per_outer, upper, upper_per_outer;
  int64_t step;
  uint64_t trip;
};
using Nest = std::vector<Loop>;
using Point = std::vector<int64_t>;

extern "C" int __kmpc_global_thread_num(void*);
extern "C" uint64_t __kmpc_process_loop_nest_rectang(void*, int, Loop*, int);
extern "C" void __kmpc_calc_original_ivs_rectang(void*, uint64_t, const Loop*, uint64_t*, int);
extern "C" int __kmpc_for_collapsed_init(void*, int, Loop*, Loop*, int, int* last);
extern "C" void __kmpc_for_static_fini(void*, int);

// Numbers of 32 bits fill half of their words; the other half has no meaning.
uint64_t word(Type type, int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return type >= kU64 ? bits : (bits & UINT32_MAX) | uint64_t{0xabcd} << 32;
}
Loop loop(Type type, Comparison comparison, int64_t lower, int64_t upper, int64_t step) {
  return {type,          type, comparison, 0, word(type, lower), word(type, 0), word(type, upper),
          word(type, 0), step, 0};
}
Loop on(Loop inner, int outer, int64_t lower_per_outer, int64_t upper_per_outer) {
  inner.outer = outer;
  inner.lower_per_outer = word(inner.type, lower_per_outer);
  inner.upper_per_outer = word(inner.type, upper_per_outer);
  return inner;
}
Loop with_variable(Type type, Loop inner) {
  inner.variable_type = type;
  return inner;
}

int64_t number(Type type, uint64_t bits) {
  switch (type) {
    case kU8:
      return static_cast<uint8_t>(bits);
    case kI8:
      return static_cast<int8_t>(bits);
    case kU32:
      return static_cast<uint32_t>(bits);
    case kI32:
      return static_cast<int32_t>(bits);
    default:
      return static_cast<int64_t>(bits);
  }
}

// The points of the nest, as plain loops have them.
void walk(const Nest& nest, Point& point, std::vector<Point>& points) {
  const size_t at = point.size();
  if (at == nest.size()) return points.push_back(point);
  const Loop& l = nest[at];
  const auto bound = [&](uint64_t base, uint64_t per_outer) {
    const int64_t factor = number(l.type, per_outer);
    return number(l.type, base) + (factor == 0 ? 0 : factor * point[size_t(l.outer)]);
  };
  const int64_t upper = bound(l.upper, l.upper_per_outer);
  const auto runs = [&](int64_t i) {
    switch (l.comparison) {
      case kLessOrEqual:
        return i <= upper;
      case kGreaterOrEqual:
        return i >= upper;
      case kNotEqual:
        return i != upper;
      case kLess:
        return i < upper;
      default:
        return i > upper;
    }
  };
  for (int64_t i = bound(l.lower, l.lower_per_outer); runs(i); i += l.step) {
    point.push_back(i);
    walk(nest, point, points);
    point.pop_back();
  }
}
std::vector<Point> points_of(const Nest& nest) {
  std::vector<Point> points;
  Point point;
  walk(nest, point, points);
  return points;
}

// Whether the loops meet a before b.
bool is_before(const Nest& nest, const Point& a, const Point& b) {
  for (size_t at = 0; at < nest.size(); ++at)
    if (a[at] != b[at]) return (a[at] < b[at]) == (nest[at].step > 0);
  return false;
}

// The bounds include the upper one after the call, wherever the loop had it.
void check_inclusive(const Loop& given, const Loop& now) {
  const bool up = given.step > 0;
  CHECK_EQ(now.comparison, up ? kLessOrEqual : kGreaterOrEqual);
  const bool was = given.comparison == now.comparison;
  CHECK_EQ(static_cast<uint32_t>(now.upper), static_cast<uint32_t>(given.upper) + (was  ? 0u
                                                                                   : up ? -1u
                                                                                        : 1u));
}

void check_shares(const Nest& nest) {
  const std::vector<Point> points = points_of(nest);
  const int depth = static_cast<int>(nest.size());
  std::vector<unsigned char> hits(points.size() + 1);
  int lasts = 0, least = INT32_MAX, most = 0;
#pragma omp parallel reduction(+ : lasts) reduction(min : least) reduction(max : most)
  {
    const int gtid = __kmpc_global_thread_num(nullptr);
    Nest mine = nest, chunk(nest.size());
    int last = 7, count = 0;
    if (__kmpc_for_collapsed_init(nullptr, gtid, mine.data(), chunk.data(), depth, &last) != 0) {
      Point from, to;
      for (size_t at = 0; at < nest.size(); ++at) {
        check_inclusive(nest[at], mine[at]);
        CHECK_EQ(chunk[at].comparison, mine[at].comparison);
        CHECK_EQ(chunk[at].upper_per_outer, 0);
        from.push_back(number(nest[at].variable_type, chunk[at].lower));
        to.push_back(number(nest[at].variable_type, chunk[at].upper));
      }
      CHECK(std::find(points.begin(), points.end(), from) != points.end());
      for (size_t i = 0; i < points.size(); ++i)
        if (!is_before(nest, points[i], from) && !is_before(nest, to, points[i])) {
          hit(hits.data(), static_cast<long>(i));
          ++count;
        }
      CHECK_EQ(last, !is_before(nest, to, points.back()));
      lasts += last;
    } else {
      CHECK_EQ(last, 0);
    }
    __kmpc_for_static_fini(nullptr, gtid);
    least = std::min(least, count);
    most = std::max(most, count);
  }
  CHECK_EACH_ONCE(hits.data(), static_cast<long>(points.size()));
  CHECK_EQ(lasts, !points.empty());
  CHECK(most - least <= 1);
}

void check_rectangle(const Nest& nest) {
  const std::vector<Point> points = points_of(nest);
  const int depth = static_cast<int>(nest.size());
  Nest mine = nest;
  CHECK_EQ(__kmpc_process_loop_nest_rectang(nullptr, 0, mine.data(), depth), points.size());
  for (size_t at = 0; at < nest.size(); ++at) check_inclusive(nest[at], mine[at]);
  for (size_t i = 0; i < points.size(); ++i) {
    std::vector<uint64_t> variables(nest.size());
    __kmpc_calc_original_ivs_rectang(nullptr, i, mine.data(), variables.data(), depth);
    for (size_t at = 0; at < nest.size(); ++at)
      CHECK_EQ(number(nest[at].variable_type, variables[at]), points[i][at]);
  }
  check_shares(nest);
}

}  // namespace

int main() {
  check_rectangle({loop(kI32, kLess, 0, 10, 1)});
  check_rectangle({loop(kI32, kLessOrEqual, -4, 10, 3), loop(kI64, kGreater, 9, -2, -2)});
  check_rectangle({loop(kU32, kNotEqual, 3, 9, 2), loop(kU64, kGreaterOrEqual, 11, 2, -3),
                   loop(kI32, kNotEqual, 5, -1, -1)});
  check_rectangle({with_variable(kU8, loop(kI32, kLess, 250, 256, 1)),
                   with_variable(kI8, loop(kI32, kLess, -3, 4, 1))});
  check_rectangle({loop(kI32, kLess, 0, 10, 1), loop(kI32, kLess, 5, 5, 1)});
  check_rectangle({loop(kU32, kLess, 0, 0, 1), loop(kI32, kLess, 0, 5, 1)});
  check_rectangle({loop(kI64, kLessOrEqual, INT64_MIN, INT64_MIN + 6, 2)});

  const Loop outer = loop(kI32, kLess, 0, 20, 1);
  check_shares({outer, on(loop(kI32, kLess, 0, 20, 1), 0, 1, 0)});  // j from i
  check_shares({outer, on(loop(kI32, kLess, 0, 0, 1), 0, 0, 1)});   // j below i: first row empty
  check_shares({outer, on(loop(kI32, kLessOrEqual, -2, 2, 1), 0, 1, 1)});  // a band
  check_shares(
      {loop(kI64, kGreaterOrEqual, 15, -3, -2), on(loop(kI64, kGreater, 30, -7, -3), 0, 1, 2)});
  check_shares({outer, on(loop(kI32, kLess, 0, 40, 3), 0, 3, 1), loop(kU64, kNotEqual, 1, 4, 1)});
  check_shares({loop(kI32, kLess, 0, 8, 1), on(loop(kI32, kLess, 0, 8, 1), 0, 1, 0),
                on(loop(kI32, kLess, 0, 8, 1), 1, 1, 0)});
  check_shares(
      {loop(kI32, kLess, 0, 6, 1), loop(kI32, kLess, 0, 5, 2),
       on(loop(kI32, kLessOrEqual, 3, 3, 1), 0, 0, -1)});  // rows that end before they begin
  check_shares({outer, on(loop(kI32, kLess, 100, 5, 1), 0, 1, 0)});  // empty
  return check_result();
}
