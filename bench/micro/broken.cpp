// broken.cpp: a runtime's `single` gone wrong, to be preloaded: every thread is the one.
//
// The negative control of run.py --check: a benchmark that reports figures with this is blind.
extern "C" {
bool GOMP_single_start() { return true; }
int __kmpc_single(void*, int) { return 1; }
}
