// Uses the installed headers for C++.
#include <functional>
#include <vicino/loop.hpp>

long sum_in_cpp() {
  return vicino::parallel_reduce(
      vicino::range(0, 1000), 0L, [](int i) -> long { return i; }, std::plus<>(), "steal");
}
