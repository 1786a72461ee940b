// compiler_faults.hpp: loops that a compiler gets wrong before any runtime is asked.
#pragma once

#include <limits>

// gcc-12 has two faults. It extends the negated step of an unsigned type below 64 bits with zeros,
// so the runtime does not see the direction. It counts inline static chunks in the index type,
// which overflows if the type has 8 bits.
#if defined(__GNUC__) && !defined(__clang__)
constexpr bool kGcc = true;
#else
constexpr bool kGcc = false;
#endif
template <class T>
constexpr bool kCountsDown = !kGcc || std::numeric_limits<T>::is_signed || sizeof(T) == 8;
template <class T>
constexpr bool kCountsChunks = !kGcc || sizeof(T) > 1;
