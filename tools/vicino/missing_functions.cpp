#include "missing_functions.hpp"

#include <fmt/format.h>

#include <set>

#include "library.hpp"
#include "linked_files.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

// Each is told once, though several files may ask for it.
class Missing {
 public:
  explicit Missing(Offered offered) : offered_(std::move(offered)) {}

  void look_at(const fs::path& file) {
    for (const Wanted& wanted : wanted_from(file.string(), kReplacedNames))
      if (!has(wanted) && told_.insert(wanted.version + wanted.name).second) tell(file, wanted);
  }
  std::string text() const {
    if (count_ <= kMostTold) return text_;
    return fmt::format("{}, and {} more", text_, count_ - kMostTold);
  }

 private:
  static constexpr int kMostTold = 3;  // a line of a terminal or two

  bool has(const Wanted& wanted) const {
    return wanted.name.empty() ? offered_.versions.contains(wanted.version)
                               : offered_.names.contains(wanted.name);
  }
  void tell(const fs::path& file, const Wanted& wanted) {
    if (++count_ > kMostTold) return;
    if (!text_.empty()) text_ += ", and ";
    const std::string what =
        wanted.name.empty() ? "the version " + wanted.version : wanted.name + "()";
    text_ += fmt::format("'{}' asks for {}, which {} has and Vicino has not",
                         file.filename().string(), what, wanted.library);
  }

  const Offered offered_;
  std::set<std::string> told_;
  std::string text_;
  int count_ = 0;
};

}  // namespace

std::string missing_for(const fs::path& program, const Environment& environment,
                        const fs::path& library) {
  Offered offered = offered_by(library.string());
  if (offered.names.empty()) return {};  // the library cannot be read: the loader will say what it thinks of it
  Missing missing(std::move(offered));
  any_linked_file(program, environment, [&](const fs::path& file, const Needs&) {
    missing.look_at(file);
    return false;
  });
  return missing.text();
}

}  // namespace vicino::cli
