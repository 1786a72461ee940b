// leave_main.h: main() ends its own thread, which has led a region; another thread of the program goes on.
#ifndef LEAVE_MAIN_H
#define LEAVE_MAIN_H
#include <omp.h>
#include <pthread.h>

#include "check.h"

static pthread_t first_thread;

static void* call_after_main(void* function) {
  pthread_join(first_thread, NULL);
  (*(void (**)(void))function)();
  return NULL;
}

// Does not return. The function runs when main's thread has ended; `*function` has to live longer than that.
static void leave_main(void (**function)(void)) {
  first_thread = pthread_self();
#pragma omp parallel
  CHECK_EQ(omp_get_level(), 1);
  pthread_t thread;
  if (pthread_create(&thread, NULL, call_after_main, (void*)function)) abort();
  pthread_exit(NULL);
}

#endif
