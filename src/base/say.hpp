// say.hpp: what the library tells its user on standard error, and checks of its own invariants.
#pragma once

namespace vicino {

// One line on standard error, "vicino: " before it. printf's format; no allocation, no locale.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...) noexcept;

// As say(), then ends the program by abort(): for what has no answer that would be right.
[[noreturn, gnu::format(printf, 1, 2)]] void die(const char* format, ...) noexcept;

// Turns say() off and on (KMP_WARNINGS, kmp_set_warnings_off); die() speaks in any case.
void set_warnings(bool on) noexcept;

}  // namespace vicino

// VICINO_CHECK(I2, condition): a numbered invariant, looked at in checked builds only.
#ifdef VICINO_CHECKED
#define VICINO_CHECK(number, condition)                                                         \
  ((condition) ? void()                                                                         \
               : ::vicino::die("invariant " #number " broken at %s:%d: %s", __FILE__, __LINE__, \
                               #condition))
#else
#define VICINO_CHECK(number, condition) ((void)0)
#endif
