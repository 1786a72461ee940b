/* A program that asks no OpenMP runtime for anything; its library does. */
int plugin_answer(void);
int main(void) { return plugin_answer(); }
