// vicino/loop.h from C99: each iteration runs once under every schedule, wherever the loop is
// started from; wrong arguments are refused.
// test: uses -std=c99 -pedantic-errors -Werror -D_POSIX_C_SOURCE=200809L
// test: variant settings VICINO_SCHEDULE=dynamic,37
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>
#include <vicino/vicino.h>

#include "../omp/check.h"

enum { kMost = 3000 };

struct seen {
  unsigned char counts[kMost];
  int64_t begin;
  int sizes[64]; /* the team's size, by thread number */
};

static int note(int64_t first, int64_t last, void* data) {
  struct seen* seen = data;
  CHECK(first < last);
  seen->sizes[omp_get_thread_num()] = omp_get_num_threads();
  for (int64_t i = first; i < last; ++i) hit(seen->counts, (long)(i - seen->begin));
  return 0;
}

static void each_once(const vicino_loop_options* options, int64_t begin, int64_t trip) {
  struct seen seen = {{0}, 0, {0}};
  seen.begin = begin;
  CHECK_EQ(vicino_parallel_for(begin, begin + trip, note, &seen, options), 0);
  CHECK_EACH_ONCE(seen.counts, kMost < trip ? kMost : trip);
  CHECK_EACH_ONCE(seen.counts, 0);
}

static const vicino_schedule* parsed(const char* text) {
  char message[200] = "";
  const vicino_schedule* schedule = vicino_schedule_parse(text, message, sizeof message);
  if (schedule == NULL) fprintf(stderr, "%s: %s\n", text, message);
  CHECK(schedule != NULL);
  return schedule;
}

typedef void Use(const vicino_loop_options*);

static void with_each_schedule(Use* use) {
  vicino_loop_options options = {0};
  use(&options);
  for (size_t i = 0; vicino_schedule_name(i) != NULL; ++i) {
    options.schedule = parsed(vicino_schedule_name(i));
    use(&options);
    char text[64];
    snprintf(text, sizeof text, "%s,5", vicino_schedule_name(i));
    options.schedule = parsed(text);
    options.site = VICINO_HERE;
    use(&options);
    options.site = NULL;
  }
}

static void all_trips(const vicino_loop_options* options) {
  static const int64_t trips[] = {0, 1, 2, 6, 7, 8, 100, 1001, kMost};
  for (unsigned t = 0; t < sizeof trips / sizeof *trips; ++t) {
    each_once(options, 0, trips[t]);
    each_once(options, -50, trips[t]);
    each_once(options, INT64_MAX - kMost, trips[t]);
    each_once(options, INT64_MIN, trips[t]);
  }
}

/* A loop has the threads that a region has, and as many. */
static void threads_are_the_regions(void) {
  int wanted = 0;
  struct seen seen = {{0}, 0, {0}};
  vicino_loop_options options = {0};
  options.schedule = parsed("static");
#pragma omp parallel
#pragma omp single
  wanted = omp_get_num_threads();
  vicino_parallel_for(0, kMost, note, &seen, &options);
  for (int i = 0; i < 64; ++i) CHECK_EQ(seen.sizes[i], i < wanted ? wanted : 0);
  memset(&seen, 0, sizeof seen);
  options.num_threads = 2;
  vicino_parallel_for(0, kMost, note, &seen, &options);
  for (int i = 0; i < 64; ++i) CHECK_EQ(seen.sizes[i], i < 2 ? 2 : 0);
}

static void in_a_region(const vicino_loop_options* options) {
#pragma omp parallel
  {
    each_once(options, 0, 500);
#pragma omp for
    for (int i = 0; i < 4; ++i) each_once(options, 7, 100);
#pragma omp single
    for (int i = 0; i < 3; ++i) {
#pragma omp task
      each_once(options, -7, 300);
    }
  }
}

static void nested(const vicino_loop_options* options) {
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(2);
  in_a_region(options);
  omp_set_max_active_levels(levels);
}

static void* of_a_thread(void* options) {
  for (int i = 0; i < 5; ++i) each_once(options, i, 200);
  return NULL;
}

static void from_four_threads(const vicino_loop_options* options) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, of_a_thread, (void*)options);
  of_a_thread((void*)options);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}

/* Counts the iterations of a huge range in few chunks. */
static int count_whole(int64_t first, int64_t last, void* sum) {
  __atomic_fetch_add((uint64_t*)sum, (uint64_t)last - (uint64_t)first, __ATOMIC_RELAXED);
  return 0;
}

static void huge(void) {
  static const char* const texts[] = {"static", "dynamic,4611686018427387904", "guided",
                                      "steal,4611686018427387904"};
  for (unsigned t = 0; t < sizeof texts / sizeof *texts; ++t) {
    vicino_loop_options options = {0};
    uint64_t sum = 0;
    options.schedule = parsed(texts[t]);
    CHECK_EQ(vicino_parallel_for(INT64_MIN, INT64_MAX, count_whole, &sum, &options), 0);
    CHECK(sum == UINT64_MAX);
  }
}

