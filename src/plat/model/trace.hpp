// trace.hpp: an execution as text, one operation a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "plat/model/source_point.hpp"

namespace vicino::model {

// Names that a scenario gives to its objects.
class Names {
 public:
  void clear() { known_.clear(); }
  void add(const void* object, std::size_t size, std::string_view name);
  // The name of the object at an address, with the offset inside it; `otherwise` if there is none.
  std::string of(const void* address, std::string_view otherwise) const;

 private:
  struct Known {
    const char* begin;
    std::size_t size;
    std::string name;
  };
  std::vector<Known> known_;
};

class Trace {
 public:
  void add(std::string_view thread, std::string_view text, const Where& where);
  std::size_t steps() const noexcept { return lines_.size(); }
  std::string text() const;

 private:
  struct Line {
    std::string thread, text, place;
  };
  std::vector<Line> lines_;
};

// Small numbers are decimal, larger ones hexadecimal.
std::string number(uint64_t value);

}  // namespace vicino::model
