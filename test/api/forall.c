// vicino/forall.h from C99: each strategy, the fraction, its prediction.
// test: uses -std=c99 -pedantic-errors -Werror -D_DEFAULT_SOURCE
// test: variant settings VICINO_SCHEDULE=dynamic,37
#include "forall.h"

int main(void) { return run_forall_tests(); }
