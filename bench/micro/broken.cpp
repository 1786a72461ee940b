// broken.cpp: a faulty `single` of a runtime, to be preloaded: every thread executes the block.
//
// It is the negative control of run.py --check: a benchmark that reports figures with it is blind.
extern "C" {
bool GOMP_single_start() { return true; }
int __kmpc_single(void*, int) { return 1; }
}
