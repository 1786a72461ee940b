/* forall.h: mixed static and dynamic loops inside a parallel region, for C and C++.
 *
 *     #pragma omp parallel
 *     {
 *       const int tid = omp_get_thread_num(), p = omp_get_num_threads();
 *       FORALL_BEGIN(staggered, tid, p, 0, n, begin, end, vicino_predict_static_fraction())
 *       for (int i = begin; i < end; ++i) y[i] = a * x[i] + y[i];
 *       FORALL_END()
 *     }
 *
 * Every thread of the region comes to the loop, as to `omp for`. The code between the two lines is
 * run once for each chunk, where [begin, end) are the chunk's iterations: two variables that the
 * macro declares, of the type of lo + hi. FORALL_END is a barrier, FORALL_END_NOWAIT is none.
 *
 *   strategy   a schedule: its name as a word, or a string with parameters: staggered,
 *              "mixed,chunk=8". static, mixed, staggered, vsched and mixed_variable are the
 *              family; any other schedule may be given, too, and ignores f
 *   tid, p     omp_get_thread_num() and omp_get_num_threads()
 *   lo, hi     the iterations are lo to hi - 1; none if hi <= lo. Integers that fit int64_t
 *   begin, end  names for the chunk's bounds
 *   f          the static fraction, 0 to 1: how much of the loop is dealt out beforehand. If
 *              threads disagree, the value of the first thread to come holds for all
 *
 * `continue` goes to the next chunk. With `break` a thread gives up the chunks that it would still
 * have got, so iterations are left undone. No return, goto or exception may leave the block. A
 * strategy that does not exist, a tid or p that is not the region's, or an f outside 0 to 1 end the
 * program with a message.
 *
 * OMP_SCHEDULE and VICINO_SCHEDULE have no effect here, since the program names its schedule. A
 * rule for this loop in a file of VICINO_CONFIG has one. */
#ifndef VICINO_FORALL_H
#define VICINO_FORALL_H

#include <vicino/loop.h>

/* The static fraction that the runtime would choose, 1/32 to 1.
 *
 * As the argument f of FORALL_BEGIN the answer is for that loop. Elsewhere it is for the FORALL to
 * which this thread came next when this line was last run; so a program may ask before a region and
 * use the answer in it. The answer comes from how long the threads took for their static parts so
 * far, whatever fractions were used, and is smoothed over executions.
 *
 * It is 0.5 as long as nothing is known: before the loop's first execution has ended, with one
 * thread, and if the strategy has no static fraction. */
#define vicino_predict_static_fraction()                      \
  (__extension__({                                            \
    static vicino_forall_prediction vicino_prediction_ = {0}; \
    vicino_forall_predict(&vicino_prediction_);               \
  }))

/* Begins the block; the head of this file says what the arguments mean. */
#define FORALL_BEGIN(strategy, tid, p, lo, hi, begin, end, f)                    \
  {                                                                              \
    static vicino_forall_site vicino_site_ = {VICINO_LOOP_LINE_(strategy),       \
                                              VICINO_HERE, 0, 0};                \
    int64_t vicino_first_, vicino_last_;                                         \
    vicino_forall_here(&vicino_site_);                                           \
    vicino_forall_begin(&vicino_site_, tid, p, lo, hi, f);                       \
    while (vicino_forall_next(&vicino_first_, &vicino_last_)) {                  \
      __typeof__((lo) + (hi)) begin = (__typeof__((lo) + (hi)))vicino_first_;    \
      __typeof__((lo) + (hi)) end = (__typeof__((lo) + (hi)))vicino_last_;       \
      (void)begin;                                                               \
      (void)end;                                                                 \
      {
/* Ends the block. The arguments have no effect: they are for the reader. */
#define FORALL_END(...) VICINO_FORALL_END_(1)
#define FORALL_END_NOWAIT(...) VICINO_FORALL_END_(0)

/* From here on: parts of the macros. */
#define VICINO_FORALL_END_(waits) \
      }                           \
    }                             \
    vicino_forall_end(waits);     \
  }

#ifdef __cplusplus
extern "C" {
#endif

/* One FORALL of the program. The runtime owns the last two members; they are NULL at first. */
typedef struct vicino_forall_site {
  const char* strategy;
  const char* source;
  const void* schedule;
  const void* learned;
} vicino_forall_site;

typedef struct vicino_forall_prediction {
  const void* site;
} vicino_forall_prediction;

double vicino_forall_predict(vicino_forall_prediction* asked);
void vicino_forall_here(vicino_forall_site* site);
void vicino_forall_begin(vicino_forall_site* site, int tid, int p, int64_t lo, int64_t hi,
                         double f);
int vicino_forall_next(int64_t* first, int64_t* last);
void vicino_forall_end(int waits);

#ifdef __cplusplus
}
#endif

#endif
