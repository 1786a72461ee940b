// rounding_x86_64.cpp: the rounding mode, for libstdc++, so that the library does not need libm.
//
// Why    std::from_chars() for fractions lies in one object of libstdc++.a with its long double
//        twin, which sets the rounding mode around strtold(). toml++ calls the first; without the
//        two functions here, each process would open, map and relocate libm for the second.
// Safe   They have hidden visibility: a program's own calls never get here.

namespace {
constexpr unsigned kMode = 0xC00;  // in the x87's control word
constexpr unsigned kToVector = 3;  // MXCSR has the same two bits in a higher position
}  // namespace

// The functions have other names here, because the compiler knows the standard names and declares
// them visible.
[[gnu::visibility("hidden")]] int rounding_mode() noexcept __asm__("fegetround");
[[gnu::visibility("hidden")]] int set_rounding_mode(int mode) noexcept __asm__("fesetround");

int rounding_mode() noexcept {
  unsigned short control;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  return static_cast<int>(control & kMode);
}

int set_rounding_mode(int mode) noexcept {
  const auto wanted = static_cast<unsigned>(mode);
  if ((wanted & ~kMode) != 0) return 1;
  unsigned short control;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  control = static_cast<unsigned short>((control & ~kMode) | wanted);
  __asm__ volatile("fldcw %0" : : "m"(control));
  const unsigned vector = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr((vector & ~(kMode << kToVector)) | wanted << kToVector);
  return 0;
}
