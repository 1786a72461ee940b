// counted.hpp: objects of which the program knows how many there are.
#pragma once

static int alive;

struct Counted {
  explicit Counted(int its) : value(its) { add(1); }
  Counted(const Counted& other) : value(other.value) { add(1); }
  ~Counted() { add(-1); }
  static void add(int n) { __atomic_fetch_add(&alive, n, __ATOMIC_RELAXED); }
  int value;
};
