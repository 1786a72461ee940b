// The error directive at execution: a warning says its message and the program goes on, a fatal one
// ends it.
#include "check.h"
#include "child.h"

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
