#include "probe.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <string_view>

#include "files.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

bool starts_with_any(std::string_view text, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view p) { return text.starts_with(p); });
}

bool is_openmp_symbol(std::string_view symbol) {
  static constexpr std::array<std::string_view, 4> kPrefixes = {"GOMP_", "__kmpc_", "omp_", "kmp_"};
  return starts_with_any(symbol, kPrefixes);
}

// Removes the front of `text` up to `after` and returns the part between `before` and `after`;
// empty if one of them is not there.
std::string_view take(std::string_view& text, std::string_view before, std::string_view after) {
  const size_t begin = text.find(before);
  if (begin == text.npos) return {};
  text.remove_prefix(begin + before.size());
  const size_t end = text.find(after);
  if (end == text.npos) return {};
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end);
  return taken;
}

// binding file CALLER [0] to CALLEE [0]: normal symbol `NAME' [VERSION]
void read_binding(std::string_view line, RuntimesSeen& seen) {
  const std::string_view caller = take(line, "binding file ", " [");
  const std::string_view callee = take(line, "] to ", " [");
  const std::string_view symbol = take(line, "symbol `", "'");
  if (callee.empty() || callee == caller || !is_openmp_symbol(symbol)) return;
  if (is_runtime(caller)) return;  // an unused runtime may call the one that took its symbols
  seen.called.emplace(callee);
}

void read_line(std::string_view line, RuntimesSeen& seen) {
  static constexpr std::string_view kInit = "calling init: ";
  if (const size_t at = line.find(kInit); at != line.npos) {
    const std::string_view path = line.substr(at + kInit.size());
    if (is_runtime(path)) seen.loaded.emplace(path);
  } else if (line.find("binding file ") != line.npos) {
    read_binding(line, seen);
  }
}

// Resolves links: one file under two names is one runtime.
std::set<std::string> real_paths(const std::set<std::string>& paths) {
  std::set<std::string> result;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    result.insert(error ? path : real.string());
  }
  return result;
}

}  // namespace

bool is_runtime(std::string_view path) {
  static constexpr std::array<std::string_view, 4> kPrefixes = {"libgomp", "libomp.", "libomp-",
                                                                "libiomp"};
  const size_t slash = path.rfind('/');
  const std::string_view file = slash == path.npos ? path : path.substr(slash + 1);
  return starts_with_any(file, kPrefixes) || file.starts_with("libvicino");
}

std::string names_of(const std::set<std::string>& paths) {
  std::set<std::string> names;
  for (const std::string& path : paths) names.insert(fs::path(path).filename());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text.empty() ? "none" : text;
}

void read_loader_log(std::istream& log, RuntimesSeen& seen) {
  for (std::string line; std::getline(log, line);) {
    seen.looked = true;
    read_line(line, seen);
  }
}

RuntimesSeen look(Environment environment, const std::function<void(const Environment&)>& run) {
  const TemporaryFolder folder("look");
  environment.set("LD_DEBUG", "files,bindings");
  environment.set("LD_DEBUG_OUTPUT", (folder.path() / "log").string());
  run(environment);
  RuntimesSeen seen;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    std::ifstream log(entry.path());
    read_loader_log(log, seen);
  }
  // The loader says nothing where its log does not fit.
  if (const std::string full = folder.why_full(); !full.empty())
    throw Failure(kUsage, "the loader's log does not fit into " + full);
  seen.called = real_paths(seen.called);
  seen.loaded = real_paths(seen.loaded);
  return seen;
}

}  // namespace vicino::cli
