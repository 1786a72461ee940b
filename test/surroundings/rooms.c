// Regions that ask for ASKED threads, and how many of them have so many. Nothing is judged by how
// long it takes.
//
//   rooms crowd ASKED    waits for a region that has fewer, and prints of the next regions how many
//                        had all, and how many had fewer; "-" if there was none with fewer
//   rooms whole ASKED    prints the same of the first regions
//   rooms back ASKED     says "narrow" when a region has had fewer; and then "whole" when one has
//                        all, or "left out" when the machine was quiet so often that one should
//                        have, or "busy" when it never was
//   rooms left ASKED     prints how many threads a region gets at most after other threads of the program have left
//                        regions by pthread_exit()
//   rooms roots ASKED    prints how many threads a region has that one thread of the program begins while another is
//                        in one
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kRegions = 2000, kWholeRegions = 100, kTimesQuiet = 8 };
static const double kPatience =
    2;  // seconds of this process's CPU time, of which a crowd leaves it some
static const double kLeast =
    0.3;  // seconds: a team that may have fewer threads is told within less
static const double kQuiet =
    0.2;  // seconds: a team waits for 10 ms of quiet, or some doublings of that
static const double kLongest = 15;   // seconds to wait for quiet times
static const double kSample = 2e-3;  // seconds between two looks at the machine

static void compute(void) {
  for (volatile int i = 0; i < 2000; ++i) {
  }
}

static int region(int asked) {
  int size = 0;
#pragma omp parallel num_threads(asked)
  {
    compute();
#pragma omp single
    size = omp_get_num_threads();
  }
  return size;
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int wait_until_narrow(int asked) {
  for (const double end = cpu_seconds() + kPatience; cpu_seconds() < end;)
    if (region(asked) < asked) return 1;
  return 0;
}

static void count_regions(int asked, int regions) {
  int whole = 0, fewer = 0;
  for (const double end = omp_get_wtime() + kLeast;
       whole + fewer < regions || omp_get_wtime() < end;)
    ++*(region(asked) == asked ? &whole : &fewer);
  printf("%d %d\n", whole, fewer);
}

// Of the whole machine.
static int ready_threads(void) {
  char text[128] = "";
  const int file = open("/proc/loadavg", O_RDONLY);
  if (file < 0 || read(file, text, sizeof text - 1) <= 0) exit(2);
  close(file);
  int ready = 0;
  if (sscanf(text, "%*s %*s %*s %d", &ready) != 1) exit(2);
  return ready;
}

// How long this thread has been ready without a CPU, in seconds.
static double delay(void) {
  char text[128] = "";
  const int file = open("/proc/thread-self/schedstat", O_RDONLY);
  if (file < 0 || read(file, text, sizeof text - 1) <= 0) exit(2);
  close(file);
  unsigned long long ns = 0;
  if (sscanf(text, "%*u %llu", &ns) != 1) exit(2);
  return 1e-9 * (double)ns;
}

// A machine is quiet while no look finds another ready thread than this one, whose team sleeps by
// then or is its own, and this one hardly waits for a CPU. A machine without other work has short
// disturbances, too.
static const char* wait_until_whole(int asked) {
  const double end = omp_get_wtime() + kLongest;
  double quiet_from = omp_get_wtime(), looked = quiet_from, waited = delay();
  int times_quiet = 0;
  for (double now = quiet_from; now < end; now = omp_get_wtime()) {
    const int size = region(asked);
    if (size == asked) return "whole";
    if (now < looked + kSample) continue;
    const double all = delay();
    if (ready_threads() > size || all - waited > 0.05 * (now - looked)) quiet_from = now;
    looked = now, waited = all;
    if (now < quiet_from + kQuiet) continue;
    quiet_from = now;
    if (++times_quiet == kTimesQuiet) return "left out";
  }
  return "busy";
}

static int asked_by_second, size_of_second;

static void* second_root(void* unused) {
  size_of_second = region(asked_by_second);
  return unused;
}

static void* first_root(void* unused) {
#pragma omp parallel num_threads(asked_by_second)
#pragma omp master
  {
    pthread_t second;
    if (pthread_create(&second, NULL, second_root, NULL) != 0) exit(2);
    pthread_join(second, NULL);
  }
  return unused;
}

static int beside_another_root(int asked) {
  pthread_t first;
  asked_by_second = asked;
  region(1); /* this thread is a root, too, but it leads no more */
  if (pthread_create(&first, NULL, first_root, NULL) != 0) exit(2);
  pthread_join(first, NULL);
  return size_of_second;
}

static void* leave_region(void* unused) {
#pragma omp parallel num_threads(1)
  pthread_exit(NULL);
  return unused;
}

static int after_some_left(int asked) {
  region(asked); /* this thread is the first root */
  for (int i = 0; i < 2 * asked; ++i) {
    pthread_t one;
    if (pthread_create(&one, NULL, leave_region, NULL) != 0) exit(2);
    pthread_join(one, NULL);
  }
  int most = 0;
  for (const double end = cpu_seconds() + kPatience; most < asked && cpu_seconds() < end;) {
    const int size = region(asked);
    if (size > most) most = size;
  }
  return most;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  const int asked = atoi(words[2]);
  if (strcmp(words[1], "whole") == 0) return count_regions(asked, kWholeRegions), 0;
  if (strcmp(words[1], "roots") == 0) return printf("%d\n", beside_another_root(asked)), 0;
  if (strcmp(words[1], "left") == 0) return printf("%d\n", after_some_left(asked)), 0;
  if (!wait_until_narrow(asked)) return puts("-"), 0;
  if (strcmp(words[1], "crowd") == 0) return count_regions(asked, kRegions), 0;
  puts("narrow");
  fflush(stdout);
  puts(wait_until_whole(asked));
  return 0;
}
