// profile_scanner.hpp: a text line by line, each line word by word, until something is wrong.
//
// What is wrong is kept, not thrown: the first error counts, with the number of its line.
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/decimal.hpp"
#include "base/file.hpp"
#include "base/quote.hpp"
#include "tune/profile.hpp"

namespace vicino::tune::profile_text {

inline constexpr std::size_t kLongestWord = 256;

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  // For an unsigned number from_chars() rejects -1; for a fraction it would take it.
  if (error != std::errc() || stop != end || text.starts_with('-')) return std::nullopt;
  return number;
}

inline std::optional<double> cost_of(std::string_view text) {
  return text.starts_with('-') ? std::nullopt : parse_decimal(text);
}

inline std::optional<uint64_t> offset_of(std::string_view text) {
  uint64_t number = 0;
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, 16);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

inline std::optional<Day> day_of(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = number_of<int>(text.substr(0, 4));
  const auto month = number_of<unsigned>(text.substr(5, 2));
  const auto day = number_of<unsigned>(text.substr(8));
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year}, std::chrono::month{*month},
                                         std::chrono::day{*day}};
  if (!date.ok()) return std::nullopt;
  return static_cast<Day>(std::chrono::sys_days{date}.time_since_epoch().count());
}

inline bool is_hexadecimal(std::string_view text) {
  return !text.empty() && text.size() <= 128 &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

inline bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= kLongestWord &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

class Scanner {
 protected:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool is_wrong() const noexcept { return !wrong_.text.empty(); }
  bool fail(std::string reason) {
    if (!is_wrong()) wrong_.text = std::to_string(number_) + ": " + std::move(reason);
    return false;
  }
  bool fail(std::string_view value, std::string_view accepted) {
    return fail(quoted(value) + " is not " + std::string(accepted));
  }

  bool next_line() {
    if (text_.empty()) return false;
    ++number_;
    line_ = take_until(text_, '\n');
    return true;
  }

  // The lines that are left count as read: what is wrong is at the end.
  void skip_to_end() { number_ += static_cast<std::size_t>(std::ranges::count(text_, '\n')); }

  std::string_view word() { return take_until(line_, ' '); }

  // The value of the next word, "name=value".
  std::string_view value(std::string_view name) {
    const std::string_view all = word();
    if (all.size() <= name.size() || !all.starts_with(name) || all[name.size()] != '=') {
      fail(all, std::string(name) + "=...");
      return {};
    }
    return all.substr(name.size() + 1);
  }

  template <class T>
  void put(T& to, std::optional<T> from, std::string_view text, std::string_view accepted) {
    if (is_wrong()) return;
    if (!from) {
      fail(text, accepted);
      return;
    }
    to = *from;
  }

  template <class Number>
  void count(std::string_view name, Number& to, Number least = 0) {
    const std::string_view text = value(name);
    const auto number = number_of<Number>(text);
    const bool is_accepted = number && *number >= least;
    put(to, is_accepted ? number : std::nullopt, text,
        least == 0 ? "a whole number" : "a positive whole number");
  }
  void cost(std::string_view name, double& to) {
    const std::string_view text = value(name);
    put(to, cost_of(text), text, "a number from 0");
  }
  void word(std::string& to, std::string_view text) {
    put(to, is_word(text) ? std::optional(std::string(text)) : std::nullopt, text,
        "a word of printable characters");
  }
  void digits(std::string& to, std::string_view text) {
    put(to, is_hexadecimal(text) ? std::optional(std::string(text)) : std::nullopt, text,
        "a number of up to 128 hexadecimal digits");
  }
  void end_of_line() {
    if (!is_wrong() && !line_.empty()) fail(line_, "known here");
  }

  std::string_view text_, line_;  // what is left of each
  Error wrong_;

 private:
  std::size_t number_ = 0;
};

}  // namespace vicino::tune::profile_text
