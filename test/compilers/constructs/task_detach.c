// 5.0: `task detach`
// test: omp/task_detach
#include <omp.h>

int main(void) {
  int done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(done)
    done = 1;
    omp_fulfill_event(event);
#pragma omp taskwait
    done = 2;
  }
  return done != 2;
}
