// api.hpp: how the entry points of a foreign ABI are declared.
#pragma once

// Put before a definition: C linkage, visible outside the library; the definition replaces the stub
// of the same name that make_stubs.py would generate.
#define VICINO_API extern "C" __attribute__((visibility("default")))
