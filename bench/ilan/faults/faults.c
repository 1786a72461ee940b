// faults.c: faulty taskloops of GCC's ABI, and the faulty loops of ../../loops/faults. One library
// is built from this file for each fault. Preloaded before a correct runtime, these libraries show
// that the kernels' checks notice the faults.
#include "../../loops/faults/faults.c"

typedef void Taskloop(void (*f)(void*), void* data, void (*copy)(void*, void*), long size,
                      long align, unsigned flags, unsigned long amount, int priority, long first,
                      long last, long step);
Taskloop GOMP_taskloop;

#ifdef iteration_lost
enum { kLost = 1, kRepeated = 0 };
#endif
#ifdef iteration_twice
enum { kLost = 0, kRepeated = 1 };
#endif

void GOMP_taskloop(void (*f)(void*), void* data, void (*copy)(void*, void*), long size, long align,
                   unsigned flags, unsigned long amount, int priority, long first, long last,
                   long step) {
  Taskloop* const run = (Taskloop*)good("GOMP_taskloop");
  const unsigned reduces = 1 << 12;  // the data name the sums, so they cannot be used twice
  const bool spoilt = first < last && !(kRepeated && (flags & reduces)) && chosen();
  run(f, data, copy, size, align, flags, amount, priority, first,
      spoilt && kLost ? last - step : last, step);
  if (spoilt && kRepeated)
    run(f, data, copy, size, align, flags, amount, priority, last - step, last, step);
}
