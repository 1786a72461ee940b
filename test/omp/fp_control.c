// A region has one arithmetic: its members round, and flush small numbers to zero, as the thread does that meets it, also
// if that has changed since the last region, and if they have served another thread of the program, which has ended.
// test: peer gcc-12 libgomp-12 its threads keep what they began with
#include <omp.h>

#include "check.h"
#include "other_thread.h"

#if defined(__x86_64__)
typedef unsigned Mode;
static Mode mode(void) { return __builtin_ia32_stmxcsr() & ~0x3Fu; }
static void set_mode(Mode wanted) { __builtin_ia32_ldmxcsr(wanted); }
enum { kUpward = 2u << 13, kFlush = 1u << 15 };
static unsigned short x87(void) {
  unsigned short word;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}
static void set_x87(unsigned short word) { __asm__ volatile("fldcw %0" : : "m"(word)); }
enum { kSingle = 0x300 };  // the precision's bits, which are set by default
#else
typedef unsigned long Mode;
static Mode mode(void) {
  Mode word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
static void set_mode(Mode wanted) { __asm__ volatile("msr fpcr, %0" : : "r"(wanted)); }
enum { kUpward = 1 << 22, kFlush = 1 << 24 };
static unsigned short x87(void) { return 0; }
static void set_x87(unsigned short word) { (void)word; }
enum { kSingle = 0 };
#endif

static volatile double one = 1, three = 3, tiny = 1e-310;

static void all_are_like_me(void) {
  const Mode mine = mode();
  const unsigned short my_x87 = x87();
  const double third = one / three, small = tiny * one;
#pragma omp parallel
  {
    CHECK_EQ(mode(), mine);
    CHECK_EQ(x87(), my_x87);
    CHECK(one / three == third);
    CHECK(tiny * one == small);
  }
  CHECK_EQ(mode(), mine);
}

static void sets_and_ends(void) {
  set_mode(mode() | kUpward | kFlush);
  set_x87(x87() & (unsigned short)~kSingle);
  all_are_like_me();
  CHECK(one / three > 0.33333333333333333);
}

static void is_plain(void) {
  all_are_like_me();
  CHECK(tiny * one != 0);
}

int main(void) {
  in_other_thread(sets_and_ends);
  in_other_thread(is_plain);
  in_other_thread(sets_and_ends);
  all_are_like_me();
  const Mode usual = mode();
  set_mode(usual | kUpward);
  all_are_like_me();
  set_mode(usual);
  all_are_like_me();
  return check_result();
}
