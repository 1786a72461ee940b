#include "mpi_layer.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include "config/words.hpp"
#include "library.hpp"
#include "linked_files.hpp"
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

// The MPI that a program needs, itself or by a library that it needs.
const Mpi* mpi_needed_by(const fs::path& program, const Environment& environment) {
  const Mpi* found = nullptr;
  any_linked_file(program, environment, [&found](const fs::path&, const Needs& needs) {
    for (const std::string& name : needs.libraries)
      if (found == nullptr) found = mpi_with(name);
    return found != nullptr;
  });
  return found;
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
  if (const Mpi* mpi = mpi_needed_by(program, environment)) return mpi;
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
  const fs::path layer = folder_of(library) / mpi->layer;
  std::error_code ignored;
  if (!fs::is_regular_file(layer, ignored))
    return {{},
            fmt::format("{} was built without {}, which '{}' uses", library.filename().string(),
                        mpi->name, program.filename().string())};
  return {layer, {}};
}

}  // namespace vicino::cli
