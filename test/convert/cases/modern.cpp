// Templates, lambdas, ranges, methods.
#include <numeric>
#include <vector>

template <typename T>
struct Field {
  std::vector<T> values;
  void scale(T by) {
#pragma omp parallel for
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= by;
  }
};

template <typename T>
T sum_of(const std::vector<T>& all) {
  T sum{};
#pragma omp parallel for reduction(+ : sum)
  for (auto it = all.begin(); it < all.end(); ++it) sum += *it;
  return sum;
}

template <typename T>
void twice(std::vector<T>& all) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused: line 28
    for (auto& each : all) each += each;
#pragma omp for  // refused: line 26
    for (auto& each : all) each += 1;
  }
}

int use(std::vector<int>& all) {
  auto add = [&](int by) {
#pragma omp parallel for
    for (auto& each : all) each += by;
  };
  add(2);
  Field<float>{}.scale(2);
  twice(all);
  return sum_of(all);
}
