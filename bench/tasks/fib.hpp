// fib.hpp: the common parts of the forms of fib.
#pragma once

namespace bench {

struct Fib {
  static constexpr const char* kName = "fib";
  static constexpr long kSmall = 16, kLarge = 31, kMost = 60;

  explicit Fib(long number) : n(number) {}
  void prepare() { answer = -1; }
  bool right() const { return answer == step(n); }
  // Each call that is not a leaf generates two.
  long tasks() const { return 2 * (step(n + 1) - 1); }

  long n;
  long answer = -1;

 private:
  static long step(long count) {
    long now = 0, next = 1;
    for (long i = 0; i < count; ++i) {
      const long sum = now + next;
      now = next;
      next = sum;
    }
    return now;
  }
};

}  // namespace bench
