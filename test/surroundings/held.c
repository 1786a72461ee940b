// Counts the process's open perf counters at points in its life and prints a line for each point.
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const char* when) {
  int held = 0;
  DIR* files = opendir("/proc/self/fd");
  for (const struct dirent* entry; (entry = readdir(files)) != NULL;) {
    char path[300], target[64] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
    if (readlink(path, target, sizeof target - 1) > 0)
      held += strcmp(target, "anon_inode:[perf_event]") == 0;
  }
  closedir(files);
  printf("%s %d\n", when, held);
  fflush(stdout);
}

static void work(void) {
  for (volatile int j = 0; j < 2000; ++j) {
  }
}

static void loops(int threads) {
  for (int t = 0; t < 30; ++t) {
#pragma omp parallel for schedule(runtime) num_threads(threads)
    for (int i = 0; i < 100; ++i) work();
  }
}

// A loop at another call site: the tuner does not know it yet, so it begins on all threads.
static void other_loops(void) {
  for (int t = 0; t < 30; ++t) {
#pragma omp parallel for schedule(runtime) num_threads(2)
    for (int i = 0; i < 100; ++i) work();
  }
}

static void* root(void* unused) {
  loops(2);
  tell("in_thread");
  return unused;
}

static void be_child(void) {
  tell("child");
  other_loops();
  tell("child_after");
  _exit(0);
}

int main(void) {
  loops(1);
  tell("alone");
  loops(3);
  tell("three");
  pthread_t thread;
  pthread_create(&thread, NULL, root, NULL);
  pthread_join(thread, NULL);
  tell("joined");
  int status = 1;
  if (fork() == 0) be_child();
  wait(&status);
  if (status != 0) return 1;
  tell("parent");
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 1) {
    if (fork() == 0) be_child();
    wait(&status);
  }
  if (status != 0) return 1;
  loops(3);
  tell("end");
  return 0;
}
