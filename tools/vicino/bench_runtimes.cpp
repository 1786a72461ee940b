#include "bench_runtimes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/elf.hpp"
#include "base/file.hpp"
#include "process.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

struct Place {
  fs::path file;
  std::string found;
};

struct Kind {
  std::string_view name;
  std::array<std::string_view, 2> files;
  bool is_gcc;
};
constexpr std::array<Kind, 3> kKinds = {{
    {"libgomp", {"libgomp.so.1", ""}, true},
    {"libomp", {"libomp.so.5", "libomp.so"}, false},
    {"libiomp5", {"libiomp5.so", ""}, false},
}};

struct Functions {
  bool gcc, clang, vicino;
};

Functions functions_of(const fs::path& file) {
  const std::set<std::string> names = offered_by(file.string()).names;
  return {names.contains("GOMP_parallel"), names.contains("__kmpc_fork_call"),
          names.contains("vicino_version")};
}

// gcc's programs run on libomp too, but nobody uses it so; and clang's lack their functions in libgomp.
OtherRuntime described(std::string name, const Place& place, const Functions& has) {
  return {.name = std::move(name),
          .file = place.file,
          .found = place.found,
          .runs_gcc = has.gcc && (!has.clang || has.vicino),
          .runs_clang = has.clang};
}

void add_folders(std::vector<Place>& folders, std::string_view list, const std::string& found) {
  while (!list.empty())
    if (const std::string_view folder = take_until(list, ':'); !folder.empty())
      folders.push_back({fs::path(folder), found});
}

// The Python that a shell would start: `pip install intel-openmp` puts the library beside it.
std::optional<fs::path> python_folder(const Environment& environment) {
  std::string_view list = environment.get("PATH").value_or("");
  std::error_code ignored;
  while (!list.empty()) {
    const fs::path folder(take_until(list, ':'));
    if (fs::exists(folder / "python3", ignored)) return folder.parent_path() / "lib";
  }
  return std::nullopt;
}

std::vector<Place> first_folders(const Environment& environment) {
  std::vector<Place> folders;
  add_folders(folders, environment.get("LD_LIBRARY_PATH").value_or(""), "LD_LIBRARY_PATH");
  for (const auto& [variable, below] :
       {std::pair{"CONDA_PREFIX", "lib"}, std::pair{"VIRTUAL_ENV", "lib"},
        std::pair{"CMPLR_ROOT", "lib"}, std::pair{"ONEAPI_ROOT", "compiler/latest/lib"}})
    if (const auto folder = environment.get(variable); folder && !folder->empty())
      folders.push_back({fs::path(*folder) / below, variable});
  if (const auto folder = python_folder(environment)) folders.push_back({*folder, "python3"});
  if (const auto home = environment.get("HOME"); home && !home->empty())
    folders.push_back({fs::path(*home) / ".local/lib", "~/.local"});
  return folders;
}

// Debian's folders of LLVM, the newest first.
void add_llvm(std::vector<Place>& folders) {
  std::vector<std::pair<int, fs::path>> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/lib", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("llvm-")) found.emplace_back(std::atoi(name.c_str() + 5), entry.path());
  }
  std::ranges::sort(found, std::greater());
  for (const auto& [version, folder] : found) folders.push_back({folder / "lib", "the system"});
}

std::vector<Place> last_folders() {
  std::vector<Place> folders;
#ifdef __aarch64__
  constexpr const char* kMultiarch = "/usr/lib/aarch64-linux-gnu";
#else
  constexpr const char* kMultiarch = "/usr/lib/x86_64-linux-gnu";
#endif
  for (const char* folder :
       {"/usr/local/lib64", "/usr/local/lib", "/usr/lib64", kMultiarch, "/usr/lib"})
    folders.push_back({folder, "the system"});
  add_llvm(folders);
  return folders;
}

// Every file under one of the names, in the order in which a program would find them.
std::vector<Place> places_of(const Kind& kind, const Environment& environment,
                             const std::string& cache) {
  std::vector<Place> places;
  const auto add = [&](const std::vector<Place>& folders, std::string_view name) {
    for (const Place& folder : folders) places.push_back({folder.file / name, folder.found});
  };
  for (const std::string_view name : kind.files)
    if (!name.empty()) add(first_folders(environment), name);
  for (const std::string_view name : kind.files)
    if (!name.empty())
      for (const std::string& file : files_in_cache(cache, name))
        places.push_back({file, "the loader's cache"});
  for (const std::string_view name : kind.files)
    if (!name.empty()) add(last_folders(), name);
  return places;
}

