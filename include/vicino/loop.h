/* loop.h: loops on the threads of OpenMP's regions, for C and C++ without pragmas.
 *
 *     static int add(int64_t first, int64_t last, void* data) {
 *       struct arrays* x = data;
 *       for (int64_t i = first; i < last; ++i) x->c[i] = x->a[i] + x->b[i];
 *       return 0;
 *     }
 *     ...
 *     vicino_parallel_for(0, n, add, &arrays, NULL);
 *
 * Such a loop is a parallel region with one worksharing loop in it, like `omp parallel for`: it has
 * as many threads (the same ones, on the same places), and it ends after all iterations. So
 *  - inside a region or a task the loop is a nested region. By OpenMP's default that region has one
 *    thread, and the calling thread runs all; omp_set_max_active_levels or OMP_MAX_ACTIVE_LEVELS
 *    allow more. To share a loop among the threads of an existing region, see forall.h;
 *  - the body may call what the body of a worksharing loop may call: regions, tasks and loops of
 *    its own, but no barrier and no `omp for` of the same region. It must not throw, nor leave by
 *    longjmp: loop.hpp is for C++;
 *  - several threads may run loops at a time.
 *
 * The functions set no errno. C++: <vicino/loop.hpp>. More: docs/reference/loops-api.md. */
#ifndef VICINO_LOOP_H
#define VICINO_LOOP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A schedule with its parameters. It lives as long as the process and is never freed; equal texts
 * give the same one. */
typedef struct vicino_schedule vicino_schedule;

/* The schedule that `text` names, written as for VICINO_SCHEDULE:
 * name[,preset][,chunk][,parameter=value...], for instance "ich", "dynamic,16" or
 * "mixed,f=0.75,chunk=8".
 *
 * Returns NULL for any other text. Then `message`, of `size` bytes, gets a line that names what is
 * wrong and what is accepted, cut to fit; `size` may be 0. */
const vicino_schedule* vicino_schedule_parse(const char* text, char* message, size_t size);

/* The name of schedule `number`, counted from 0; NULL if there are no more. */
const char* vicino_schedule_name(size_t number);

#define VICINO_LOOP_TEXT_(x) #x
#define VICINO_LOOP_LINE_(x) VICINO_LOOP_TEXT_(x)
/* Marks a place in the source, for `site` below: "loops met here". */
#define VICINO_HERE (";" __FILE__ ";;" VICINO_LOOP_LINE_(__LINE__) ";0;;")

/* If all members are 0, the loop is like one with schedule(runtime) and no other clause. */
typedef struct vicino_loop_options {
  /* NULL: the schedule that OMP_SCHEDULE and VICINO_SCHEDULE name, as for schedule(runtime). Any
   * other value is used whatever these variables say; a rule for this loop (VICINO_CONFIG) is
   * stronger. */
  const vicino_schedule* schedule;
  /* As in the num_threads clause; 0: as in a region without the clause. */
  int num_threads;
  /* Which loop of the program this is: a schedule keeps what it learns by this address and the
   * number of threads. VICINO_HERE, or any text that lives as long as the process; NULL: the place
   * that calls the function. */
  const char* site;
} vicino_loop_options;

/* Runs a chunk: iterations `first` to `last` - 1, at least one. Returns 0 to go on. With any other
 * value the loop ends early: chunks that have begun are finished, and no other chunk is begun. */
typedef int vicino_loop_body(int64_t first, int64_t last, void* data);

/* Runs `body` on chunks that cover begin to end - 1, each iteration once; there are none if end <=
 * begin. `options` may be NULL. With one thread all iterations are one chunk.
 *
 * Returns 0; or EINVAL, without a body or with a negative num_threads; or ENOMEM, if memory lacks
 * before the loop begins; or the value that a body returned to end the loop. Of several values it
 * is that of the chunk that comes first in the range. If memory lacks later, the program ends with
 * a message. */
int vicino_parallel_for(int64_t begin, int64_t end, vicino_loop_body* body, void* data,
                        const vicino_loop_options* options);

/* Runs a chunk of a reduction; `partial` is the thread's own partial result. */
typedef int vicino_reduce_body(int64_t first, int64_t last, void* partial, void* data);

/* What a partial result is and how partial results become one. */
typedef struct vicino_reduction {
  size_t bytes; /* of a partial result, which is aligned to 128 bytes */
  /* Makes a partial result, in the thread that will use it, before that thread's first chunk. A
   * thread that gets no chunk has no partial result. */
  void (*init)(void* partial, void* data);
  /* The caller's thread calls this after the loop, once for each partial result, by increasing
   * thread number, also if the loop ended early. So this is the place to free what a partial result
   * owns. */
  void (*combine)(void* result, void* partial, void* data);
} vicino_reduction;

/* Like vicino_parallel_for. The result is in *result, which the caller gives its first value.
 *
 * Under `static`, with or without a chunk, the iterations of each partial result, their order and
 * the order of combination depend on the range and the number of threads alone: with the same
 * number of threads, floating-point results are the same to the last bit. Under other schedules
 * only the order of combination is fixed, not which iterations go into which partial result.
 *
 * ENOMEM is also returned if there is no memory for the partial results (nothing was run then), and
 * EINVAL without one of the functions. */
int vicino_parallel_reduce(int64_t begin, int64_t end, vicino_reduce_body* body, void* data,
                           const vicino_reduction* reduction, void* result,
                           const vicino_loop_options* options);

#ifdef __cplusplus
}
#endif

#endif
