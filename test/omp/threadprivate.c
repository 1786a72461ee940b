// threadprivate: one copy for each thread, copyin, and values that last from one region to the next
// one of equal size, whatever regions of fewer threads lie between. Without TLS clang asks the runtime for each copy.
// test: variant no_tls clang -fnoopenmp-use-tls
// test: peer gcc libgomp ends the threads that a smaller region leaves out, and their copies with them
#include <omp.h>

#include "check.h"

typedef struct {
  int number;
  char text[50];
} Record;

static int counter = 5;
static double array[4] = {1, 2, 3, 4};
static Record record = {7, "seven"};
static char untouched;
#pragma omp threadprivate(counter, array, record, untouched)

static void initial_values(void) {
#pragma omp parallel
  {
    CHECK_EQ(counter, 5);
    CHECK(array[0] == 1 && array[3] == 4);
    CHECK(record.number == 7 && strcmp(record.text, "seven") == 0);
    CHECK_EQ(untouched, 0);
  }
}

static void persist(void) {
#pragma omp parallel
  {
    counter = 100 + omp_get_thread_num();
    array[2] = omp_get_thread_num();
  }
  CHECK_EQ(counter, 100);
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel
    {
      CHECK_EQ(counter, 100 + round + omp_get_thread_num());
      CHECK(array[2] == omp_get_thread_num());
      ++counter;
    }
  }
}

// OpenMP promises it only where the regions between are not active; programs count on more.
static void persist_over(int threads) {
#pragma omp parallel
  counter = 500 + omp_get_thread_num();
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel num_threads(threads)
    ++record.number;
#pragma omp parallel if (0)
    ++record.number;
#pragma omp parallel
    {
      CHECK_EQ(counter, 500 + round + omp_get_thread_num());
      ++counter;
    }
  }
}

static void copied_in(void) {
  counter = 77;
  array[1] = 0.5;
  record.number = 8;
  strcpy(record.text, "eight");
#pragma omp parallel copyin(counter, array, record)
  {
    CHECK_EQ(counter, 77);
    CHECK(array[1] == 0.5);
    CHECK(record.number == 8 && strcmp(record.text, "eight") == 0);
#pragma omp barrier
    counter += omp_get_thread_num();
  }
  CHECK_EQ(counter, 77);
#pragma omp parallel
  CHECK_EQ(counter, 77 + omp_get_thread_num());
}

static void copied_from_single(void) {
#pragma omp parallel
  {
#pragma omp single copyprivate(counter)
    counter = 4242;
    CHECK_EQ(counter, 4242);
  }
}

static void distinct_addresses(void) {
  int* addresses[256];
#pragma omp parallel
  addresses[omp_get_thread_num()] = &counter;
  for (int a = 0; a < omp_get_max_threads(); ++a)
    for (int b = 0; b < a; ++b) CHECK(addresses[a] != addresses[b]);
  CHECK(addresses[0] == &counter);
}

int main(void) {
  initial_values();
  persist();
  persist_over(1);
  persist_over(2);
  for (int round = 0; round < 20; ++round) copied_in();
  copied_from_single();
  distinct_addresses();
  return check_result();
}
