// vicino/forall.h from C99: each strategy, the static fraction, and the prediction of the fraction.
// test: uses -std=c99 -pedantic-errors -Werror -D_DEFAULT_SOURCE
// test: variant settings VICINO_SCHEDULE=dynamic,37
#include "forall.h"

int main(void) { return run_forall_tests(); }
