// Preloaded: after the first REFUSE_AFTER threads, the next REFUSE_TIMES calls of pthread_create
// fail.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

typedef int Create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  static int created, refused;
  Create* real = (Create*)dlsym(RTLD_NEXT, "pthread_create");
  if (created >= atoi(getenv("REFUSE_AFTER")) && refused < atoi(getenv("REFUSE_TIMES"))) {
    ++refused;
    return EAGAIN;
  }
  ++created;
  return real(thread, attributes, run, argument);
}
