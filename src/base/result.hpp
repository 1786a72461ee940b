// result.hpp: a value, or the reason why there is none.
//
// Why    std::expected is C++23, and no exception may leave the library: the program that it is
//        preloaded into may be C or Fortran, or built without unwind tables.
// Not    for hot paths: an Error owns its text.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace vicino {

struct Error {
  std::string text;  // one sentence for the user, without a full stop
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }

  // These are valid only when ok().
  const T& operator*() const& noexcept { return *value_; }
  T& operator*() & noexcept { return *value_; }
  T&& operator*() && noexcept { return *std::move(value_); }
  const T* operator->() const noexcept { return &*value_; }
  T* operator->() noexcept { return &*value_; }

  // The text is empty when ok().
  const std::string& error() const noexcept { return error_.text; }

 private:
  std::optional<T> value_;
  Error error_;
};

}  // namespace vicino
