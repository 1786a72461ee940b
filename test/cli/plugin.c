/* A library of a program, which asks for a function of the future. */
int omp_from_the_future(void);
int plugin_answer(void);
int plugin_answer(void) { return omp_from_the_future(); }
