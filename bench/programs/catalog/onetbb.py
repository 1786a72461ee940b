from program import Program

PROGRAM = Program(
    about="oneTBB alone: a parallel sum and sort, no OpenMP",
    debian="libtbb-dev g++-12",
    sizes={"count": (4_000_000, 200_000)},
    files={"tbb.cpp": """
#include <oneapi/tbb.h>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  std::vector<unsigned> numbers(@count@);
  std::mt19937 random(17);
  for (unsigned& number : numbers) number = random();
  tbb::parallel_sort(numbers.begin(), numbers.end());
  const auto sum = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, numbers.size()), 0ull,
      [&](const auto& range, unsigned long long part) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) part += numbers[i] * (i % 7);
        return part;
      },
      std::plus<>());
  std::printf("%u %u %llu\\n", numbers.front(), numbers.back(), sum);
}
"""},
    prepare="g++-12 -std=c++20 -O2 tbb.cpp -o tbb -ltbb",
    command="./tbb",
    openmp=False,
    in_make_test=True,
)
