// Prints one line for each thread and process that the program starts: what it is, and the CPUs on
// which the kernel lets it run. After each start, a region shows where its members are.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static void print_mask(const char* who) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  char line[256];
  int length = snprintf(line, sizeof line, "%s", who);
  for (int cpu = 0; cpu < CPU_SETSIZE && length < 240; ++cpu)
    if (CPU_ISSET(cpu, &mask)) length += snprintf(line + length, 16, " %d", cpu);
  line[length++] = '\n';
  if (write(STDOUT_FILENO, line, (size_t)length) != length) abort();
}

static void regions(void) {
#pragma omp parallel num_threads(1)
  print_mask("alone");
#pragma omp parallel
#pragma omp critical
  print_mask("member");
}

static void* thread(void* unused) {
  print_mask("thread");
  regions();
  return unused;
}

static void start_thread(void) {
  pthread_t started;
  if (pthread_create(&started, NULL, thread, NULL) != 0) abort();
  pthread_join(started, NULL);
}

static void await(pid_t child) {
  int status = -1;
  if (waitpid(child, &status, 0) != child || status != 0) abort();
}

static void start_by_vfork(char* file, char** arguments) {
  const pid_t child = vfork();
  if (child == 0) {
    execv(file, arguments);
    _exit(1);
  }
  await(child);
}

static void start_by_fork(void) {
  const pid_t child = fork();
  if (child != 0) {
    await(child);
    return;
  }
  print_mask("process");
  regions();
  start_thread();
  _exit(0);
}

int main(int count, char** words) {
  if (count > 1) {
    print_mask(words[1]);
    return 0;
  }
  char* arguments[] = {words[0], "process", NULL};
  char command[4096];
  snprintf(command, sizeof command, "'%s' process", words[0]);

  printf("threads %d procs %d\n", omp_get_max_threads(), omp_get_num_procs());
  fflush(stdout);
  print_mask("begin");
  regions();
  if (system(command) != 0) abort();
  regions();
  FILE* pipe = popen(command, "r");
  for (int c; (c = getc(pipe)) != EOF;) putchar(c);
  if (pclose(pipe) != 0) abort();
  fflush(stdout);
  regions();
  pid_t child;
  if (posix_spawn(&child, words[0], NULL, NULL, arguments, environ) != 0) abort();
  await(child);
  regions();
  start_by_vfork(words[0], arguments);
  regions();
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) start_by_vfork(words[0], arguments);
  regions();
  start_by_fork();
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) start_by_fork();
  start_thread();
  regions();
  execl(words[0], words[0], "process", NULL);
  abort();
}
