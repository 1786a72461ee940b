// unimplemented.cpp: every entry point without a definition ends here.
#include "base/say.hpp"
#include "site/code.hpp"

using namespace vicino;

// The program ends by abort() rather than _exit(70): a debugger or a core file then shows the
// caller, and no script can take the exit status for the program's own. Exit handlers do not run in
// either case: they could re-enter the runtime in the middle of a construct.
//
// `caller` is an address in the code that called the stub.
extern "C" [[noreturn]] void vicino_unimplemented(const char* name, const void* caller) {
  const std::string object = site::name_of(site::object_at(caller));
  die("%s called %s, which Vicino does not implement yet. The program can run on the OpenMP "
      "runtime "
      "that it was built with: start it without 'vicino run'.",
      object.empty() ? "this program" : object.c_str(), name);
}
