#include "plat/model/source_point.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

namespace vicino::model {

bool operator==(const SourcePoint& a, const SourcePoint& b) noexcept {
  return a.part == b.part && a.where.line() == b.where.line() &&
         a.where.column() == b.where.column() &&
         std::strcmp(a.where.file_name(), b.where.file_name()) == 0;
}

// An order that an access cannot have is harmless: the memory model uses the part of acq_rel that
// fits.
std::vector<Mutation> weaker(const SourcePoint& point) {
  if (point.part == Part::kWake || point.part == Part::kUnity) return {{point}};
  switch (point.order) {
    case std::memory_order_seq_cst:
      return {{point, std::memory_order_acq_rel}};
    case std::memory_order_acq_rel:
      return {{point, std::memory_order_acquire}, {point, std::memory_order_release}};
    case std::memory_order_relaxed:
      return {};
    default:
      return {{point, std::memory_order_relaxed}};
  }
}

const char* name(std::memory_order order) noexcept {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
      return "consume";
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

std::string place(const Where& where) {
  const std::string_view file = where.file_name();
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), where.line());
}

// Compilers give whole signatures: the name is the text before the first parenthesis, without its
// return type and namespaces.
std::string function(const Where& where) {
  std::string_view name = where.function_name();
  name = name.substr(0, name.find('('));
  name = name.substr(name.rfind(' ') + 1);
  if (const auto last = name.rfind("::"); last != name.npos && last != 0)
    if (const auto before = name.rfind("::", last - 1); before != name.npos)
      name = name.substr(before + 2);
  return std::string(name);
}

std::string describe(const Mutation& mutation) {
  const SourcePoint& point = mutation.point;
  const std::string at = fmt::format("{} ({})", function(point.where), place(point.where));
  if (point.part == Part::kWake) return at + ": no wake";
  if (point.part == Part::kUnity) return at + ": not atomic";
  return fmt::format("{}: {}{} -> {}", at, point.part == Part::kFailure ? "on failure " : "",
                     name(point.order), name(mutation.order));
}

}  // namespace vicino::model
