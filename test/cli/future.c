/* A program that asks libgomp.so.1 for a function which no runtime has yet. Compiled as the
   library, it is that function. With WEAK the program can do without. */
#include <stdio.h>

#ifdef WEAK
__attribute__((weak))
#endif
int omp_from_the_future(void);

#ifdef LIBRARY
int omp_from_the_future(void) { return 42; }
#else
int main(void) {
#ifdef WEAK
  puts(omp_from_the_future ? "there" : "not there");
#else
  printf("%d\n", omp_from_the_future());
#endif
  return 0;
}
#endif
