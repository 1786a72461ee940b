// api.hpp: how an entry point of a foreign ABI is written.
#pragma once

// Before a definition: C linkage, visible outside the library, and stronger than the stub of the
// same name that make_stubs.py generates.
#define VICINO_API extern "C" __attribute__((visibility("default")))
