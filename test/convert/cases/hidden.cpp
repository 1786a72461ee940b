// Calls that the text does not show, or that need not happen, between a nowait loop and the next
// static one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <thread>
#include <vector>

static double* data;
static int length;
static int meeting() {
#pragma omp barrier
  return 1;
}
static void second(int n) {
#pragma omp for schedule(static)
  for (int i = 0; i < n; ++i) data[i] += i;
}
struct Finish {
  explicit Finish(int n) : length(n) {}
  ~Finish() { second(length); }
  bool good() const { return length > 0; }
  int length;
};
struct Holder : Finish {
  using Finish::Finish;
};
struct Starter {
  Starter(int n) { second(n); }
};
struct Ender {
  ~Ender() { meeting(); }
};
struct Functor {
  void operator()(int n) const { second(n); }
};
static Finish make() { return Finish(length); }

void given_a_function(const std::function<void(int)>& call, std::vector<int>& many, int n) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused: 'operator()'
    for (int i = 0; i < n; ++i) data[i] = i;
    call(n);
#pragma omp barrier
#pragma omp for nowait  // refused: 'for_each'
    for (int i = 0; i < n; ++i) data[i] = i;
    std::for_each(many.begin(), many.end(), second);
#pragma omp barrier
#pragma omp for nowait  // refused: 'for_each'
    for (int i = 0; i < n; ++i) data[i] = i;
    std::for_each(many.begin(), many.end(), Functor());
#pragma omp barrier
#pragma omp for nowait  // refused: loop at line 19
    for (int i = 0; i < n; ++i) data[i] = i;
    std::for_each(many.begin(), many.end(), [](int m) { second(m); });
#pragma omp barrier
#pragma omp for nowait  // refused: 'operator int (*)(
    for (int i = 0; i < n; ++i) data[i] = i;
    std::qsort(data, 3, sizeof *data, [](const void*, const void*) { return meeting(); });
#pragma omp barrier
#pragma omp for nowait  // refused: 'thread'
    for (int i = 0; i < n; ++i) data[i] = i;
    std::thread(second, n).join();
  }
}

void of_the_library(std::vector<double>& many, int n) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused (taskloop): nowait
    for (int i = 0; i < n; ++i) many[i] = std::sqrt(i);
    std::printf("%d\n", static_cast<int>(std::max<size_t>(many.size(), 3)));
    std::sort(many.begin(), many.end(), std::greater<>());
    std::cout << many[0] << std::endl;
    std::free(std::malloc(3));
  }
}

void perhaps(int n) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused: loop at line 89
    for (int i = 0; i < n; ++i) data[i] = i;
    const int z = n > 5 && meeting();
#pragma omp for  // refused: nowait loop at line 86
    for (int i = 0; i < n; ++i) data[i] += z;
#pragma omp for nowait  // refused: loop at line 94
    for (int i = 0; i < n; ++i) data[i] = i;
    if (n < 9 || meeting()) data[0] = 1;
#pragma omp for  // refused: nowait loop at line 91
    for (int i = 0; i < n; ++i) data[i] += 1;
#pragma omp for nowait  // refused: loop at line 99
    for (int i = 0; i < n; ++i) data[i] = i;
    data[0] = n > 2 ? meeting() : 0;
#pragma omp for  // refused: nowait loop at line 96
    for (int i = 0; i < n; ++i) data[i] += 1;
#pragma omp for nowait  // refused: loop at line 104
    for (int i = 0; i < n; ++i) data[i] = i;
    data[0] = n ?: meeting();
#pragma omp for  // refused: nowait loop at line 101
    for (int i = 0; i < n; ++i) data[i] += 1;
#pragma omp for nowait  // refused: loop at line 109
    for (int i = 0; i < n; ++i) data[i] = i;
    data[0] = sizeof(meeting()) + noexcept(meeting());
#pragma omp for  // refused: nowait loop at line 106
    for (int i = 0; i < n; ++i) data[i] += 1;
#pragma omp for nowait  // refused: loop at line 114
    for (int i = 0; i < n; ++i) data[i] = i;
    decltype(meeting()) y = 3;
#pragma omp for  // refused: nowait loop at line 111
    for (int i = 0; i < n; ++i) data[i] += y;
#pragma omp for nowait  // refused (taskloop): nowait
    for (int i = 0; i < n; ++i) data[i] = i;
    const int met = meeting() && n > 5;
#pragma omp for
    for (int i = 0; i < n; ++i) data[i] += met;
  }
}

void at_ends(int n) {
#pragma omp parallel
  {
    {
      Finish finish(n);
#pragma omp for nowait  // refused: loop at line 19
      for (int i = 0; i < n; ++i) data[i] = i;
    }
#pragma omp barrier
    for (int t = 0; t < 3; ++t) {
      std::vector<Holder> holder(1, Holder(n));
#pragma omp for nowait  // refused: loop at line 19
      for (int i = 0; i < n; ++i) data[i] = i;
      if (n > 3) break;
#pragma omp barrier
    }
#pragma omp barrier
#pragma omp for nowait  // refused: loop at line 19
    for (int i = 0; i < n; ++i) data[i] = i;
    if (make().good()) data[0] = 1;
#pragma omp barrier
#pragma omp for nowait  // refused: loop at line 19
    for (int i = 0; i < n; ++i) data[i] = i;
    Starter both[2] = {n, n};
#pragma omp barrier
#pragma omp for nowait  // refused: loop at line 19
    for (int i = 0; i < n; ++i) data[i] = i;
    delete reinterpret_cast<Finish*>(data);
#pragma omp barrier
#pragma omp for nowait  // refused: loop at line 159
    for (int i = 0; i < n; ++i) data[i] = i;
    {
      Ender ender;
      if (n > 3) data[0] = 1;
    }
#pragma omp for  // refused: nowait loop at line 153
    for (int i = 0; i < n; ++i) data[i] += 1;
  }
}
