// What mixed.cpp asks of each side.
#pragma once

struct Side {
  long (*sum_of_squares)(long n);  // in a team of two
  void (*in_parallel)(int threads, void (*visit)(void*), void* argument);
  void (*await_team)();  // the barrier, orphaned
  int (*thread_num)();
  int (*num_threads)();
  int (*level)();
  void (*set_max_active_levels)(int);
};
