// environment.hpp: a list of NAME=value strings, as a process gets it.
//
// Why    The parser takes the environment as a value, so that a test passes its own and only
//        settings() reads the real one. An Environment is a view: the strings must outlive it, and
//        the parser copies what it keeps, since a program may call setenv later.
#pragma once

#include <span>

namespace vicino::config {

class Environment {
 public:
  constexpr Environment() noexcept = default;
  explicit constexpr Environment(std::span<const char* const> entries) noexcept
      : entries_(entries) {}

  // The environment of this process; empty in a set-user-id program, whose caller is not trusted.
  static Environment of_process() noexcept;

  std::span<const char* const> entries() const noexcept { return entries_; }

 private:
  std::span<const char* const> entries_;
};

}  // namespace vicino::config
