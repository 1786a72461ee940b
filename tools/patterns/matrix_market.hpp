// matrix_market.hpp: reads the pattern of a matrix from a file in Matrix Market's format.
//
// Source Boisvert, Pozo, Remington, The Matrix Market Exchange Formats, NISTIR 5935
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "patterns/pattern.hpp"

namespace vicino::patterns {

// `text` is the file, and errors name it as `name`, with the line. Accepted: square matrices in
// coordinate form, of any field and symmetry. Values are checked and dropped, also zeros: an entry is what
// is listed. An entry that is there twice counts once.
Result<Rows> read_matrix_market(std::string_view text, std::string_view name);

}  // namespace vicino::patterns
