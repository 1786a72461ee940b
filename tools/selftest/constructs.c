/* constructs.c: regions, barriers, critical sections, atomics, single, sections, threadprivate data. */
#include <omp.h>
#include <string.h>

#include "check.h"

static int own = 1;
static struct {
  long values[6];
} own_values = {{1, 2, 3, 4, 5, 6}};
#pragma omp threadprivate(own, own_values)

static void regions(void) {
  int seen[kTeam] = {0}, wrong = 0, sizes[5];
  for (int round = 0; round < 50; ++round) {
#pragma omp parallel num_threads(kTeam)
#pragma omp atomic
    seen[omp_get_thread_num()] += omp_get_num_threads() == kTeam;
  }
  for (int i = 0; i < kTeam; ++i) wrong += seen[i] != 50;
  check("regions", wrong == 0, "%d of %d threads did not run in each region", wrong, kTeam);
  for (int size = 1; size <= 5; ++size) {
#pragma omp parallel num_threads(size)
#pragma omp single
    sizes[size - 1] = omp_get_num_threads();
  }
  for (int size = 1; size <= 5; ++size) wrong += sizes[size - 1] != size;
  check("teams of other sizes", wrong == 0, "%d of 5 teams had another size", wrong);
  int alone = 0;
#pragma omp parallel num_threads(kTeam) if (own == 0)
#pragma omp atomic
  alone += omp_get_num_threads();
  check_number("a region whose condition is false", alone, 1);
}

static void barriers(void) {
  int arrived = 0, early = 0;
#pragma omp parallel num_threads(kTeam) reduction(+ : early)
  for (int round = 1; round <= 100; ++round) {
#pragma omp atomic
    ++arrived;
    if (omp_get_thread_num() == round % kTeam) dawdle();
#pragma omp barrier
    int now;
#pragma omp atomic read
    now = arrived;
    early += now != kTeam * round;
#pragma omp barrier
  }
  check("barrier", early == 0, "%d of 400 threads were let through early", early);
}

static void critical_sections(void) {
  volatile long plain = 0, named = 0;
#pragma omp parallel num_threads(kTeam)
  for (int i = 0; i < 100; ++i) {
#pragma omp critical
    {
      const long before = plain;
      dawdle();
      plain = before + 1;
    }
#pragma omp critical(with_a_name)
    {
      const long before = named;
      dawdle();
      named = before + 1;
    }
  }
  check_number("critical", plain, 100 * kTeam);
  check_number("critical with a name", named, 100 * kTeam);
}

static void atomics(void) {
  long sum = 0;
  double real = 0;
  int most = 0, tickets = 0, taken[400] = {0}, wrong = 0;
#pragma omp parallel num_threads(kTeam)
  for (int i = 0; i < 100; ++i) {
    int ticket;
    const int value = 100 * omp_get_thread_num() + i;
#pragma omp atomic
    sum += 3;
#pragma omp atomic
    real += 0.5;
#pragma omp atomic capture
    ticket = tickets++;
    taken[ticket] += 1;
#pragma omp critical(most)
    most = value > most ? value : most;
#pragma omp flush
  }
  for (int i = 0; i < 400; ++i) wrong += taken[i] != 1;
  check_number("atomic", sum, 1200);
  check("atomic of doubles", real == 200, "%g where 200 was expected", real);
  check("atomic capture", wrong == 0 && tickets == 400, "%d tickets were not given once", wrong);
  check_number("flush", most, 100 * kTeam - 1);
#ifndef __clang__ /* whose code calls a library of its own for this */
  long double wide = 0;
#pragma omp parallel num_threads(kTeam)
  for (int round = 0; round < 20; ++round) { /* the members run at the same time only after a barrier */
#pragma omp barrier
    for (int i = 0; i < 1000; ++i) {
#pragma omp atomic
      wide += 0.25L;
    }
  }
  check("atomic of long doubles", wide == 20000, "%Lg where 20000 was expected", wide);
#endif
}

static void one_of_the_team(void) {
  int singles = 0, copies = 0, masters = 0, others = 0, told = 0, sections[3] = {0}, wrong = 0;
#pragma omp parallel num_threads(kTeam) reduction(+ : told)
  {
    int value = omp_get_thread_num();
    for (int round = 0; round < 20; ++round) {
#pragma omp single
      ++singles;
#pragma omp single nowait
      {
#pragma omp atomic
        ++singles;
      }
#pragma omp single copyprivate(value)
      value = 1000 + round + 100 * copies++;
      told += value == 1000 + round + 100 * round;
    }
#pragma omp master
    masters += 1 + omp_get_thread_num();
#pragma omp masked filter(2)
    others += omp_get_thread_num();
#pragma omp sections
    {
#pragma omp section
      ++sections[0];
#pragma omp section
      ++sections[1];
#pragma omp section
      ++sections[2];
    }
  }
  for (int i = 0; i < 3; ++i) wrong += sections[i] != 1;
  check_number("single", singles, 40);
  check_number("copyprivate", told, 20 * kTeam);
  check_number("master", masters, 1);
  check_number("masked", others, 2);
  check("sections", wrong == 0, "%d of 3 sections ran not once", wrong);
#ifndef __clang__ /* clang 19 does not know the construct */
  int scopes = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp scope reduction(+ : scopes)
  scopes += 1;
  check_number("scope", scopes, kTeam);
#endif
}

static void threadprivate(void) {
  int wrong = 0;
  own = 5;
  own_values.values[3] = 44;
#pragma omp parallel num_threads(kTeam) copyin(own, own_values) reduction(+ : wrong)
  {
    wrong += own != 5 || own_values.values[3] != 44 || own_values.values[0] != 1;
    own = 10 + omp_get_thread_num();
    own_values.values[3] = own;
#pragma omp barrier
    wrong += own != 10 + omp_get_thread_num() || own_values.values[3] != own;
  }
  check("copyin", wrong == 0, "%d values are wrong", wrong);
#pragma omp parallel num_threads(kTeam) reduction(+ : wrong)
  wrong += own != 10 + omp_get_thread_num();
  check("threadprivate in the next region", wrong == 0, "%d values are wrong", wrong);
}

void test_constructs(void) {
  regions();
  barriers();
  critical_sections();
  atomics();
  one_of_the_team();
  threadprivate();
}
