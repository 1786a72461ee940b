// The helpers of src/base/lse_aarch64.S, each of the 96 by its name: what it returns, what it leaves in memory and
// beside it, and that no change is lost between threads. The argument says whether the processor is to have Armv8.1's
// instructions: 1 or 0.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

extern "C" uint8_t vicino_has_lse;

namespace {

int failures = 0;

void check(bool holds, const char* name, const char* what) {
  if (holds) return;
  fprintf(stderr, "%s: %s\n", name, what);
  ++failures;
}

// Compiled code is not called with such registers, so these are given by hand. `r2`: of a compare-and-swap.
using Helper = void();
uint64_t call(Helper* helper, uint64_t r0, uint64_t r1, uint64_t r2) {
  register uint64_t a asm("x0") = r0;
  register uint64_t b asm("x1") = r1;
  register uint64_t c asm("x2") = r2;
  asm volatile("blr %3"
               : "+r"(a), "+r"(b), "+r"(c)
               : "r"(helper)
               : "x15", "x16", "x17", "x30", "cc", "memory");
  return a;
}
uint64_t address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

constexpr uint64_t kOld = 0xF1E2D3C4B5A69788, kOperand = 0x123456789ABCDEF5;

template <class T>
struct Row {
  T before = static_cast<T>(0x5A5A5A5A5A5A5A5A), word = static_cast<T>(kOld), after = before;

  void expect(const char* name, T wanted) const {
    check(word == wanted, name, "the word is wrong");
    check(before == static_cast<T>(0x5A5A5A5A5A5A5A5A) && after == before, name, "a neighbour was changed");
  }
};

// `change`: what the operation makes of the old value and the operand.
template <class T, class Change>
void try_change(const char* name, Helper* helper, Change change) {
  Row<T> row;
  const auto old = static_cast<T>(call(helper, static_cast<T>(kOperand), address(&row.word), 0));
  check(old == static_cast<T>(kOld), name, "not the old value");
  row.expect(name, static_cast<T>(change(static_cast<T>(kOld), static_cast<T>(kOperand))));
}

// The bits of the register above a small object's do not count.
template <class T>
void try_compare_and_swap(const char* name, Helper* helper) {
  Row<T> row;
  auto old = static_cast<T>(call(helper, kOld, kOperand, address(&row.word)));
  check(old == static_cast<T>(kOld), name, "not the old value");
  row.expect(name, static_cast<T>(kOperand));
  old = static_cast<T>(call(helper, kOld, 1, address(&row.word)));
  check(old == static_cast<T>(kOperand), name, "not the old value where it fails");
  row.expect(name, static_cast<T>(kOperand));
}

constexpr int kThreads = 4, kRounds = 20000;

template <class Round>
void on_threads(Round round) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([=] {
      for (int r = 0; r < kRounds; ++r) round(r);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

template <class T>
void count(const char* name, Helper* add) {
  T word = 0;
  on_threads([&](int) { call(add, 1, address(&word), 0); });
  check(word == static_cast<T>(kThreads * kRounds), name, "an addition was lost");
}

template <class T>
void count_by_compare(const char* name, Helper* compare_and_swap) {
  T word = 0;
  on_threads([&](int) {
    for (T seen = 0;;) {
      const T found = static_cast<T>(call(compare_and_swap, seen, static_cast<T>(seen + 1), address(&word)));
      if (found == seen) return;
      seen = found;
    }
  });
  check(word == static_cast<T>(kThreads * kRounds), name, "an increment was lost");
}

}  // namespace

#define EACH_ORDER(DO, T, bytes) DO(T, bytes, relax) DO(T, bytes, acq) DO(T, bytes, rel) DO(T, bytes, acq_rel)
#define EACH(DO) \
  EACH_ORDER(DO, uint8_t, 1) EACH_ORDER(DO, uint16_t, 2) EACH_ORDER(DO, uint32_t, 4) EACH_ORDER(DO, uint64_t, 8)

#define DECLARE(T, bytes, order)              \
  extern "C" {                                \
  Helper __aarch64_cas##bytes##_##order;      \
  Helper __aarch64_swp##bytes##_##order;      \
  Helper __aarch64_ldadd##bytes##_##order;    \
  Helper __aarch64_ldclr##bytes##_##order;    \
  Helper __aarch64_ldeor##bytes##_##order;    \
  Helper __aarch64_ldset##bytes##_##order;    \
  }
EACH(DECLARE)

#define TRY_ONE(T, name, change) try_change<T>(#name, name, [](T a, T b) { return change; });
#define TRY(T, bytes, order)                                                          \
  try_compare_and_swap<T>("cas" #bytes "_" #order, __aarch64_cas##bytes##_##order);   \
  TRY_ONE(T, __aarch64_swp##bytes##_##order, ((void)a, b))                            \
  TRY_ONE(T, __aarch64_ldadd##bytes##_##order, a + b)                                 \
  TRY_ONE(T, __aarch64_ldclr##bytes##_##order, a & ~b)                                \
  TRY_ONE(T, __aarch64_ldeor##bytes##_##order, a ^ b)                                 \
  TRY_ONE(T, __aarch64_ldset##bytes##_##order, a | b)                                 \
  count<T>("ldadd" #bytes "_" #order, __aarch64_ldadd##bytes##_##order);              \
  count_by_compare<T>("cas" #bytes "_" #order, __aarch64_cas##bytes##_##order);

int main(int, char** arguments) {
  check(vicino_has_lse == atoi(arguments[1]), "vicino_has_lse", "the question has the wrong answer");
  EACH(TRY)
  return failures != 0;
}
