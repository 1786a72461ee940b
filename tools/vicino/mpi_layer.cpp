#include "mpi_layer.hpp"

#include <dlfcn.h>
#include <stdio.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "base/elf.hpp"
#include "config/words.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace fs = std::filesystem;
namespace {

struct Mpi {
  std::string_view name;
  std::string_view layer;
  std::array<std::string_view, 4> libraries;  // unused ones are empty
  std::string_view variable;                  // which its launcher sets
};

constexpr Mpi kMpis[] = {
    {"Open MPI",
     "libvicino-openmpi.so",
     {"libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40", ""},
     "OMPI_COMM_WORLD_SIZE"},
    // Also the MPIs with its binary interface: Intel MPI, MVAPICH2.
    {"MPICH",
     "libvicino-mpich.so",
     {"libmpich.so.12", "libmpi.so.12", "libmpichfort.so.12", "libmpifort.so.12"},
     "MPI_LOCALNRANKS"},
};

// What runs other code than its own; a version may follow the name.
constexpr std::string_view kInterpreters[] = {
    "python", "pypy",    "sh",   "bash",    "dash",    "ksh",    "zsh",    "perl",
    "ruby",   "R",       "lua",  "node",    "julia",   "octave", "tclsh",  "env",
    "time",   "timeout", "nice", "numactl", "taskset", "stdbuf", "setarch"};

const Mpi* mpi_with(std::string_view library) {
  for (const Mpi& mpi : kMpis)
    if (!library.empty() && std::ranges::find(mpi.libraries, library) != mpi.libraries.end())
      return &mpi;
  return nullptr;
}

void add_folders(std::vector<fs::path>& folders, std::string_view list, const fs::path& origin) {
  std::istringstream words{std::string(list)};
  for (std::string word; std::getline(words, word, ':');) {
    for (const std::string_view sign : {"${ORIGIN}", "$ORIGIN"})
      if (const size_t at = word.find(sign); at != std::string::npos)
        word.replace(at, sign.size(), origin.string());
    if (!word.empty()) folders.emplace_back(word);
  }
}

// Where the loader looks. The folder of this process's C library stands for the system's list of
// folders, whose form is the C library's own affair.
std::vector<fs::path> folders_for(const fs::path& file, const Needs& needs,
                                  const Environment& environment) {
  std::vector<fs::path> folders;
  for (const std::string& list : needs.search_path) add_folders(folders, list, file.parent_path());
  add_folders(folders, environment.get("LD_LIBRARY_PATH").value_or(""), {});
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&fopen), &info) != 0 && info.dli_fname != nullptr)
    folders.push_back(fs::path(info.dli_fname).parent_path());
  for (const char* folder : {"/usr/local/lib", "/usr/lib", "/lib"}) folders.emplace_back(folder);
  return folders;
}

fs::path find_file(const std::string& name, const std::vector<fs::path>& folders) {
  std::error_code ignored;
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  return {};
}

// The MPI that a program needs, itself or by a library that it needs, up to `levels` away.
const Mpi* mpi_needed_by(const fs::path& file, const Environment& environment, int levels,
                         std::set<std::string>& seen) {
  const Needs needs = needs_of(file.string());
  for (const std::string& name : needs.libraries)
    if (const Mpi* mpi = mpi_with(name)) return mpi;
  if (levels == 0) return nullptr;
  const auto folders = folders_for(file, needs, environment);
  for (const std::string& name : needs.libraries) {
    if (!seen.insert(name).second) continue;
    const fs::path library = find_file(name, folders);
    if (library.empty()) continue;
    if (const Mpi* mpi = mpi_needed_by(library, environment, levels - 1, seen)) return mpi;
  }
  return nullptr;
}

bool is_script(const fs::path& program) {
  char begin[2] = {};
  std::ifstream(program, std::ios::binary).read(begin, sizeof begin);
  return begin[0] == '#' && begin[1] == '!';
}

bool runs_other_code(const fs::path& program) {
  std::error_code ignored;
  const std::string name = fs::canonical(program, ignored).filename().string();
  const size_t end = name.find_first_of("-.0123456789");
  const std::string plain = name.substr(0, end);
  return is_script(program) || std::ranges::find(kInterpreters, plain) != std::end(kInterpreters);
}

const Mpi* mpi_of_launcher(const Environment& environment) {
  for (const Mpi& mpi : kMpis)
    if (environment.get(mpi.variable)) return &mpi;
  return nullptr;
}

const Mpi* mpi_of(const fs::path& program, const Environment& environment) {
  constexpr int kLevels = 3;
  std::error_code ignored;
  std::set<std::string> seen;
  const fs::path file = fs::canonical(program, ignored);
  if (const Mpi* mpi = mpi_needed_by(file, environment, kLevels, seen)) return mpi;
  return runs_other_code(program) ? mpi_of_launcher(environment) : nullptr;
}

}  // namespace

MpiLayer mpi_layer_for(const fs::path& program, const Environment& environment,
                       const fs::path& library) {
  using config::Choice;
  const auto setting =
      Choice<config::MpiLayerWords>::parse(environment.get("VICINO_MPI").value_or("auto"));
  if (setting == config::MpiLayer::kOff) return {{}, "VICINO_MPI is off"};
  const Mpi* mpi = mpi_of(program, environment);
  if (mpi == nullptr)
    return {{}, fmt::format("'{}' does not use Open MPI or MPICH", program.filename().string())};
  const fs::path layer = library.parent_path() / "vicino" / mpi->layer;
  std::error_code ignored;
  if (!fs::is_regular_file(layer, ignored))
    return {{},
            fmt::format("{} was built without {}, which '{}' uses", library.filename().string(),
                        mpi->name, program.filename().string())};
  return {layer, {}};
}

}  // namespace vicino::cli
