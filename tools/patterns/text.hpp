// text.hpp: what the readers of files share.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace vicino::patterns {

// The whole of a file, or of the standard input if `path` is "-". The error names the file.
Result<std::string> read_whole(const std::string& path);

// "FILE:LINE: text"
Error wrong_at(std::string_view file, size_t line, std::string_view text);

}  // namespace vicino::patterns
