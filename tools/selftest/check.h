/* check.h: what the parts of the self-test's programs share: they tell each check, and each fact, in a line.
 *
 *     ok NAME
 *     failed NAME: what was seen
 *     fact KEY VALUE
 *
 * tools/vicino/selftest_run.cpp reads these lines. */
#ifndef VICINO_SELFTEST_CHECK_H
#define VICINO_SELFTEST_CHECK_H

enum { kTeam = 4 }; /* threads of a region, also where there are fewer CPUs */

/* One line; `format` says what was seen. */
void check(const char* name, int good, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void check_number(const char* name, long seen, long expected);
void fact(const char* key, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Takes some time, which no compiler can take away, and gives the CPU to others meanwhile. */
void dawdle(void);

/* The parts of a program; main.c has their names. */
void test_team(void);
void test_places(void);
void test_loops(void);
void test_reductions(void);
void test_constructs(void);
void test_locks(void);
void test_tasks(void);
void test_taskloops(void);
void test_depend(void);
void test_cancel(void);
void test_nested(void);
void test_target(void);
void test_memory(void);
void test_openacc(void);

#endif
