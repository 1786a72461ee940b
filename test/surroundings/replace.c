// Takes another program's place by one of the exec functions, after a region whose members are bound. The
// new program, which is this one with other arguments, prints what it was given and checks that it may run
// wherever the first one could. Before that a call that fails must leave the caller's mask and errno alone.
//
//     replace FUNCTION WHERE      WHERE: primary, member, handler (of a signal), fork, vfork
//     replace kept FUNCTION       the mask that the program itself has set stays
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../omp/check.h"

extern char** environ;

static char self[4096], mask_text[2048];
static const char* function;

static const char* text_of_mask(void) {
  static char text[2048];
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  text[0] = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask)) sprintf(text + strlen(text), ",%d", cpu);
  return text;
}

static int is(const char* name) { return strcmp(function, name) == 0; }

// The words that the new program gets.
#define WORDS "replace", "new", mask_text, function, (char*)NULL

static int call(const char* path) {
  static char changed[] = "REPLACED=yes";
  char* words[] = {"replace", "new", mask_text, (char*)function, NULL};
  char* with[256] = {changed};
  for (int i = 0; i < 254 && environ[i] != NULL; ++i) with[i + 1] = environ[i];
  if (is("execv")) return execv(path, words);
  if (is("execve")) return execve(path, words, with);
  if (is("execvp")) return execvp(path, words);
  if (is("execvpe")) return execvpe(path, words, with);
  if (is("execl")) return execl(path, WORDS);
  if (is("execlp")) return execlp(path, WORDS);
  if (is("execle")) return execle(path, WORDS, with);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (is("fexecve")) return fexecve(file, words, with);
  if (is("execveat")) return execveat(AT_FDCWD, path, words, with, 0);
  abort();
}

static void replace(void) {
  char before[2048];
  strcpy(before, text_of_mask());
  errno = 0;
  CHECK_EQ(call("no/such/file"), -1);
  CHECK(errno == (is("fexecve") ? EBADF : ENOENT) || (is("fexecve") && errno == EINVAL));
  CHECK(strcmp(before, text_of_mask()) == 0);
  if (check_result() != 0) _exit(1);
  call(self);
  perror(function);
  _exit(1);
}

static void handle(int signal) {
  (void)signal;
  replace();
}

static int run_child(void* unused) {
  (void)unused;
  replace();
  return 1;
}

// A child that has the caller's memory, by clone(): the wrapper of vfork() does not see it. What Vicino
// knows of the thread must still be true of the parent.
static void share_memory(void) {
  static char stack[1 << 16] __attribute__((aligned(16)));
  char before[2048];
  strcpy(before, text_of_mask());
  const pid_t child =
      clone(run_child, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  CHECK(strcmp(before, text_of_mask()) == 0);
  pid_t other = fork();
  if (other == 0) {
    CHECK(strcmp(mask_text, text_of_mask()) == 0);
    _exit(check_result());
  }
  CHECK_EQ(waitpid(other, &status, 0), other);
  CHECK_EQ(status, 0);
}

// A child without fork()'s handlers.
static void copy_memory(void) {
  const pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) replace();
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

static int is_new(char** words) {
  CHECK(strcmp(words[2], text_of_mask()) == 0);
  function = words[3];
  const char* const given = getenv("REPLACED");
  const int has_environment =
      is("execve") || is("execvpe") || is("execle") || is("fexecve") || is("execveat");
  CHECK_EQ(given != NULL && strcmp(given, "yes") == 0, has_environment);
  printf("%s %d\n", function, omp_get_num_procs());
  return check_result();
}

int main(int count, char** words) {
  if (strcmp(words[1], "new") == 0) return is_new(words);
  CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  const int kept = strcmp(words[1], "kept") == 0;
  function = words[kept ? 2 : 1];
  const char* const where = count > 2 && !kept ? words[2] : "primary";
  strcpy(mask_text, text_of_mask());
#pragma omp parallel num_threads(4)
  if (strcmp(where, "member") == 0 && omp_get_thread_num() == 3) replace();
  if (kept) {
    cpu_set_t last;
    CPU_ZERO(&last);
    CPU_SET(atoi(strrchr(mask_text, ',') + 1), &last);
    CHECK_EQ(sched_setaffinity(0, sizeof last, &last), 0);
    strcpy(mask_text, text_of_mask());
  }
  if (strcmp(where, "vfork") == 0) {
    share_memory();
    return check_result();
  }
  if (strcmp(where, "fork") == 0) {
    copy_memory();
    return check_result();
  }
  if (strcmp(where, "handler") == 0) {
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
  }
  replace();
}
