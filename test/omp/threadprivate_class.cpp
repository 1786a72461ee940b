// threadprivate objects with constructors: built before a thread's first use, copied by copyin.
// test: variant no_tls clang -fnoopenmp-use-tls
#include <omp.h>

#include "check.h"

static int built;

class Counted {
 public:
  Counted() { __atomic_fetch_add(&built, 1, __ATOMIC_RELAXED); }
  Counted(const Counted& other) : value_(other.value_) {
    __atomic_fetch_add(&built, 1, __ATOMIC_RELAXED);
  }
  Counted& operator=(const Counted& other) = default;
  ~Counted() { value_ = -1; }
  int value() const { return value_; }
  void set(int value) { value_ = value; }

 private:
  int value_ = 41;
};

extern Counted counted;  // gcc wants the directive before the definition
#pragma omp threadprivate(counted)
Counted counted;

int main() {
  int most = omp_get_max_threads();
#pragma omp parallel
  {
    CHECK_EQ(counted.value(), 41);
    counted.set(omp_get_thread_num());
  }
  CHECK_EQ(built, most);
#pragma omp parallel
  CHECK_EQ(counted.value(), omp_get_thread_num());
  counted.set(9);
#pragma omp parallel copyin(counted)
  CHECK_EQ(counted.value(), 9);
  CHECK_EQ(built, most);
  return check_result();
}
