// The functions of each side that mixed.cpp calls.
#pragma once

struct Side {
  long (*sum_of_squares)(long n);  // in a team of two
  void (*in_parallel)(int threads, void (*visit)(void*), void* argument);
  void (*await_team)();  // an orphaned barrier
  int (*thread_num)();
  int (*num_threads)();
  int (*level)();
  void (*set_max_active_levels)(int);
};
