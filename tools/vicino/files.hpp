// files.hpp: texts that commands write into files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace vicino::cli {

// Writes the text into the file; "-" is standard output. Throws Failure if that fails.
void write_or_print(const std::string& file, const std::string& text);

// JSON, in which bytes of names that are no UTF-8 are replaced.
template <class Json>
std::string json_text(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

// To be called before what takes long. Throws Failure if the file, "" or "-" for none, cannot be written as far as can be
// told now. Whoever reads a pipe would see its end.
void expect_writable(const std::string& file);

// Several results, of which each is delivered even if another cannot be.
class Results {
 public:
  void deliver(const std::function<void()>& one);
  // Throws Failure with what failed, and with the command's own status, unless that is 0.
  void finish(int status) const;

 private:
  std::string failures_;
};

// A folder among the system's temporary ones, until this object's or the process's end. Throws Failure if there can be none.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string_view command);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Why what was written here in between may not have fitted: "'/tmp' (TMPDIR): No space left on device"; empty if
  // there is room.
  std::string why_full() const;

 private:
  std::filesystem::path path_;
};

// Text as XML may hold it, in an element or between double quotes.
std::string in_xml(const std::string& text);

}  // namespace vicino::cli
