// rows.hpp: rows of task numbers, one behind the other in one array (compressed sparse rows).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vicino::graph {

class Rows {
 public:
  Rows() = default;
  // Row i is items[first[i] .. first[i + 1]). `first` has one element more than there are rows,
  // starts with 0, does not fall, and ends with the number of items.
  Rows(std::vector<uint32_t> first, std::vector<uint32_t> items)
      : first_(std::move(first)), items_(std::move(items)) {}

  uint32_t size() const noexcept { return static_cast<uint32_t>(first_.size() - 1); }
  std::span<const uint32_t> operator[](uint32_t row) const noexcept {
    return {items_.data() + first_[row], items_.data() + first_[row + 1]};
  }
  uint32_t length(uint32_t row) const noexcept { return first_[row + 1] - first_[row]; }

  // All rows one behind the other, and where each begins.
  std::span<const uint32_t> items() const noexcept { return items_; }
  std::span<const uint32_t> first() const noexcept { return first_; }

  // Adds to the last row, which end_row() ends.
  void add(uint32_t item) { items_.push_back(item); }
  void end_row() { first_.push_back(static_cast<uint32_t>(items_.size())); }
  void reserve(size_t rows, size_t items) {
    first_.reserve(rows + 1);
    items_.reserve(items);
  }

  friend bool operator==(const Rows&, const Rows&) = default;

 private:
  std::vector<uint32_t> first_{0};
  std::vector<uint32_t> items_;
};

// Whether Rows(first, items) has rows, for that many items.
bool are_rows(std::span<const uint32_t> first, size_t items) noexcept;

// The same pairs, looked up from the other side: row j of the result holds all rows i of `rows`
// that contain j, rising. `size`: how many rows the result has; all items are less.
Rows turned(const Rows& rows, uint32_t size);

// Each row backwards.
Rows reversed(const Rows& rows);

// Row r of the result holds all i with row_of[i] == r, rising. All of row_of are less than `rows`.
Rows sorted_into_rows(std::span<const uint32_t> row_of, uint32_t rows);

}  // namespace vicino::graph
