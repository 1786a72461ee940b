// files.hpp: texts that commands write into files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vicino::cli {

// Writes the text into the file; "-" is standard output. Throws Failure if that fails.
void write_or_print(const std::string& file, const std::string& text);

// A folder among the system's temporary ones, until this object's end. Throws Failure if there can be none.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string_view command);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Text as XML may hold it, in an element or between double quotes.
std::string in_xml(const std::string& text);

}  // namespace vicino::cli
