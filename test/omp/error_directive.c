// The error directive at execution: a warning says its message and the program goes on, a fatal one
// ends it.
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void warn(void) {
#pragma omp error at(execution) severity(warning) message("careful now")
}
static void warn_without_words(void) {
#pragma omp error at(execution) severity(warning)
}
static void fail(void) {
#pragma omp error at(execution) severity(fatal) message("all is lost")
}
static void fail_in_region(void) {
#pragma omp parallel
  {
#pragma omp error at(execution) severity(fatal) message("all is lost")
  }
}

// Runs the function in another process; returns whether it came back, and what it said.
static int survives(void (*function)(void), char said[1000]) {
  int pipes[2], status = 0;
  memset(said, 0, 1000);
  CHECK(pipe(pipes) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipes[1], 2);
    function();
    _exit(77);
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
  return WIFEXITED(status) && WEXITSTATUS(status) == 77;
}

int main(void) {
  char said[1000];
  CHECK(survives(warn, said));
  CHECK(strstr(said, "careful now") != NULL);
  CHECK(survives(warn_without_words, said));
  CHECK(strlen(said) > 0);
  CHECK(!survives(fail, said));
  CHECK(strstr(said, "all is lost") != NULL);
  CHECK(!survives(fail_in_region, said));
  CHECK(strstr(said, "all is lost") != NULL);
  return check_result();
}
