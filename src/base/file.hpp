// file.hpp: reads small files of the kernel whole, writes text, and makes names of files.
//
// Not    an fstream: it would bring the locale machinery into a library that is preloaded into
//        other people's programs, and would read numbers as the program's locale writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vicino {

// "" if the file cannot be read, or is longer than `most` bytes.
std::string read_file(const std::string& path, size_t most = SIZE_MAX);

// Writes all of the text, in one piece if it can: a pipe takes a short text whole. Returns errno's
// number, or 0. Neither a limit of size nor a pipe without a reader raises a signal.
int write_all(int file, std::string_view text) noexcept;

// Removes the text up to the next `separator`, and the separator, from the front of `text`; returns
// that text.
std::string_view take_until(std::string_view& text, char separator);

// Replaces %p by the process number: each process writes a file of its own.
std::string with_process_number(std::string name);

}  // namespace vicino
