// place.hpp: return addresses as text. Only for reports: it reads symbol tables.
#pragma once

#include <span>
#include <string>

namespace vicino::pmpi {

struct Place {
  std::string key;    // file and offset of each address, the same in every process of the program
  std::string place;  // "exchange+0x2c in solver"
  std::string from;   // "step, main"
};

// `path`: return addresses, innermost first; null behind the last.
Place place_of(std::span<const void* const> path);

}  // namespace vicino::pmpi
