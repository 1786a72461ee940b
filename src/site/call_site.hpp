// call_site.hpp: a place in the program that met a construct.
#pragma once

namespace vicino::site {

// A call site as the ABI layer finds it. `source` is ";file;function;line;column;;", which LLVM's
// compilers pass, or null.
struct CallSite {
  const void* address = nullptr;
  const char* source = nullptr;
};

}  // namespace vicino::site
