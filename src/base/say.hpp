// say.hpp: messages to the user on standard error, and checks of the library's own invariants.
#pragma once

namespace vicino {

// Writes one line on standard error, with "vicino: " in front. The format is printf's; the function
// neither allocates nor uses the locale.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...) noexcept;

// Like say(), then ends the program by abort(): for cases that have no correct answer.
[[noreturn, gnu::format(printf, 1, 2)]] void die(const char* format, ...) noexcept;

// Like die(), but the program ends by exit(1), with its exit handlers: for errors that it reports
// itself.
[[noreturn, gnu::format(printf, 1, 2)]] void give_up(const char* format, ...) noexcept;

// Turns say() off and on (KMP_WARNINGS, kmp_set_warnings_off); the others write in any case.
void set_warnings(bool on) noexcept;

}  // namespace vicino

// VICINO_CHECK(I2, condition): a numbered invariant, checked in checked builds only.
#ifdef VICINO_CHECKED
#define VICINO_CHECK(number, condition)                                                         \
  ((condition) ? void()                                                                         \
               : ::vicino::die("invariant " #number " broken at %s:%d: %s", __FILE__, __LINE__, \
                               #condition))
#else
#define VICINO_CHECK(number, condition) ((void)0)
#endif
