// other_thread.h: runs a function in another thread of the program, which then ends.
#ifndef OTHER_THREAD_H
#define OTHER_THREAD_H
#include <pthread.h>

#include "check.h"

static inline void* call_function(void* function) {
  (*(void (**)(void))function)();
  return NULL;
}

static inline void in_other_thread(void (*function)(void)) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, call_function, (void*)&function), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

#endif
