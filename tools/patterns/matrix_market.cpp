#include "patterns/matrix_market.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/quote.hpp"
#include "graph/graph.hpp"
#include "patterns/text.hpp"

namespace vicino::patterns {
namespace {

constexpr std::string_view kBlank = " \t\r\v\f";

// Removes the next word, and the blanks before it, from the front of `line`.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlank));
  line.remove_prefix(word.size());
  return word;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(kBlank) == std::string_view::npos;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

std::optional<uint64_t> whole(std::string_view word) {
  uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

// Also one that is too large or too small for a double: its value does not matter.
bool is_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  return error != std::errc::invalid_argument && stop == end;
}

struct Field {
  std::string_view name;
  uint32_t values;  // numbers behind the row and the column
};
constexpr std::array<Field, 5> kFields = {
    {{"pattern", 0}, {"real", 1}, {"double", 1}, {"integer", 1}, {"complex", 2}}};
constexpr std::string_view kSymmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  Result<Rows> run() {
    if (!read_header() || !read_size()) return *error_;
    while (next_line())
      if (!is_blank(line_) && !read_entry()) return *error_;
    if (listed_ < entries_) {
      wrong("the file ends after " + std::to_string(listed_) + " of " + std::to_string(entries_) +
            " entries");
      return *error_;
    }
    return pattern_of(size_, rows_, columns_);
  }

 private:
  bool next_line() {
    if (rest_.empty()) return false;
    const size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    return true;
  }

  bool wrong(std::string_view text) {
    error_ = wrong_at(name_, std::max<size_t>(number_, 1), text);
    return false;
  }

  bool read_header() {
    next_line();
    if (take_word(line_) != "%%MatrixMarket")
      return wrong("the file does not begin with '%%MatrixMarket', as the format requires");
    const std::string object = lower(take_word(line_)), format = lower(take_word(line_));
    const std::string field = lower(take_word(line_)), symmetry = lower(take_word(line_));
    if (object != "matrix")
      return wrong("the object is " + quoted(object) + "; 'matrix' is accepted");
    if (format != "coordinate")
      return wrong("the format is " + quoted(format) +
                   "; 'coordinate' is accepted, which lists the entries of a sparse matrix");
    const auto found = std::ranges::find(kFields, field, &Field::name);
    if (found == kFields.end())
      return wrong("the field is " + quoted(field) +
                   "; accepted are pattern, real, integer and complex");
    values_ = found->values;
    if (std::ranges::find(kSymmetries, symmetry) == std::end(kSymmetries))
      return wrong("the symmetry is " + quoted(symmetry) +
                   "; accepted are general, symmetric, skew-symmetric and hermitian");
    mirrored_ = symmetry != "general";
    return is_blank(line_) || wrong(quoted(line_) + " stands behind the symmetry");
  }

  bool read_size() {
    do {
      if (!next_line()) return wrong("the file ends before the line with rows, columns, entries");
    } while (line_.starts_with('%') || is_blank(line_));
    const std::string_view shown = line_;
    const auto rows = whole(take_word(line_)), columns = whole(take_word(line_)),
               entries = whole(take_word(line_));
    if (!rows || !columns || !entries || !is_blank(line_))
      return wrong(quoted(shown) + " is not 'ROWS COLUMNS ENTRIES', three whole numbers");
    if (*rows != *columns)
      return wrong("the matrix has " + std::to_string(*rows) + " rows and " +
                   std::to_string(*columns) + " columns; a square matrix is accepted");
    const uint64_t listed = *entries > graph::kMost ? graph::kMost : *entries;
    if (*rows >= graph::kMost || *rows + (mirrored_ ? 2 : 1) * listed >= graph::kMost)
      return wrong(std::to_string(*rows) + " rows and " + std::to_string(*entries) +
                   " entries are too many: with the diagonal, and mirrored if the matrix is "
                   "symmetric, fewer than " +
                   std::to_string(graph::kMost) + " entries are accepted");
    size_ = static_cast<uint32_t>(*rows);
    entries_ = *entries;
    return true;
  }

  bool read_entry() {
    const std::string_view shown = line_;
    if (shown.starts_with('%')) return true;  // not in the standard, but in files
    const auto row = whole(take_word(line_)), column = whole(take_word(line_));
    bool good = row && column;
    for (uint32_t i = 0; good && i < values_; ++i) good = is_number(take_word(line_));
    if (!good || !is_blank(line_))
      return wrong(quoted(shown) + " is not 'ROW COLUMN" +
                   std::string(values_ > 0 ? " VALUE" : "") +
                   std::string(values_ > 1 ? " VALUE" : "") + "'");
    if (*row < 1 || *row > size_ || *column < 1 || *column > size_)
      return wrong("entry (" + std::to_string(*row) + ", " + std::to_string(*column) +
                   ") is outside of the matrix; rows and columns are counted from 1 to " +
                   std::to_string(size_));
    if (++listed_ > entries_)
      return wrong("there are more entries than the " + std::to_string(entries_) +
                   " that the file announces");
    add(static_cast<uint32_t>(*row - 1), static_cast<uint32_t>(*column - 1));
    return true;
  }

  void add(uint32_t row, uint32_t column) {
    rows_.push_back(row);
    columns_.push_back(column);
    if (!mirrored_ || row == column) return;
    rows_.push_back(column);
    columns_.push_back(row);
  }

  std::string_view rest_, line_;
  const std::string_view name_;
  size_t number_ = 0;  // of the line
  std::optional<Error> error_;
  uint32_t values_ = 0, size_ = 0;
  bool mirrored_ = false;
  uint64_t entries_ = 0, listed_ = 0;
  std::vector<uint32_t> rows_, columns_;
};

}  // namespace

Result<Rows> read_matrix_market(std::string_view text, std::string_view name) {
  return Reader(text, name).run();
}

}  // namespace vicino::patterns
