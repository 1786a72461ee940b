/* A program that runs one parallel region and then does what its arguments ask for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int omp_test_id(void);
int omp_test_delay_ms(void);
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);

static void body(void* ran) { *(int*)ran = 1; }

int main(int argc, char** argv) {
  int ran = 0;
  GOMP_parallel(body, &ran, 0, 0);
  if (!ran) return 99;
  const char* wanted = argc > 1 ? argv[1] : "";
  if (!strcmp(wanted, "id")) printf("first line\n%d\n", omp_test_id());
  if (!strcmp(wanted, "figure")) printf("delay: 1 ms\ndelay: %d ms\n", omp_test_delay_ms());
  if (!strcmp(wanted, "constant")) fprintf(stderr, "figure 7.5\n");
  if (!strcmp(wanted, "hang")) sleep(600);
  if (!strcmp(wanted, "fail-on") && omp_test_id() == atoi(argv[2])) return 3;
  if (!strcmp(wanted, "crash-on") && omp_test_id() == atoi(argv[2])) abort();
  return 0;
}