struct stopping {
  int64_t at;
  int64_t calls;
};

/* The first chunk of each thread stops the loop, but only after all threads have begun one. */
static int stop_together(int64_t first, int64_t last, void* data) {
  int64_t* begun = data;
  __atomic_fetch_add(begun, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(begun, __ATOMIC_RELAXED) < omp_get_num_threads()) sched_yield();
  (void)last;
  return (int)first + 1;
}

static int stop(int64_t first, int64_t last, void* data) {
  struct stopping* s = data;
  __atomic_fetch_add(&s->calls, 1, __ATOMIC_RELAXED);
  (void)last;
  return first >= s->at ? (int)(first % 1000) + 1 : 0;
}

/* A loop of 2^62 iterations ends soon after the first chunk that stops it. */
static void ends_early(const vicino_loop_options* given) {
  struct stopping s = {500, 0};
  vicino_loop_options options = *given;
  CHECK(vicino_parallel_for(0, INT64_C(1) << 62, stop, &s, &options) >= 0);
  CHECK(s.calls < 1000000);
  each_once(&options, 0, kMost);
}

static void first_to_stop(void) {
  vicino_loop_options options = {0};
  options.schedule = parsed("static,1");
  for (int round = 0; round < 20; ++round) {
    int64_t begun = 0;
    CHECK_EQ(vicino_parallel_for(0, 64, stop_together, &begun, &options), 1);
    CHECK_EQ(begun, omp_get_max_threads());
  }
  options.schedule = parsed("dynamic");
  struct stopping s = {500, 0};
  const int said = vicino_parallel_for(0, INT64_C(1) << 62, stop, &s, &options);
  CHECK(omp_get_max_threads() == 1 || (said >= 501 && said < 1000));
}

struct partial {
  double sum;
  char* owned;
  int64_t marks[30]; /* no other thread writes to any part of it */
};

static void make(void* partial, void* data) {
  struct partial* p = partial;
  CHECK_EQ((uintptr_t)partial % 128, 0);
  p->sum = 0;
  p->owned = malloc(10);
  for (int i = 0; i < 30; ++i) p->marks[i] = omp_get_thread_num();
  (void)data;
}
static int add(int64_t first, int64_t last, void* partial, void* data) {
  for (int64_t i = first; i < last; ++i) ((struct partial*)partial)->sum += 1 / (1.0 + (double)i);
  return data != NULL && first > 100;
}
static void put_together(void* result, void* partial, void* data) {
  struct partial* p = partial;
  *(double*)result += p->sum;
  free(p->owned);
  for (int i = 0; i < 30; ++i) CHECK_EQ(p->marks[i], p->marks[29]);
  (void)data;
}
static const vicino_reduction kSum = {sizeof(struct partial), make, put_together};

static double sum_under(const vicino_loop_options* options) {
  double sum = 0;
  CHECK_EQ(vicino_parallel_reduce(0, kMost, add, NULL, &kSum, &sum, options), 0);
  return sum;
}

static void reduces(const vicino_loop_options* options) {
  double want = 0;
  for (int i = 0; i < kMost; ++i) want += 1 / (1.0 + i);
  const double got = sum_under(options);
  CHECK(got > want - 1e-9 && got < want + 1e-9);
  double untouched = 3, stopped = 0;
  CHECK_EQ(vicino_parallel_reduce(5, 5, add, NULL, &kSum, &untouched, options), 0);
  CHECK(untouched == 3);
  const int said = vicino_parallel_reduce(0, kMost, add, (void*)options, &kSum, &stopped, options);
  CHECK(said == 0 || said == 1);
}

static void repeats_itself(const char* text) {
  vicino_loop_options options = {0};
  options.schedule = parsed(text);
  const double first = sum_under(&options);
  for (int round = 0; round < 50; ++round) {
    const double again = sum_under(&options);
    CHECK(memcmp(&again, &first, sizeof first) == 0);
  }
}

