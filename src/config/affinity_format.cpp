#include "config/affinity_format.hpp"

#include <algorithm>
#include <array>

namespace vicino::config {
namespace {

// A field wider than a screen is a typing error; without a bound it could take a gigabyte.
constexpr std::size_t kWidest = 1024;

struct Field {
  char letter;
  std::string_view name;
  long (*number)(const AffinityFields&);            // null: a text
  std::string_view (*text)(const AffinityFields&);  // null: a number
};

using A = AffinityFields;

template <auto kMember>
constexpr Field number(char letter, std::string_view name) {
  return {letter, name, [](const A& fields) { return static_cast<long>(fields.*kMember); },
          nullptr};
}

template <auto kMember>
constexpr Field text(char letter, std::string_view name) {
  return {letter, name, nullptr, [](const A& fields) { return fields.*kMember; }};
}

constexpr std::array<Field, 10> kFields{number<&A::team_num>('t', "team_num"),
                                        number<&A::num_teams>('T', "num_teams"),
                                        number<&A::nesting_level>('L', "nesting_level"),
                                        number<&A::thread_num>('n', "thread_num"),
                                        number<&A::num_threads>('N', "num_threads"),
                                        number<&A::ancestor_tnum>('a', "ancestor_tnum"),
                                        number<&A::process_id>('P', "process_id"),
                                        number<&A::native_thread_id>('i', "native_thread_id"),
                                        text<&A::host>('H', "host"),
                                        text<&A::thread_affinity>('A', "thread_affinity")};

struct Layout {
  std::size_t width = 0;
  bool right = false;
  bool zeros = false;
};

constexpr bool take(std::string_view& rest, char c) noexcept {
  if (!rest.starts_with(c)) return false;
  rest.remove_prefix(1);
  return true;
}

// [0][.][width]. The standard wants a dot behind the 0. Without the dot, libomp ignores the 0, and
// libgomp stops reading there; this function does as libomp.
Layout take_layout(std::string_view& rest) noexcept {
  Layout layout;
  const bool zero = take(rest, '0');
  layout.right = take(rest, '.');
  layout.zeros = zero && layout.right;
  for (; !rest.empty() && rest[0] >= '0' && rest[0] <= '9'; rest.remove_prefix(1))
    layout.width = std::min(kWidest, layout.width * 10 + static_cast<std::size_t>(rest[0] - '0'));
  return layout;
}

// Null if the field is not known; a brace that is not closed takes the rest of the format.
const Field* take_field(std::string_view& rest) noexcept {
  if (rest.empty()) return nullptr;
  const bool named = take(rest, '{');
  const std::size_t length = named ? std::min(rest.find('}'), rest.size()) : 1;
  const std::string_view name = rest.substr(0, length);
  rest.remove_prefix(std::min(rest.size(), named ? length + 1 : length));
  const auto field = std::ranges::find_if(kFields, [&](const Field& candidate) {
    return named ? candidate.name == name : candidate.letter == name[0];
  });
  return field == kFields.end() ? nullptr : &*field;
}

// Zeros go between the sign and the digits; a text is never padded with them.
void append_padded(std::string& out, std::string_view value, Layout layout, bool is_number) {
  const std::size_t missing = layout.width - std::min(layout.width, value.size());
  if (layout.zeros && is_number) {
    if (take(value, '-')) out += '-';
    out.append(missing, '0').append(value);
  } else if (layout.right) {
    out.append(missing, ' ').append(value);
  } else {
    out.append(value).append(missing, ' ');
  }
}

void append_field(std::string& out, std::string_view& rest, const AffinityFields& fields) {
  const Layout layout = take_layout(rest);
  const Field* field = take_field(rest);
  if (field == nullptr) return append_padded(out, "undefined", layout, false);
  if (field->text != nullptr) return append_padded(out, field->text(fields), layout, false);
  append_padded(out, std::to_string(field->number(fields)), layout, true);
}

}  // namespace

std::string format_affinity(std::string_view format, const AffinityFields& fields) {
  if (format.empty()) format = kDefaultAffinityFormat;
  std::string out;
  while (!format.empty()) {
    const std::string_view literal = format.substr(0, format.find('%'));
    out.append(literal);
    format.remove_prefix(literal.size());
    if (!take(format, '%')) continue;
    if (take(format, '%'))
      out += '%';
    else
      append_field(out, format, fields);
  }
  return out;
}

}  // namespace vicino::config
