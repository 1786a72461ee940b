// source.hpp: a source file as bytes, the edits made to it, and how it is written back.
//
// Why    Whatever is not edited has to stay as it is: line ends, tabs, a byte order mark, bytes
//        that are not text in any encoding. So a file is one string of bytes, and an edit is two
//        offsets in it and a text.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vicino::convert {

// Replaces the bytes [begin, end). Edits of one file do not overlap.
struct Edit {
  size_t begin = 0, end = 0;
  std::string text;

  friend auto operator<=>(const Edit&, const Edit&) = default;
};

// `edits` are sorted.
std::string edited(std::string_view text, const std::vector<Edit>& edits);

// A unified diff with three lines of context, for `patch -p1` and `git apply`; empty without edits.
std::string unified_diff(std::string_view text, const std::vector<Edit>& edits,
                         const std::filesystem::path& shown_as);

// Both throw std::system_error. One rename replaces the whole file, so that a reader finds the old
// text or the new one, also after a crash. The file keeps its mode, and its owner where that is
// allowed.
std::string read_file(const std::filesystem::path& path);
void replace_file(const std::filesystem::path& path, std::string_view text);

// The number of the offset's line, from 1; and the offset at which that line begins.
size_t line_of(std::string_view text, size_t offset);
size_t line_begin(std::string_view text, size_t offset);

}  // namespace vicino::convert