template <class Number>
Number number_at(std::string_view bytes, size_t at) {
  Number value{};
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string first_line_of(const Words& command) {
  try {
    const Outcome done = run_together(command, Environment::of_process(), Seconds(5), 1)[0];
    if (done.interrupted != 0) throw Interrupted{done.interrupted};
    return done.succeeded() ? done.out.substr(0, done.out.find('\n')) : "";
  } catch (const Failure&) {  // there is no such package manager
    return "";
  }
}

// conda keeps a list of the files of each package.
std::string conda_package_of(const fs::path& file) {
  const fs::path folder = file.parent_path().parent_path() / "conda-meta";
  const std::string quoted_file = fmt::format("\"lib/{}\"", file.filename().string());
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json" &&
        read_file(entry.path().string()).find(quoted_file) != std::string::npos)
      return entry.path().stem().string();
  return "";
}

}  // namespace

std::string_view name_of(Abi abi) { return abi == Abi::kGcc ? "gcc" : "clang"; }

std::vector<OtherRuntime> find_runtimes(const Environment& environment) {
  const std::string cache = read_file("/etc/ld.so.cache");
  std::vector<OtherRuntime> found;
  for (const Kind& kind : kKinds)
    for (const Place& place : places_of(kind, environment, cache)) {
      std::error_code error;
      const fs::path file = fs::canonical(place.file, error);
      if (error || std::ranges::any_of(found, [&](auto& other) { return other.file == file; }))
        continue;
      const Functions has = functions_of(file);
      if (has.vicino || has.clang == kind.is_gcc || !(has.gcc || has.clang)) continue;
      found.push_back(described(std::string(kind.name), {file, place.found}, has));
      break;
    }
  return found;
}

OtherRuntime named_runtime(const std::string& text) {
  const size_t equals = text.find('=');
  const bool is_file = fs::is_regular_file(text) || equals == std::string::npos;
  const std::string name = is_file ? "" : text.substr(0, equals);
  const std::string given = is_file ? text : text.substr(equals + 1);
  std::error_code error;
  const fs::path file = fs::canonical(given, error);
  if (error || !fs::is_regular_file(file, error))
    throw Failure(kUsage, fmt::format("--with: '{}' is not a file", given));
  const Functions has = functions_of(file);
  if (!has.gcc && !has.clang)
    throw Failure(kUsage,
                  fmt::format("--with: '{}' is no OpenMP runtime for this machine: it has neither "
                              "GOMP_parallel nor __kmpc_fork_call",
                              given));
  return described(name.empty() ? file.filename().string() : name, {file, "--with"}, has);
}

// The cache of glibc 2.2 and newer: a header of 48 bytes, entries of 24, and the names, which the entries
// give by their distance from the header. An older form may stand before it.
std::vector<std::string> files_in_cache(std::string_view cache, std::string_view name) {
  constexpr size_t kHeader = 48, kEntry = 24, kMost = 100'000;
  std::vector<std::string> files;
  const size_t start = cache.find("glibc-ld.so.cache1.1");
  if (start == cache.npos) return files;
  cache.remove_prefix(start);
  const size_t count = std::min<size_t>(number_at<uint32_t>(cache, 20), kMost);
  const auto text_at = [&](uint32_t at) -> std::string_view {
    if (at >= cache.size()) return {};
    const std::string_view rest = cache.substr(at);
    return rest.substr(0, rest.find('\0'));
  };
  for (size_t i = 0; i < count; ++i) {
    const size_t entry = kHeader + i * kEntry;
    if (text_at(number_at<uint32_t>(cache, entry + 4)) == name)
      files.emplace_back(text_at(number_at<uint32_t>(cache, entry + 8)));
  }
  return files;
}

std::string package_of(const fs::path& file) {
  if (const std::string package = conda_package_of(file); !package.empty()) return package;
  const std::string debian = first_line_of({"dpkg-query", "-S", file.string()});
  if (const std::string package = debian.substr(0, debian.find(": ")); !package.empty())
    return first_line_of({"dpkg-query", "-W", "-f=${Package} ${Version}\n", package});
  return first_line_of({"rpm", "-qf", file.string()});
}

}  // namespace vicino::cli
