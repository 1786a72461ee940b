// Loads a library with regions (argv[1]) again and again, lets a thread and a child of fork() run regions of
// it, and closes it. A leak checker, with which this program is built, looks at the end of it and of each
// child. With argv[2], `lose`, it loses memory, so that the checker has something to find.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kRounds = 6, kThreads = 3 };
static int (*regions)(int, int);
static void* volatile lost;

static int is_right(void) { return regions(kThreads, 2) == kThreads; }
static void* thread(void* unused) { return is_right() ? unused : NULL; }

static int child(void* library) {
  const int right = is_right();
  dlclose(library);
  exit(right ? 0 : 3);
}

static int round_of(int number, const char* file) {
  void* const library = dlopen(file, RTLD_NOW);
  if (library == NULL) return puts(dlerror()), 0;
  *(void**)&regions = dlsym(library, "plugin_regions");
  if (number % 2 == 0 && !is_right()) return 0;
  pthread_t started;
  void* answer = NULL;
  pthread_create(&started, NULL, thread, library);
  pthread_join(started, &answer);
  const pid_t forked = fork();
  if (forked == 0) child(library);
  int status = -1;
  waitpid(forked, &status, 0);
  dlclose(library);
  return answer != NULL && status == 0;
}

int main(int count, char** words) {
  for (int number = 0; number < kRounds; ++number)
    if (!round_of(number, words[1])) return 1;
  if (count > 2 && strcmp(words[2], "lose") == 0) {
    lost = malloc(100);
    lost = NULL;
  }
  return 0;
}
