// dissection.hpp: nested dissection: an order of a matrix's rows that leaves more rows independent.
//
// Why    In the natural order of a grid nearly all rows come after each other. Nested dissection numbers
//        the two halves first and then the separator between them, so the halves do not wait for each
//        other; each half is divided in the same way.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "patterns/pattern.hpp"

namespace vicino::patterns {

// Both return the old numbers in the new order: see permuted().

// Cuts boxes across their longest side, down to boxes of few cells, which keep the natural order. A
// separator is a plane of cells, and is divided as a box, too.
std::vector<uint32_t> dissected(const Grid& grid);

// By METIS, for any pattern: an entry counts for its mirrored place, too. The error: this program was
// built without METIS, or METIS failed.
Result<std::vector<uint32_t>> dissected_by_metis(const Rows& pattern);

}  // namespace vicino::patterns