/* A loop that names no schedule has the chunks that VICINO_SCHEDULE names. */
static int measure(int64_t first, int64_t last, void* most) {
  int64_t seen = __atomic_load_n((int64_t*)most, __ATOMIC_RELAXED);
  while (last - first > seen && !__atomic_compare_exchange_n((int64_t*)most, &seen, last - first, 0,
                                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return 0;
}

static void follows_settings(void) {
  if (getenv("VICINO_SCHEDULE") == NULL || omp_get_max_threads() == 1) return;
  int64_t most = 0;
  vicino_parallel_for(0, kMost, measure, &most, NULL);
  CHECK_EQ(most, 37);
  vicino_loop_options options = {0};
  options.schedule = parsed("dynamic,5");
  most = 0;
  vicino_parallel_for(0, kMost, measure, &most, &options);
  CHECK_EQ(most, 5);
}

/* The static part of `mixed` is half of the loop while nothing is known of the call site. Afterwards
 * it moves, though disturbed executions may bring it back to half for once. */
enum { kToLearn = 30 };
static int note_static_part(int64_t first, int64_t last, void* size) {
  if (first == 0) *(int64_t*)size = last;
  const struct timespec while_at_it = {0, 20000 + 100 * (long)first};
  nanosleep(&while_at_it, NULL);
  return 0;
}

static int64_t static_part_at(const char* site) {
  int64_t size = 0;
  const vicino_loop_options options = {parsed("mixed,chunk=1000"), 2, site};
  vicino_parallel_for(0, 4000, note_static_part, &size, &options);
  return size;
}

static int moves_at(const char* site) {
  for (int round = 0; round < kToLearn; ++round)
    if (static_part_at(site) != 1000) return 1;
  return 0;
}

static void learns_by_site(void) {
  const char* const here = VICINO_HERE;
  CHECK_EQ(static_part_at(here), 1000);
  CHECK(moves_at(here));
  CHECK_EQ(static_part_at(VICINO_HERE), 1000);
  /* Without a name the site is the caller of the function, one place for all these calls. */
  CHECK_EQ(static_part_at(NULL), 1000);
  CHECK(moves_at(NULL));
}

/* AddressSanitizer asks this: memory that cannot be had is refused, as without it. */
const char* __asan_default_options(void);
const char* __asan_default_options(void) { return "allocator_may_return_null=1"; }

static void refused(void) {
  char message[300];
  double result = 0;
  vicino_loop_options options = {0};
  CHECK(vicino_schedule_parse("inch", message, sizeof message) == NULL);
  CHECK(strncmp(message, "no schedule 'inch'; there are ich, nich", 39) == 0);
  CHECK(vicino_schedule_parse("mixed,f=2", message, sizeof message) == NULL);
  CHECK(strcmp(message, "f='2' is not a number from 0 to 1, or model, or previous, or sweep, or slack") == 0);
  CHECK(vicino_schedule_parse("inch", message, 4) == NULL);
  CHECK(strcmp(message, "no ") == 0);
  CHECK(vicino_schedule_parse(NULL, NULL, 0) == NULL);
  CHECK(vicino_schedule_parse("nich,group=4", NULL, 0) ==
        vicino_schedule_parse("NICH, group = 4", NULL, 0));
  CHECK_EQ(vicino_parallel_for(0, 1, NULL, NULL, NULL), EINVAL);
  options.num_threads = -1;
  CHECK_EQ(vicino_parallel_for(0, 1, note, NULL, &options), EINVAL);
  CHECK_EQ(vicino_parallel_reduce(0, 1, add, NULL, NULL, &result, NULL), EINVAL);
  CHECK_EQ(vicino_parallel_reduce(0, 1, add, NULL, &kSum, &result, &options), EINVAL);
  const vicino_reduction countless = {SIZE_MAX - 5, make, put_together};
  CHECK_EQ(vicino_parallel_reduce(0, 9, add, NULL, &countless, &result, NULL), ENOMEM);
#ifndef __SANITIZE_THREAD__ /* it ends the program */
  const vicino_reduction large = {SIZE_MAX / 2, make, put_together};
  CHECK_EQ(vicino_parallel_reduce(0, 9, add, NULL, &large, &result, NULL), ENOMEM);
#endif
}

static void errno_stays(void) {
  struct seen seen = {{0}, 0, {0}};
  char message[200] = "";
  const uint32_t first[] = {0, 0, 1}, before[] = {0};
  errno = 77;
  CHECK_EQ(vicino_parallel_for(0, 9, note, &seen, NULL), 0); /* the process's first loop */
  const vicino_reduction countless = {SIZE_MAX / 2, make, put_together};
  long result = 0;
#ifndef __SANITIZE_THREAD__ /* it ends the program */
  CHECK_EQ(vicino_parallel_reduce(0, 9, add, NULL, &countless, &result, NULL), ENOMEM);
#endif
  CHECK_EQ(errno, 77);
  vicino_graph* graph = vicino_graph_new(2, first, before, NULL, NULL, 0);
  CHECK_EQ(vicino_graph_save(graph, "/nope/file.graph", message, sizeof message), EIO);
  CHECK_EQ(vicino_graph_save(graph, NULL, message, sizeof message), EINVAL);
  CHECK(strcmp(message, "no file is named") == 0);
  CHECK(vicino_graph_load("/nope/file.graph", message, sizeof message) == NULL);
  CHECK(vicino_graph_load(NULL, message, sizeof message) == NULL);
  CHECK(strcmp(message, "no file is named") == 0);
  vicino_graph_free(graph);
  CHECK_EQ(errno, 77);
}

int main(void) {
  errno_stays();
  with_each_schedule(all_trips);
  threads_are_the_regions();
  with_each_schedule(in_a_region);
  with_each_schedule(nested);
  with_each_schedule(from_four_threads);
  huge();
  with_each_schedule(ends_early);
  first_to_stop();
  with_each_schedule(reduces);
  repeats_itself("static");
  repeats_itself("static,7");
  follows_settings();
  learns_by_site();
  refused();
  return check_result();
}
