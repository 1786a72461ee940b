// profiling.cpp: OpenACC's interface for tools. Vicino reports no events: a tool is told that it will
// see none.
#include "abi/api.hpp"
#include "base/say.hpp"

using namespace vicino;

VICINO_API void acc_prof_register(int, void (*)(), int) {
  say("acc_prof_register: Vicino reports no events of OpenACC constructs");
}
VICINO_API void acc_prof_unregister(int, void (*)(), int) {}
VICINO_API void (*acc_prof_lookup(const char*))() { return nullptr; }
// A tool's own function of this name is called by a runtime that reports events.
VICINO_API void acc_register_library(void (*)(), void (*)(), void (*)()) {}
