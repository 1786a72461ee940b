// child.h: runs a function in another process: one that may end the process, or that a child of fork() must manage.
#ifndef CHILD_H
#define CHILD_H
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

// Runs the function in another process, and keeps what that says on standard error. Returns whether the
// function came back, and all checks passed. A process that ends within the function has to fail.
static inline int survives(void (*function)(void), char said[1000]) {
  enum { kCameBack = 77 };
  int pipes[2], status = 0;
  memset(said, 0, 1000);
  CHECK(pipe(pipes) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipes[1], 2);
    function();
    _exit(check_result() == 0 ? kCameBack : 1);
  }
  close(pipes[1]);
  for (size_t size = 0; size < 999;) {
    const ssize_t more = read(pipes[0], said + size, 999 - size);
    if (more <= 0) break;
    size += (size_t)more;
  }
  close(pipes[0]);
  waitpid(child, &status, 0);
  CHECK(status != 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == kCameBack;
}

// Runs the function in a child of fork(), which must come back from it within `seconds` and pass all checks there.
static inline void run_in_child(void (*function)(void), unsigned seconds) {
  const pid_t child = fork();
  if (child == 0) {
    check_failures = 0;
    alarm(seconds);
    function();
    _exit(check_result());
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

#endif
