// loops.cpp: the C++ loops: a picture of the Mandelbrot set in tiles, its area by a reduction, and
// an exception that comes back from a loop.
//
//     loops [SCHEDULE]       as for VICINO_SCHEDULE; "nich" if left out
//
// To build: c++ -std=c++17 -O2 -fopenmp -c loops.cpp, then c++ loops.o -lvicino; see
// docs/reference/linking.md.
#include <algorithm>
#include <complex>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>
#include <vicino/loop.hpp>

namespace {

constexpr int kWidth = 240, kHeight = 160, kMost = 500;

// The number of steps z -> z^2 + c until |z| > 2, kMost if z stays below. The columns go from -2 to
// 1, the rows from -1 to 1.
int steps_at(int row, int column) {
  const std::complex<double> c(-2 + 3 * (column + 0.5) / kWidth, -1 + 2 * (row + 0.5) / kHeight);
  std::complex<double> z = 0;
  int steps = 0;
  while (steps < kMost && std::norm(z) <= 4) {
    z = z * z + c;
    ++steps;
  }
  return steps;
}

// A point takes between 1 and kMost steps, so equal shares of the picture are not equal work, and a
// schedule that adapts is faster.
std::vector<int> picture(const vicino::schedule& how) {
  std::vector<int> steps(kWidth * kHeight);
  const vicino::range2d<int> points({0, kHeight}, {0, kWidth}, 8, 40);
  vicino::parallel_for(
      points,
      [&](const vicino::range2d<int>::rectangle& part) {
        for (int row = part.first_row; row < part.last_row; ++row)
          for (int column = part.first_column; column < part.last_column; ++column)
            steps.at(static_cast<size_t>(row * kWidth + column)) = steps_at(row, column);
      },
      how);
  return steps;
}

double area(const std::vector<int>& steps, const vicino::schedule& how) {
  const long inside = vicino::parallel_reduce(
      vicino::range(steps.begin(), steps.end()), 0L,
      [](auto point) -> long { return *point == kMost; }, std::plus<>(), how);
  return 6.0 * static_cast<double>(inside) / (kWidth * kHeight);
}

void show(const std::vector<int>& steps) {
  for (int row = 4; row < kHeight; row += 16) {
    for (int column = 2; column < kWidth; column += 5)
      std::putchar(
          " .:*#"[steps[static_cast<size_t>(row * kWidth + column)] == kMost
                      ? 4
                      : std::min(steps[static_cast<size_t>(row * kWidth + column)] / 4, 3)]);
    std::putchar('\n');
  }
}

// The index of a number below 0; -1 if there is none.
int first_negative(const std::vector<int>& values) {
  try {
    vicino::parallel_for(vicino::range(0, static_cast<int>(values.size())), [&](int i) {
      if (values[static_cast<size_t>(i)] < 0) throw std::out_of_range(std::to_string(i));
    });
  } catch (const std::out_of_range& found) {
    return std::stoi(found.what());
  }
  return -1;
}

}  // namespace

int main(int argc, char** argv) try {
  const vicino::schedule how(argc > 1 ? argv[1] : "nich");
  std::vector<int> steps = picture(how);
  show(steps);
  const double found = area(steps, how);
  std::printf("area %.3f\n", found);
  steps[1234] = -1;
  std::printf("negative: %d\n", first_negative(steps));
  // The true area is 1.506...
  return found > 1.4 && found < 1.6 && first_negative(steps) == 1234 ? 0 : 1;
} catch (const std::invalid_argument& error) {
  std::fprintf(stderr, "loops: %s\n", error.what());
  return 2;
}
