// unimplemented.cpp: where every exported function that has no definition yet ends.
#include <cstdio>
#include <cstdlib>

// abort() rather than _exit(70): a debugger or a core file then shows the caller, and no script can
// take the end for the program's own exit status. Exit handlers do not run either way: they could
// re-enter the runtime in the middle of a construct.
extern "C" [[noreturn]] void vicino_unimplemented(const char* name) {
  std::fprintf(stderr, "vicino: this program called %s, which Vicino does not implement yet\n",
               name);
  std::abort();
}
